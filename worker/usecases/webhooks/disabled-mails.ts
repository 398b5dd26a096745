import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { writeWebhookDisabledMail } from "#worker/mail/webhook-mail.ts";
import type { OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { saveDevelopmentMail } from "#worker/store/operations/mailbox.ts";
import { readAdministratorsToNotify } from "#worker/store/webhooks/webhooks.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail } from "#worker/usecases/mails/send-mails.ts";

const USELESS_MILLISECONDS = 48 * 3_600_000;

/**
 * Creates the mails that inform the administrators of a disabled webhook, stored with the statement that disables it.
 */
export async function createWebhookDisabledMails(
  tenant: Tenant,
  { webhookId, reason }: { readonly webhookId: number; readonly reason: "gone" | "failing" },
  now: number,
): Promise<readonly OutgoingMail[]> {
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const administrators = await readAdministratorsToNotify(tenant.db);
  return Promise.all(
    administrators.map(async ({ email, language }) => {
      const mailLanguage = pickPlatformLanguage(language ?? undefined, settings.defaultLanguage);
      const composedMail = writeWebhookDisabledMail(
        { ...getMailBrand(tenant, catalogue), id: webhookId, reason },
        mailLanguage,
      );
      if (DEVELOPMENT_BUILD) await saveDevelopmentMail(tenant.db, { sentAt: now, recipient: email, ...composedMail });
      const mail = { ...composedMail, recipient: email, company: settings.accountName };
      return { ...(await encryptOutgoingMail(tenant, mail, now, now + USELESS_MILLISECONDS)), nextAt: now };
    }),
  );
}

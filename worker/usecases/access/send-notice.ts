import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatDate } from "#domain/money-notation.ts";
import { type SecurityNotice, writeSecurityNoticeMail } from "#worker/mail/notice-mail.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";

const USELESS_MILLISECONDS = 48 * 3_600_000;

/** Notifies a user by mail of a security event that they may not have caused. The mail is stored until it's sent. */
export async function sendSecurityNoticeMail(
  tenant: Tenant,
  { email, language }: { readonly email: string; readonly language: string | undefined },
  notice: SecurityNotice,
  now: number,
): Promise<void> {
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const { date, time } = toCivilNow(settings.timezone, now);
  const mailLanguage = pickPlatformLanguage(language, settings.defaultLanguage);
  const composedMail = writeSecurityNoticeMail(
    notice,
    {
      ...getMailBrand(tenant, catalogue),
      at: `${formatDate(date, mailLanguage, settings.countryCode)} ${time}`,
      page: `${tenant.ownUrl}/?lang=${mailLanguage}#contact`,
    },
    mailLanguage,
  );
  const mail = { ...composedMail, recipient: email, company: settings.accountName };
  const id = await enqueueMail(tenant.db, await encryptOutgoingMail(tenant, mail, now, now + USELESS_MILLISECONDS));
  if (id !== undefined) await sendOutgoingMail(tenant, id, mail, now);
}

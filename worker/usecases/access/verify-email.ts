import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { computeKeyedHash, computeKeyedHashes, createRandomSecret } from "#worker/auth/account-keys.ts";
import { writeVerificationMail } from "#worker/mail/verification-mail.ts";
import { consumeEmailVerification, saveEmailVerification } from "#worker/store/access/email-verifications.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";

/** Path of the account's page for verifying an address. */
export const VERIFY_EMAIL_PATH = "/verify-email";
const PURPOSE = "verify-email";
const LINK_MILLISECONDS = 24 * 3_600_000;

/**
 * Creates a verification link and its mail. An unverified address gets no other mail. Returns nothing if it's already
 * verified or a mail was sent within the last hour. Otherwise returns the sending of the mail.
 */
export async function requestEmailVerification(
  tenant: Tenant,
  email: string,
  { now, language }: { readonly now: number; readonly language: string | undefined },
): Promise<() => Promise<void>> {
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const secret = createRandomSecret();
  const site = settings.baseUrl?.replace(/\/+$/, "") ?? tenant.ownUrl;
  const mailLanguage = pickPlatformLanguage(language, settings.defaultLanguage);
  const link = `${site}${VERIFY_EMAIL_PATH}?id=${secret}&lang=${mailLanguage}`;
  const brand = getMailBrand(tenant, catalogue);
  const composedMail = writeVerificationMail({ ...brand, link }, mailLanguage);
  const mail = { ...composedMail, recipient: email, company: brand.company };
  const expiresAt = now + LINK_MILLISECONDS;
  const verification = { tokenHash: await computeKeyedHash(tenant, PURPOSE, secret), email, expiresAt };
  const id = await saveEmailVerification(
    tenant.db,
    verification,
    await encryptOutgoingMail(tenant, mail, now, expiresAt),
    now,
  );
  return async () => {
    if (id !== undefined) await sendOutgoingMail(tenant, id, mail, now);
  };
}

/** Verifies an address with its mailed link. Safe to repeat. Returns false for an unknown or expired link. */
export async function verifyEmail(tenant: Tenant, link: string, now: number): Promise<boolean> {
  return consumeEmailVerification(tenant.db, await computeKeyedHashes(tenant, PURPOSE, link), now);
}

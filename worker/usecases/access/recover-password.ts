import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import { findPasswordProblems, type PasswordProblem } from "#domain/access/passwords.ts";
import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { computeKeyedHash, computeKeyedHashes, createRandomSecret } from "#worker/auth/account-keys.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { writePasswordResetMail } from "#worker/mail/reset-mail.ts";
import {
  recordAttemptAndReadPasswordLink,
  savePasswordLink,
  setPasswordByLink,
} from "#worker/store/access/password-resets.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import { recordAttemptAndReadUser } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import {
  createTooManyAttemptsRefusal,
  type TooManyAttempts,
  toAttemptSource,
  toUserAttemptSource,
} from "./limit-attempts.ts";
import { sendSecurityNoticeMail } from "./send-notice.ts";

const LINK_MINUTES = 30;
/** Path of the account's page for setting a new password. */
export const SET_PASSWORD_PATH = "/change-password";
/** Purpose of the keyed hashes of password links. */
export const PASSWORD_LINK_HASH_PURPOSE = "password-reset";

interface Request {
  readonly now: number;
  readonly address: string | undefined;
}

/**
 * Creates a reset link for a user name or e-mail. The mail is stored with the link, so neither is lost. Returns the
 * sending of the mail, to run after the response. Otherwise the response time would reveal whether the user exists.
 */
export async function requestPasswordReset(
  tenant: Tenant,
  name: string,
  { now, address, language }: Request & { readonly language: string | undefined },
): Promise<Result<() => Promise<void>, TooManyAttempts>> {
  const attemptSource = await toUserAttemptSource(tenant, name, address);
  const { attempts, user, isKnownNetwork } = await recordAttemptAndReadUser(tenant.db, "forgotten", attemptSource, now);
  const wait = findSecondsUntilRetry("forgotten", attempts, now, isKnownNetwork);
  if (wait !== undefined) return err(createTooManyAttemptsRefusal(wait));
  const secret = createRandomSecret();
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const expiresAt = now + LINK_MINUTES * 60_000;
  const { fullName, email: recipient, language: own, isUnverified } = user ?? UNKNOWN_USER;
  const mailLanguage = pickPlatformLanguage(own, language, settings.defaultLanguage);
  const site = settings.baseUrl?.replace(/\/+$/, "") ?? tenant.ownUrl;
  const link = `${site}${SET_PASSWORD_PATH}?id=${secret}&lang=${mailLanguage}`;
  // A user with an unverified address may have entered any text as a name.
  const person = isUnverified ? "" : sanitizeNameForMail(fullName);
  const composedMail = writePasswordResetMail(
    { ...getMailBrand(tenant, catalogue), person, link, minutes: LINK_MINUTES },
    mailLanguage,
  );
  const mail = { ...composedMail, recipient, company: settings.accountName };
  const reset = {
    tokenHash: await computeKeyedHash(tenant, PASSWORD_LINK_HASH_PURPOSE, secret),
    userId: user?.isActive ? user.id : undefined,
    expiresAt,
  };
  const id = await savePasswordLink(tenant.db, reset, await encryptOutgoingMail(tenant, mail, now, expiresAt), now);
  return ok(async () => {
    if (id !== undefined) await sendOutgoingMail(tenant, id, mail, now);
  });
}

/** Values for an unknown user, so that the response takes the same work. Nothing is stored for it. */
const UNKNOWN_USER = { fullName: "", email: "", language: undefined, isUnverified: false };

/**
 * Sets a new password with a link, once. This also verifies the address. Returns the sending of the notification mail.
 * Undefined for an unknown, used or expired link, without distinguishing them.
 */
export async function resetPasswordByLink(
  tenant: Tenant,
  change: { readonly password: string; readonly link: string },
  { now, address }: Request,
): Promise<
  Result<
    (() => Promise<void>) | undefined,
    TooManyAttempts | { readonly kind: "weak"; readonly problems: readonly PasswordProblem[] }
  >
> {
  const problems = findPasswordProblems(change.password);
  if (problems.length > 0) return err({ kind: "weak", problems });
  const tokenHashes = await computeKeyedHashes(tenant, PASSWORD_LINK_HASH_PURPOSE, change.link);
  const { attempts, owner } = await recordAttemptAndReadPasswordLink(
    tenant.db,
    tokenHashes,
    await toAttemptSource(tenant, address),
    now,
  );
  const wait = findSecondsUntilRetry("change", attempts, now);
  if (wait !== undefined) return err(createTooManyAttemptsRefusal(wait));
  if (!owner) return ok(undefined);
  const passwordHash = await hashPassword(change.password);
  const isChanged = await setPasswordByLink(tenant.db, tokenHashes, { passwordHash, now });
  if (!isChanged) return ok(undefined);
  return ok(async () => {
    await recordSecurityEvent(tenant.db, { kind: "password_changed", userId: owner.id }, now);
    await sendSecurityNoticeMail(tenant, owner, "password_changed", now);
  });
}

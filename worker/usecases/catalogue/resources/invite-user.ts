import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { computeKeyedHash, createRandomSecret } from "#worker/auth/account-keys.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { writeInvitationMail } from "#worker/mail/invitation-mail.ts";
import { hasPasswordLink, savePasswordLink } from "#worker/store/access/password-resets.ts";
import {
  resourceQueries,
  type StoredResource,
  toResources,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { PASSWORD_LINK_HASH_PURPOSE, SET_PASSWORD_PATH } from "#worker/usecases/access/recover-password.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createResource } from "./create-resource.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import type { ResourceInput, ResourceWriteResult } from "./validate-resource.ts";
import { getResourceWriteOptions, writeResource } from "./write-resource.ts";

const USERS: Resource = getResource("users");
const INVITATION_DAYS = 7;
const DAY = 86_400_000;

/**
 * Creates a user. Without a password, they are invited by mail to choose one, so that only they know it. Repeating the
 * request sends no second mail.
 */
export async function createUser(write: OfficeWrite, userInput: ResourceInput): ResourceWriteResult {
  const { password } = userInput;
  if (password !== undefined && password !== null && password !== "") return createResource(write, USERS, userInput);
  // A random password that is discarded, so no sign-in is possible until one is chosen.
  const passwordHash = await hashPassword(createRandomSecret());
  const created = await createResource(write, USERS, userInput, { passwordHash });
  if (!created.ok) return created;
  const user = created.value.value;
  const isInvited = await hasPasswordLink(write.tenant.db, Number(user.id), write.now);
  if (!isInvited && user.version === 1 && user.values["active"] === true) await sendInvitation(write, user);
  return created;
}

/** Sends an active user a new invitation. Earlier ones stay valid until one is used. */
export async function inviteUserAgain(
  write: OfficeWrite,
  id: number,
): Promise<Result<StaffAnswer<true>, ResourceRefusal>> {
  const { db } = write.tenant;
  let invited: StoredResource | undefined;
  const result = await writeResource(write, {
    ...getResourceWriteOptions(USERS),
    content: { resource: USERS.name, invite: id },
    read: () => resourceQueries(db, USERS, String(id)),
    decide: ({ rows }) => {
      const [user] = toResources(USERS, rows);
      if (user?.values["active"] !== true) return err({ kind: "resourceNotFound" });
      invited = user;
      return ok({ resource: String(id), statements: [] });
    },
    readBack: () => [],
    answer: () => ok(true as const),
  });
  if (result.ok && invited) await sendInvitation(write, invited);
  return result;
}

async function sendInvitation({ tenant, now }: OfficeWrite, { id, values }: StoredResource): Promise<void> {
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const secret = createRandomSecret();
  const site = getSite(tenant, settings.baseUrl);
  const expiresAt = now + INVITATION_DAYS * DAY;
  const language = pickPlatformLanguage(toText(values["language"]), settings.defaultLanguage);
  const composedMail = writeInvitationMail(
    {
      ...getMailBrand(tenant, catalogue),
      person: sanitizeNameForMail(String(values["full_name"])),
      username: String(values["username"]),
      link: `${site}${SET_PASSWORD_PATH}?id=${secret}&lang=${language}`,
      office: `${site}/office/`,
      days: INVITATION_DAYS,
    },
    language,
  );
  const mail = { ...composedMail, recipient: String(values["email"]), company: settings.accountName };
  const reset = {
    tokenHash: await computeKeyedHash(tenant, PASSWORD_LINK_HASH_PURPOSE, secret),
    userId: Number(id),
    expiresAt,
  };
  const mailId = await savePasswordLink(tenant.db, reset, await encryptOutgoingMail(tenant, mail, now, expiresAt), now);
  if (mailId !== undefined) await sendOutgoingMail(tenant, mailId, mail, now);
}

const getSite = ({ ownUrl }: Tenant, baseUrl: string | undefined) => baseUrl?.replace(/\/+$/, "") ?? ownUrl;
const toText = (value: unknown) => (typeof value === "string" ? value : undefined);

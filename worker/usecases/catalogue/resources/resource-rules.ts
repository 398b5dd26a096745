import { findPasswordProblems } from "#domain/access/passwords.ts";
import { findUngrantableRight } from "#domain/access/rights.ts";
import type { Role, SignedInUser } from "#domain/access/sessions.ts";
import type { FieldValue, ResourceValues } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { findWebhookUrlProblem } from "#domain/webhooks/address.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { parseMerchantSettings } from "#worker/gateways/protocol.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Hashed or encrypted secrets by column. */
export type HashedOrEncryptedSecrets = Readonly<Record<string, string>>;

const MAX_SECRET_LENGTH = 200;

/** Hashes and encrypts the provided secrets. Hashing takes a fifth of a second, so it's done before any read. */
export async function hashAndEncryptSecrets(
  { masterKey, name }: Pick<Tenant, "masterKey" | "name">,
  { fields }: Resource,
  resourceInput: Readonly<Record<string, unknown>>,
): Promise<HashedOrEncryptedSecrets> {
  const prepared: Record<string, string> = {};
  for (const field of fields) {
    const secret = resourceInput[field.name];
    if (field.kind !== "secret" || typeof secret !== "string" || secret === "" || secret.length > MAX_SECRET_LENGTH)
      continue;
    prepared[field.column] =
      field.name === "password" ? await hashPassword(secret) : await encryptSecret(masterKey, name, secret);
  }
  return prepared;
}

interface RelatedData {
  /** Id of an existing resource. */
  readonly id: string | undefined;
  readonly staff: SignedInUser;
  readonly secrets: HashedOrEncryptedSecrets;
  readonly said: Readonly<Record<string, unknown>>;
  /** Current date in the account's time zone. */
  readonly today: string;
}

/** Checks rules that the declaration can't express. */
export function findResourceRuleProblems(
  resource: Resource,
  values: ResourceValues,
  relatedData: RelatedData,
): readonly Problem[] {
  if (resource.name === "users") return findUserProblems(values, relatedData);
  if (resource.name === "document-series") return findSeriesProblems(values, relatedData);
  if (resource.name === "vehicle-services") return findServiceProblems(values, relatedData);
  if (resource.name === "webhooks") return findWebhookProblems(values);
  if (resource.name === "settings") return findSiteProblems(values);
  return resource.name === "gateways" ? findGatewayProblems(values, relatedData) : [];
}

// An invalid URL would break the return page of every payment.
function findSiteProblems({ base_url: site }: ResourceValues): readonly Problem[] {
  return typeof site !== "string" || URL.canParse(site) ? [] : [createProblem("base_url", "address")];
}

function findWebhookProblems({ url }: ResourceValues): readonly Problem[] {
  const addressProblem = findWebhookUrlProblem(URL.parse(String(url)), { isDevelopment: DEVELOPMENT_BUILD });
  return addressProblem ? [createProblem("url", "webhook", addressProblem)] : [];
}

// Administrators can't remove their own rights, so that one always remains.
function findUserProblems(values: ResourceValues, { id, staff, said }: RelatedData): readonly Problem[] {
  const { role, active } = values;
  const { password } = said;
  if (typeof password === "string" && findPasswordProblems(password).length > 0)
    return [createProblem("password", "password")];
  const rights = findRightProblems(values, { id, staff, said });
  if (rights.length > 0 || id !== String(staff.userId)) return rights;
  if (role !== "administrator") return [createProblem("role", "last_administrator")];
  return active === false ? [createProblem("active", "last_administrator")] : [];
}

// Users can't change their own rights, or give others a right that they lack.
function findRightProblems(
  values: ResourceValues,
  { id, staff, said }: Pick<RelatedData, "id" | "staff" | "said">,
): readonly Problem[] {
  const changed = ["granted_rights", "withdrawn_rights"].find((name) => said[name] !== undefined);
  if (values["role"] === undefined) return [];
  if (changed !== undefined && id === String(staff.userId)) return [createProblem(changed, "own_rights")];
  if (id !== undefined && changed === undefined && said["role"] === undefined) return [];
  const user = {
    role: values["role"] as Role,
    grantedRights: values["granted_rights"] as readonly string[],
    withdrawnRights: values["withdrawn_rights"] as readonly string[],
  };
  const right = findUngrantableRight(user, staff);
  return right ? [createProblem(changed ?? "role", "right_not_held", right)] : [];
}

// Refuses a last date in the future for a series, because the next document would get this date. Refuses a
// future date for maintenance, because it would end the task about maintenance that is due.
function findServiceProblems({ date }: ResourceValues, { today }: RelatedData): readonly Problem[] {
  return String(date) > today ? [createProblem("date", "not_after", today)] : [];
}

function findSeriesProblems({ last_date: date }: ResourceValues, { today }: RelatedData): readonly Problem[] {
  return String(date) > today ? [createProblem("last_date", "not_after", today)] : [];
}

function findGatewayProblems(
  { method, environment, merchant, secret }: ResourceValues,
  { secrets }: RelatedData,
): readonly Problem[] {
  if (typeof method !== "string") return [];
  const { protocol } = gateways[method as OnlineMethod];
  const hasSecret = secrets["secretSealed"] !== undefined || secret === true;
  const wants = Object.keys(protocol.merchant).join(", ");
  return [
    ...(environment === "stand_in" && !DEVELOPMENT_BUILD ? [createProblem("environment", "choice", "live, test")] : []),
    ...(parseMerchantSettings(protocol, merchant) ? [] : findWrongMembers(protocol.merchant, merchant ?? null, wants)),
    ...(protocol.hasSecret && !hasSecret ? [createProblem("secret", "missing")] : []),
    ...(!protocol.hasSecret && hasSecret ? [createProblem("secret", "unknown_field")] : []),
    ...(!protocol.hasWebhookSecret && secrets["webhookSecretSealed"] !== undefined
      ? [createProblem("webhook_secret", "unknown_field")]
      : []),
  ];
}

function findWrongMembers(
  forms: Readonly<Record<string, RegExp>>,
  merchant: FieldValue,
  wants: string,
): readonly Problem[] {
  const merchantFields = (merchant ?? {}) as Readonly<Record<string, string>>;
  const invalidFields = Object.entries(forms).filter(([name, form]) => !form.test(merchantFields[name] ?? ""));
  if (invalidFields.length === 0) return [createProblem("merchant", "choice", wants)];
  return invalidFields.map(([name, form]) => createProblem(`merchant.${name}`, "form", form.source));
}

interface Change {
  readonly values: ResourceValues;
  readonly before: ResourceValues | undefined;
  readonly secrets: HashedOrEncryptedSecrets;
  /** Time of the change, epoch ms. */
  readonly now: number;
}

/** Returns columns without a field: encrypted secrets, and the end of sessions after a change of rights. */
export function getDerivedColumns(
  { name }: Resource,
  { values, before, secrets, now }: Change,
): Readonly<Record<string, unknown>> {
  if (name === "webhooks" && values["active"] === true) return { disabledAt: null, disabledReason: null };
  if (name !== "users" || !before) return secrets;
  const names = ["role", "active", "all_branches", "branch_codes"];
  const isOther = names.some(
    (name) => values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(before[name]),
  );
  return { ...secrets, ...((isOther || secrets["passwordHash"] !== undefined) && { tokensValidFrom: now }) };
}

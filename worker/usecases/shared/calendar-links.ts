import { createHmac } from "node:crypto";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { createDeviceWorkSecret } from "#worker/auth/device-work-keys.ts";
import { isSameSecret } from "#worker/auth/same-secret.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { saveAccountSecretIfMissing } from "#worker/store/access/account-secrets.ts";
import type { StoredResource } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Name of the account's secret that signs calendar links. It is reencrypted when the master key changes. */
export const CALENDAR_LINK_SECRET = "calendar_links";

/** Adds signed links to calendars. Returns other resources unchanged. */
export async function addSignedCalendarLinks<Thing extends Pick<StoredResource, "id" | "values" | "signedBySealed">>(
  tenant: Tenant,
  { name }: Pick<Resource, "name">,
  resources: readonly Thing[],
): Promise<readonly Thing[]> {
  const [first] = resources;
  if (name !== "calendars" || !first) return resources;
  const secret = await decryptSecret(tenant, first.signedBySealed ?? (await makeSecret(tenant)));
  return resources.map((resource) => {
    const link = `/calendars/${resource.id}-${sign(secret, String(resource.values["link"]))}.ics`;
    return { ...resource, values: { ...resource.values, link } };
  });
}

/** Whether the signature matches a calendar's current link. */
export async function isCalendarSignatureValid(
  tenant: Tenant,
  sealed: string,
  signedText: string,
  signature: string,
): Promise<boolean> {
  return isSameSecret(signature, sign(await decryptSecret(tenant, sealed), signedText));
}

/** Returns the HMAC-SHA256 in hex. */
function sign(secret: string, text: string): string {
  return createHmac("sha256", Buffer.from(secret, "base64")).update(`calendar/${text}`).digest("hex");
}

// The account's first calendar creates the secret. If two are created at once, the first secret is used.
async function makeSecret(tenant: Tenant): Promise<string> {
  return saveAccountSecretIfMissing(
    tenant.db,
    CALENDAR_LINK_SECRET,
    await encryptSecret(tenant.masterKey, tenant.name, createDeviceWorkSecret()),
  );
}

import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Returns the customer's page of a reservation on the company's own page. */
export function getReservationUrl(
  { ownUrl }: Pick<Tenant, "ownUrl">,
  {
    kind,
    freeAccessId,
    language,
  }: { readonly kind: "rental" | "transfer"; readonly freeAccessId: string; readonly language: string },
): string {
  const url = new URL("/", ownUrl);
  url.searchParams.set("lang", language);
  const prefix = kind === "transfer" ? "rt" : "rb";
  if (kind === "transfer") url.searchParams.set("shop", "transfers");
  url.searchParams.set(prefix, "reservation");
  url.searchParams.set(`${prefix}-id`, freeAccessId);
  return url.href;
}

/** Returns the same page, or undefined if only other websites show reservations. */
export function findReservationUrl(
  tenant: Pick<Tenant, "ownUrl">,
  { engineRequiresApiKey }: Pick<Settings, "engineRequiresApiKey">,
  booking: Parameters<typeof getReservationUrl>[1],
): string | undefined {
  return engineRequiresApiKey ? undefined : getReservationUrl(tenant, booking);
}

import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Returns the customer's page of a reservation on the company's own page. */
export function getReservationUrl(
  { ownUrl }: Pick<Tenant, "ownUrl">,
  { kind, freeAccessId }: { readonly kind: "rental" | "transfer"; readonly freeAccessId: string },
): string {
  const url = new URL("/", ownUrl);
  const prefix = kind === "transfer" ? "rt" : "rb";
  if (kind === "transfer") url.searchParams.set("shop", "transfers");
  url.searchParams.set(prefix, "reservation");
  url.searchParams.set(`${prefix}-id`, freeAccessId);
  return url.href;
}

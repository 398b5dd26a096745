import type { CatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getPublicOrigin } from "#worker/usecases/shared/open-gateway.ts";

const MAX_URL_LENGTH = 2000;

/** Returns the website's return page if the account allows that website to use its engine, otherwise undefined. */
export function findAllowedSummaryUrl(
  tenant: Pick<Tenant, "ownUrl">,
  { catalogue, engineKeys }: CatalogueSnapshot,
  text: string | undefined,
): string | undefined {
  const url = text !== undefined && text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  const allowed = [
    ...catalogue.settings.engineOrigins,
    ...[...engineKeys.values()].flatMap((key) => key.allowedOrigins),
    getPublicOrigin(tenant, catalogue.settings),
    new URL(tenant.ownUrl).origin,
  ];
  return allowed.includes("*") || allowed.includes(url.origin) ? url.href : undefined;
}

/** Returns the return page's URL with the booking's id. */
export function addBookingIdToUrl(summaryUrl: string, freeAccessId: string): string {
  const url = new URL(summaryUrl);
  url.searchParams.set("id", freeAccessId);
  return url.href;
}

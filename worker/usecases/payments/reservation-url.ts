import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Reservation with its customer's language and the page of the website that made it, if known. */
interface LinkedReservation {
  readonly kind: "rental" | "transfer";
  readonly freeAccessId: string;
  readonly language: string;
  readonly websitePage: string | null;
}

/**
 * Returns the customer's page of a reservation. It's on the company's own page, or on its website if the company
 * requires an engine key. Undefined if the website's page is unknown or isn't listed any more.
 */
export async function findReservationUrl(
  tenant: Pick<Tenant, "ownUrl" | "snapshot">,
  { kind, freeAccessId, language, websitePage }: LinkedReservation,
): Promise<string | undefined> {
  const { settings } = (await tenant.snapshot()).catalogue;
  const page = settings.engineRequiresApiKey ? await findListedPage(tenant, websitePage) : `${tenant.ownUrl}/`;
  const [name, shop] = kind === "rental" ? ["rb", ""] : ["rt", "&shop=transfers"];
  return page && `${page}?lang=${language}${shop}&${name}=reservation&${name}-id=${freeAccessId}`;
}

/**
 * Returns the address of a page of a website that the company lists by name, so that a request can't make a mail link
 * to another page. Without the query, which could lead elsewhere.
 */
export async function findListedPage(
  tenant: Pick<Tenant, "snapshot">,
  page: string | null | undefined,
): Promise<string | undefined> {
  const address = URL.parse(page ?? "");
  if (!address) return undefined;
  const { catalogue, engineKeys } = await tenant.snapshot();
  const origins = [...engineKeys.values()].flatMap(({ allowedOrigins }) => allowedOrigins);
  const isListed = [...origins, ...catalogue.settings.engineOrigins].includes(address.origin);
  return isListed ? `${address.origin}${address.pathname}` : undefined;
}

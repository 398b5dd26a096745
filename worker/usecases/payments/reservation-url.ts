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
 * requires an engine key: on the page that made it, otherwise on the only listed website. Undefined if the company
 * lists several websites or none.
 */
export async function findReservationUrl(
  tenant: Pick<Tenant, "ownUrl" | "snapshot">,
  { kind, freeAccessId, language, websitePage }: LinkedReservation,
): Promise<string | undefined> {
  const { settings } = (await tenant.snapshot()).catalogue;
  const page = settings.engineRequiresApiKey
    ? ((await findListedPage(tenant, websitePage)) ?? (await findOnlyWebsite(tenant)))
    : `${tenant.ownUrl}/`;
  const [name, shop] = kind === "rental" ? ["rb", ""] : ["rt", "&shop=transfers"];
  const separator = page?.includes("?") ? "&" : "?";
  return page && `${page}${separator}lang=${language}${shop}&${name}=reservation&${name}-id=${freeAccessId}`;
}

/**
 * Returns the address of a page of a website that the company lists by name, so that a request can't make a mail link
 * to another page. Keeps only parts of the query that can't contain an address, such as `page_id=12`.
 */
export async function findListedPage(
  tenant: Pick<Tenant, "snapshot">,
  page: string | null | undefined,
): Promise<string | undefined> {
  const address = URL.parse(page ?? "");
  if (!address || !(await listOrigins(tenant)).has(address.origin)) return undefined;
  const query = [...address.searchParams]
    .filter(([name, value]) => PLAIN_PART.test(name) && PLAIN_PART.test(value) && !WIDGET_PARAMETERS.test(name))
    .slice(0, MAX_QUERY_PARTS);
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
  return `${address.origin}${address.pathname}${search}`;
}

const PLAIN_PART = /^[\w-]{1,40}$/;
/** Parameters that the link of a reservation sets. */
const WIDGET_PARAMETERS = /^(lang|shop|r[bt](-.*)?)$/;
const MAX_QUERY_PARTS = 5;

async function findOnlyWebsite(tenant: Pick<Tenant, "snapshot">): Promise<string | undefined> {
  const [origin, ...others] = await listOrigins(tenant);
  return origin?.startsWith("https://") && others.length === 0 ? `${origin}/` : undefined;
}

async function listOrigins(tenant: Pick<Tenant, "snapshot">): Promise<ReadonlySet<string>> {
  const { catalogue, engineKeys } = await tenant.snapshot();
  const origins = [...engineKeys.values()].flatMap(({ allowedOrigins }) => allowedOrigins);
  return new Set([...origins, ...catalogue.settings.engineOrigins]);
}

import type { DeclaredProducer } from "#domain/tax-records/declaration.ts";

/**
 * Whom the law has the platform tell: the tax agency, and the ministry that keeps who rented what; and the statistical
 * office, whose codes of municipalities the ministry wants.
 */
export type Authority = "tax_agency" | "ses" | "statistics";

/** Asks an authority; undefined where the deployment has no way to it. */
export type AuthorityClient = (request: Request) => Promise<Response>;

/** In development: answers in an authority's place. */
export type AuthoritySimulator = (authority: Authority, request: Request, env: Cloudflare.Env) => Promise<Response>;

let authoritySimulator: AuthoritySimulator | undefined;

/** Lets the stand-ins answer, in development builds: no authority is asked then. Undefined: the authorities again. */
export function setAuthoritySimulator(answer: AuthoritySimulator | undefined): void {
  authoritySimulator = answer;
}

/**
 * The way to an authority. The tax agency wants a client certificate: the binding TAX_AGENCY (`mtls_certificates`),
 * which a deployment may do without; the ministry wants a user and a password of each company.
 */
export function getAuthorityClient(env: Cloudflare.Env, authority: Authority): AuthorityClient | undefined {
  const simulator = authoritySimulator;
  if (simulator) return (request) => simulator(authority, request, env);
  if (authority !== "tax_agency") return (request) => fetch(request);
  const binding: unknown = Reflect.get(env, "TAX_AGENCY");
  return isFetcher(binding) ? (request) => binding.fetch(request) : undefined;
}

function isFetcher(binding: unknown): binding is Fetcher {
  return typeof binding === "object" && binding !== null && "fetch" in binding;
}

/** Who makes the software of this deployment and answers for it. */
export type SoftwareProducer = DeclaredProducer &
  Readonly<Record<"name" | "taxId" | "address" | "place" | "date", string>>;

const IN_DEVELOPMENT: SoftwareProducer = {
  name: "Development, S.L.",
  taxId: "B12345674",
  address: "Calle del Ejemplo, 1, 07001 Palma, España",
  place: "Palma, España",
  date: "2026-11-22",
  contact: "development@example.com",
  website: "https://example.com",
};

/**
 * The variables PRODUCER_NAME, …_TAX_ID, …_ADDRESS, …_PLACE, …_DATE, …_CONTACT and …_WEBSITE: what the deployment says
 * of who makes its software. In development, where it says nothing, somebody invented.
 */
export function declaredProducer(env: Cloudflare.Env): DeclaredProducer {
  const read = (name: string) => {
    const value: unknown = Reflect.get(env, name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const producer = {
    name: read("PRODUCER_NAME"),
    taxId: read("PRODUCER_TAX_ID"),
    address: read("PRODUCER_ADDRESS"),
    place: read("PRODUCER_PLACE"),
    date: read("PRODUCER_DATE"),
    contact: read("PRODUCER_CONTACT"),
    website: read("PRODUCER_WEBSITE"),
  };
  const isSilent = Object.values(producer).every((value) => value === undefined);
  return DEVELOPMENT_BUILD && isSilent ? IN_DEVELOPMENT : producer;
}

/** The producer, where the deployment says all that the law wants of one: records are sent in nobody's name. */
export function softwareProducer(env: Cloudflare.Env): SoftwareProducer | undefined {
  const { name, taxId, address, place, date, contact, website } = declaredProducer(env);
  if (!(name && taxId && address && place && date)) return undefined;
  return { name, taxId, address, place, date, contact, website };
}

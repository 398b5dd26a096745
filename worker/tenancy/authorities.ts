import type { ConfiguredProducer } from "#domain/tax-records/declaration.ts";

/**
 * Authorities to report to by law: the tax agency and the ministry's rental register. The statistical office provides
 * the municipality codes that the ministry requires.
 */
export type Authority = "tax_agency" | "ses" | "statistics";

/** Sends a request to an authority. */
export type AuthorityClient = (request: Request) => Promise<Response>;

/** Answers instead of an authority, in development. */
export type AuthoritySimulator = (authority: Authority, request: Request, env: Cloudflare.Env) => Promise<Response>;

let authoritySimulator: AuthoritySimulator | undefined;

/**
 * Sets the simulator that answers instead of authorities, in development builds. Undefined restores the real
 * authorities.
 */
export function setAuthoritySimulator(answer: AuthoritySimulator | undefined): void {
  authoritySimulator = answer;
}

/**
 * Returns the client for an authority. The tax agency requires a client certificate, the optional binding TAX_AGENCY
 * (`mtls_certificates`). The ministry requires each company's user and password. Undefined if the deployment lacks
 * access.
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

/** Producer of the deployment's software, legally responsible for it. */
export type SoftwareProducer = ConfiguredProducer &
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
 * Reads the producer from the variables PRODUCER_NAME, …_TAX_ID, …_ADDRESS, …_PLACE, …_DATE, …_CONTACT and …_WEBSITE.
 * In development the default is a fictitious producer.
 */
export function readConfiguredProducer(env: Cloudflare.Env): ConfiguredProducer {
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

/** Returns the producer if the deployment sets all legally required data. No records are sent without a producer. */
export function getSoftwareProducer(env: Cloudflare.Env): SoftwareProducer | undefined {
  const { name, taxId, address, place, date, contact, website } = readConfiguredProducer(env);
  if (!(name && taxId && address && place && date)) return undefined;
  return { name, taxId, address, place, date, contact, website };
}

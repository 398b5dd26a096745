/**
 * Whom the law has the platform tell: the tax agency, and the ministry that keeps who rented what; and the statistical
 * office, whose codes of municipalities the ministry wants.
 */
export type Authority = "tax_agency" | "ses" | "statistics";

/** Asks an authority; undefined where the deployment has no way to it. */
export type Reach = (request: Request) => Promise<Response>;

/** In development: answers in an authority's place. */
export type StandIn = (authority: Authority, request: Request, env: Cloudflare.Env) => Promise<Response>;

let standIn: StandIn | undefined;

/** Lets the stand-ins answer, in development builds: no authority is asked then. */
export function useStandIns(answer: StandIn): void {
  standIn = answer;
}

/**
 * The way to an authority. The tax agency wants a client certificate: the binding TAX_AGENCY (`mtls_certificates`), which
 * a deployment may do without; the ministry wants a user and a password of each company.
 */
export function reachAuthority(env: Cloudflare.Env, authority: Authority): Reach | undefined {
  const instead = standIn;
  if (instead) return (request) => instead(authority, request, env);
  if (authority !== "tax_agency") return (request) => fetch(request);
  const binding: unknown = Reflect.get(env, "TAX_AGENCY");
  return isFetcher(binding) ? (request) => binding.fetch(request) : undefined;
}

function isFetcher(binding: unknown): binding is Fetcher {
  return typeof binding === "object" && binding !== null && "fetch" in binding;
}

/** Who makes the software of this deployment and answers for it, by its variables. */
export interface SoftwareProducer {
  readonly name: string;
  readonly taxId: string;
  readonly address: string;
  readonly place: string;
  readonly date: string;
}

const IN_DEVELOPMENT: SoftwareProducer = {
  name: "Development, S.L.",
  taxId: "B12345674",
  address: "Calle del Ejemplo, 1, 07001 Palma, España",
  place: "Palma, España",
  date: "2026-11-22",
};

/** The variables PRODUCER_NAME, …_TAX_ID, …_ADDRESS, …_PLACE and …_DATE; undefined where one of them is missing. */
export function softwareProducer(env: Cloudflare.Env): SoftwareProducer | undefined {
  const read = (name: string) => {
    const value: unknown = Reflect.get(env, name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const [name, taxId, address] = [read("PRODUCER_NAME"), read("PRODUCER_TAX_ID"), read("PRODUCER_ADDRESS")];
  const [place, date] = [read("PRODUCER_PLACE"), read("PRODUCER_DATE")];
  if (name && taxId && address && place && date) return { name, taxId, address, place, date };
  return DEVELOPMENT_BUILD ? IN_DEVELOPMENT : undefined;
}

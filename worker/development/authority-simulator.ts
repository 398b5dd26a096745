import type { AuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { simulateSesResponse } from "./ses/ministry-simulator.ts";
import { simulateMunicipalityListResponse } from "./statistics.ts";
import { simulateTaxAgencyResponse } from "./tax-agency/submission-simulator.ts";

/** Simulates the authorities in development. Handles all requests addressed to them. */
export const simulateAuthority: AuthoritySimulator = async (authority, request, env) => {
  if (authority === "statistics") return simulateMunicipalityListResponse(request);
  return authority === "tax_agency"
    ? simulateTaxAgencyResponse(env.FILES, request, Date.now())
    : simulateSesResponse(env.FILES, request);
};

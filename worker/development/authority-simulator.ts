import type { AuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { answerSes } from "./ses/ministry-simulator.ts";
import { answerMunicipalities } from "./statistics.ts";
import { answerSubmission } from "./tax-agency/submission-simulator.ts";

/** Simulates the authorities in development. Handles all requests addressed to them. */
export const simulateAuthority: AuthoritySimulator = async (authority, request, env) => {
  if (authority === "statistics") return answerMunicipalities(request);
  return authority === "tax_agency" ? answerSubmission(env.FILES, request, Date.now()) : answerSes(env.FILES, request);
};

import type { StandIn } from "#worker/tenancy/authorities.ts";
import { answerSubmission } from "./tax-agency/stand-in.ts";

/** Answers in the authorities' places, in development: what is addressed to them comes here. */
export const standInAuthority: StandIn = (authority, request, env) => {
  if (authority === "tax_agency") return answerSubmission(env.FILES, request, Date.now());
  return Promise.resolve(new Response("no stand-in", { status: 503 }));
};

import type { PartnerKey } from "#domain/access/credentials.ts";
import type { FactorState, SignedIn } from "#domain/access/sessions.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { Failure } from "./failure.ts";

/** What a request carries through the Worker. */
export interface AppEnvironment {
  Bindings: Cloudflare.Env;
  Variables: {
    requestId: string;
    /** When the request arrived, epoch ms: the only clock below the routes. */
    now: number;
    tenant: Tenant;
    /** What the log calls it, where the status does not tell: a sign-in that failed is answered 200. */
    event?: string;
    /** What the answer says no with, where it does. */
    failure?: Failure;
    /** Why, where the company is told more than who calls. */
    reason?: string;
    /** Set on calls of a booking website that shows its key. */
    website?: { readonly apiKey: string };
    /** What is asked, where the address does not tell. */
    operation?: string;
    /** Set on signed routes. */
    partner: PartnerKey;
    /** Set on routes for people who signed in. */
    signedIn: SignedIn;
    factor: FactorState;
  };
}

import type { PartnerKey } from "#domain/access/credentials.ts";
import type { SecondFactorState, SignedInCustomer, SignedInUser } from "#domain/access/sessions.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { Failure } from "./failure.ts";

/** Context variables of a request in the Worker. */
export interface AppEnvironment {
  Bindings: Cloudflare.Env;
  Variables: {
    requestId: string;
    /** Arrival time of the request in epoch ms, the only clock used below the routes. */
    now: number;
    tenant: Tenant;
    /** Event name for the log, if the status doesn't show the event. For example, a failed sign-in returns 200. */
    event?: string;
    /** Error of the response, if any. */
    failure?: Failure;
    /** Reason for a rejection in the company's log, more detailed than in the response. */
    reason?: string;
    /** Set for calls of a booking website with a key. */
    website?: { readonly apiKey: string };
    /** Customer who is signed in on a booking website. Set for calls of carts. */
    customer?: SignedInCustomer | undefined;
    /** Name of the operation, if the path alone doesn't identify the operation. */
    operation?: string;
    /** Partner whose key signed the request. Set on routes that need a signature. */
    partner: PartnerKey;
    /** User of the request's token. Set on routes for signed-in users. */
    signedIn: SignedInUser;
    /** Whether staff made the call. Then the answer has no CORS headers. */
    isStaffCall?: boolean;
    factor: SecondFactorState;
  };
}

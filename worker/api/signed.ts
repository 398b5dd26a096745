import { createMiddleware } from "hono/factory";
import type { Scope } from "#domain/access/credentials.ts";
import { findKeyBearer, findSigner } from "#worker/auth/signature.ts";
import { countWrongProof, isRefused, tooManyWrong } from "./address.ts";
import type { AppEnvironment } from "./environment.ts";
import { failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

/**
 * Lets only requests through that a partner key of the scope has signed (docs/interfaces/conventions.md#signed-calls);
 * where `byKeyAlone`, also those that bear a key of which the account says that it need not sign.
 */
export function signed(scope: Scope, toErrorResponse: ToErrorResponse, { byKeyAlone = false } = {}) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (isRefused(c, "signature")) return toErrorResponse(c, tooManyWrong);
    const { tenant, now } = c.var;
    const { partnerKeys } = await tenant.snapshot();
    const url = c.req.url;
    const request = {
      pathAndQuery: url.slice(url.indexOf("/", url.indexOf("//") + 2)),
      body: c.req.method === "POST" ? await c.req.arrayBuffer() : new ArrayBuffer(0),
      authorization: c.req.header("Authorization"),
    };
    const bearer = byKeyAlone ? findKeyBearer(request.authorization, partnerKeys) : undefined;
    const partner = bearer ?? (await findSigner(request, partnerKeys, tenant, now));
    if (!partner) {
      c.set("event", "bad_signature");
      await countWrongProof(c, "signature");
      return toErrorResponse(c, failures.badSignature);
    }
    if (!partner.scopes[scope]) return toErrorResponse(c, failures.outOfScope);
    c.set("partner", partner);
    return next();
  });
}

import { createMiddleware } from "hono/factory";
import type { Scope } from "#domain/credentials.ts";
import { findSigner } from "../auth/signature.ts";
import type { AppEnvironment } from "./environment.ts";
import { failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

/** Lets only requests through that a partner key of the scope has signed (document 1, authentication). */
export function signed(scope: Scope, toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const { tenant, now } = c.var;
    const { partnerKeys } = await tenant.snapshot();
    const url = c.req.url;
    const request = {
      pathAndQuery: url.slice(url.indexOf("/", url.indexOf("//") + 2)),
      body: c.req.method === "POST" ? await c.req.arrayBuffer() : new ArrayBuffer(0),
      authorization: c.req.header("Authorization"),
    };
    const partner = await findSigner(request, partnerKeys, tenant, now);
    if (!partner) return toErrorResponse(c, failures.badSignature);
    if (!partner.scopes[scope]) return toErrorResponse(c, failures.outOfScope);
    c.set("partner", partner);
    return next();
  });
}

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Scope } from "#domain/access/credentials.ts";
import { findPartner } from "#worker/usecases/access/find-partner.ts";
import { networkHash } from "#worker/usecases/access/limit-attempts.ts";
import { notingSecurity } from "#worker/usecases/access/note-security.ts";
import { clientAddress, countWrongProof, isRefused, tooManyWrong } from "./address.ts";
import type { AppEnvironment } from "./environment.ts";
import { failures, scopeMissing } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { logDefect } from "./observation.ts";
import { limitedByKey } from "./rate-limit.ts";

// Once a minute for each network: a flood is one row, and costs the database nothing.
function recordSignatureFlood(c: Context<AppEnvironment>): void {
  const { tenant, now } = c.var;
  const note = async () => {
    const network = await networkHash(tenant, clientAddress(c));
    await notingSecurity(tenant, { kind: "bad_signature", networkHash: network }, now)();
  };
  c.executionCtx.waitUntil(note().catch((error) => logDefect(c, error)));
}

// Who calls is not told that all but their network is right; the company is.
async function afterWrongProof(c: Context<AppEnvironment>, text: "elsewhere" | undefined): Promise<void> {
  c.set("event", "bad_signature");
  if (text) c.set("reason", "other_network");
  if (await countWrongProof(c, "signature")) recordSignatureFlood(c);
}

/**
 * Lets only requests through that a partner key of the scope has signed (docs/interfaces/conventions.md#signed-calls);
 * where `byKeyAlone`, also those that bear a key of which the account says that it need not sign.
 */
export function signed(scope: Scope, toErrorResponse: ToErrorResponse, { byKeyAlone = false } = {}) {
  const withinQuota = limitedByKey(toErrorResponse);
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (isRefused(c, "signature")) return toErrorResponse(c, tooManyWrong);
    const { url, method } = c.req;
    const body = method === "POST" ? await c.req.arrayBuffer() : new ArrayBuffer(0);
    const header = (name: string) => c.req.header(name);
    const request = { method, url, body, header, address: clientAddress(c), byKeyAlone };
    const partner = await findPartner(c.get("tenant"), request, c.get("now"));
    if (!partner || partner === "elsewhere") {
      await afterWrongProof(c, partner);
      return toErrorResponse(c, failures.badSignature);
    }
    if (!partner.scopes[scope]) return toErrorResponse(c, scopeMissing(scope));
    c.set("partner", partner);
    return withinQuota(c, next);
  });
}

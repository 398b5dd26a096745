import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { PartnerKeyScope } from "#domain/access/credentials.ts";
import { authenticatePartner } from "#worker/usecases/access/authenticate-partner.ts";
import { hashNetwork } from "#worker/usecases/access/limit-attempts.ts";
import { createSecurityEventRecorder } from "#worker/usecases/access/record-security-events.ts";
import {
  blockedIpAddressFailure,
  getClientIpAddress,
  isBlockedForInvalidSignatures,
  recordInvalidSignature,
} from "./client-address.ts";
import type { AppEnvironment } from "./environment.ts";
import { createMissingScopeFailure, failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { limitByPartnerKey } from "./rate-limit.ts";
import { logDefect } from "./request-logger.ts";

// Records a security event for wrong signatures, at most once a minute for each network. A flood then adds only one
// row.
function recordSignatureFlood(c: Context<AppEnvironment>): void {
  const { tenant, now } = c.var;
  const note = async () => {
    const network = await hashNetwork(tenant, getClientIpAddress(c));
    await createSecurityEventRecorder(tenant, { kind: "bad_signature", networkHash: network }, now)();
  };
  c.executionCtx.waitUntil(note().catch((error) => logDefect(c, error)));
}

// The caller doesn't learn that only its network was wrong, but the company does.
async function afterWrongProof(c: Context<AppEnvironment>, reason: "networkNotAllowed" | undefined): Promise<void> {
  c.set("event", "bad_signature");
  if (reason) c.set("reason", "other_network");
  if (await recordInvalidSignature(c, "signature")) recordSignatureFlood(c);
}

const NO_BODY = new ArrayBuffer(0);

/**
 * Accepts only requests signed by a partner key of the scope (docs/interfaces/conventions.md#signed-calls). With
 * `byKeyAlone`, also accepts keys that the account exempts from signing.
 */
export function requirePartnerSignature(
  scope: PartnerKeyScope,
  toErrorResponse: ToErrorResponse,
  { byKeyAlone = false } = {},
) {
  const withinQuota = limitByPartnerKey(toErrorResponse);
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (isBlockedForInvalidSignatures(c, "signature")) return toErrorResponse(c, blockedIpAddressFailure);
    const { url, method } = c.req;
    const body = method === "POST" ? await c.req.arrayBuffer() : NO_BODY;
    const header = (name: string) => c.req.header(name);
    const request = { method, url, body, header, address: getClientIpAddress(c), byKeyAlone };
    const partner = await authenticatePartner(c.get("tenant"), request, c.get("now"));
    if (!partner || partner === "networkNotAllowed") {
      await afterWrongProof(c, partner);
      return toErrorResponse(c, failures.badSignature);
    }
    if (!partner.scopes[scope]) return toErrorResponse(c, createMissingScopeFailure(scope));
    c.set("partner", partner);
    return withinQuota(c, next);
  });
}

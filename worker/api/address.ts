import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type LimitedAction, toNetwork } from "#domain/access/attempts.ts";
import type { AppEnvironment } from "./environment.ts";
import { tooManyAttempts } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

const LIMIT_SECONDS = 60;

/** The caller's address as the edge knows it; undefined where there is no edge, as on a developer's machine. */
export function clientAddress(c: Context<AppEnvironment>): string | undefined {
  return c.req.header("CF-Connecting-IP")?.slice(0, 64) || undefined;
}

type AddressAction = LimitedAction | "cart" | "payment";
/** What a visitor does many times on the way to one booking. */
type VisitorAction = "cart_change" | "checkout" | "contract" | "own_booking" | "promotion_code";

/** Refuses an address that asks too often, before anything else costs anything. */
export function limitedByAddress(action: AddressAction, toErrorResponse: ToErrorResponse) {
  return limited("address", (c, network) => c.get("tenant").isWithinAddressLimit(action, network), toErrorResponse);
}

/** The same, as often as somebody who fills a cart and a form does at most. */
export function limitedVisitor(action: VisitorAction, toErrorResponse: ToErrorResponse) {
  return limited("visitor", (c, network) => c.get("tenant").isWithinVisitorLimit(action, network), toErrorResponse);
}

// What the bindings of wrangler.toml allow in a minute; they do not tell what is left of it.
const QUOTAS = { address: 30, visitor: 120 } as const;

function limited(
  quotaName: keyof typeof QUOTAS,
  isWithinLimit: (c: Context<AppEnvironment>, network: string) => Promise<boolean>,
  toErrorResponse: ToErrorResponse,
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const address = clientAddress(c);
    if (!address) return next();
    const isWithin = await isWithinLimit(c, toNetwork(address));
    if (isWithin) await next();
    else c.res = toErrorResponse(c, tooManyAttempts(LIMIT_SECONDS));
    c.header("RateLimit-Policy", `"${quotaName}";q=${QUOTAS[quotaName]};w=${LIMIT_SECONDS}`);
    if (!isWithin) c.header("RateLimit", `"${quotaName}";r=0;t=${LIMIT_SECONDS}`);
    return undefined;
  });
}

/** What proves itself: a signature, a key alone, a gateway's notification. */
type Proof = "signature" | "notification";

const MAX_CACHED_NETWORKS = 2000;
/** Until when (epoch ms) an address is not listened to, by account, proof and network. */
const refusedUntil = new Map<string, number>();

/**
 * Whether the address has shown so many wrong proofs lately that it is not listened to for a minute; asks nobody. Known
 * to this isolate only, which is where its flood arrives.
 */
export function isRefused(c: Context<AppEnvironment>, proof: Proof): boolean {
  const key = proofKey(c, proof);
  return key !== undefined && (refusedUntil.get(key) ?? 0) > c.get("now");
}

/** Counts a wrong proof of an address; answers whether it is not listened to any more from now on. */
export async function countWrongProof(c: Context<AppEnvironment>, proof: Proof): Promise<boolean> {
  const key = proofKey(c, proof);
  const address = clientAddress(c);
  if (!key || !address || (await c.get("tenant").isWithinAddressLimit(proof, toNetwork(address)))) return false;
  if (refusedUntil.size >= MAX_CACHED_NETWORKS) refusedUntil.clear();
  refusedUntil.set(key, c.get("now") + LIMIT_SECONDS * 1000);
  return true;
}

function proofKey(c: Context<AppEnvironment>, proof: Proof): string | undefined {
  const address = clientAddress(c);
  return address && `${c.get("tenant").name}/${proof}/${toNetwork(address)}`;
}

/** What is answered to an address that is not listened to. */
export const tooManyWrong = tooManyAttempts(LIMIT_SECONDS);

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type RateLimitedAction, toIpNetwork } from "#domain/access/attempts.ts";
import type { AppEnvironment } from "./environment.ts";
import { createTooManyAttemptsFailure } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

const LIMIT_SECONDS = 60;

/** Returns the caller's address as reported by Cloudflare. Undefined without it, as in local development. */
export function getClientIpAddress(c: Context<AppEnvironment>): string | undefined {
  return c.req.header("CF-Connecting-IP")?.slice(0, 64) || undefined;
}

type AddressAction = RateLimitedAction | "cart" | "payment";
/** Actions that a visitor repeats often before booking. */
type VisitorAction = "cart_change" | "checkout" | "contract" | "own_booking" | "promotion_code";

/** Rejects an address with too many requests before doing any other work. */
export function limitByIpAddress(action: AddressAction, toErrorResponse: ToErrorResponse) {
  return limited("address", (c, network) => c.get("tenant").isWithinAddressLimit(action, network), toErrorResponse);
}

/** Limits a visitor to the frequency of filling a cart and a form. */
export function limitRequestsByVisitor(action: VisitorAction, toErrorResponse: ToErrorResponse) {
  return limited("visitor", (c, network) => c.get("tenant").isWithinVisitorLimit(action, network), toErrorResponse);
}

// Limits per minute in wrangler.toml. Bindings don't report the remaining quota.
const QUOTAS = { address: 30, visitor: 120 } as const;

function limited(
  quotaName: keyof typeof QUOTAS,
  isWithinLimit: (c: Context<AppEnvironment>, network: string) => Promise<boolean>,
  toErrorResponse: ToErrorResponse,
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const address = getClientIpAddress(c);
    if (!address) return next();
    const isWithin = await isWithinLimit(c, toIpNetwork(address));
    if (isWithin) await next();
    else c.res = toErrorResponse(c, createTooManyAttemptsFailure(LIMIT_SECONDS));
    c.header("RateLimit-Policy", `"${quotaName}";q=${QUOTAS[quotaName]};w=${LIMIT_SECONDS}`);
    if (!isWithin) c.header("RateLimit", `"${quotaName}";r=0;t=${LIMIT_SECONDS}`);
    return undefined;
  });
}

/** Kind of signed message: a partner's call, or a gateway's notification. */
type SignedMessageKind = "signature" | "notification";

const MAX_CACHED_NETWORKS = 2000;
/** Until when (epoch ms) an address is blocked, by account, kind of message and network. */
const refusedUntil = new Map<string, number>();

/**
 * Whether the address is blocked for a minute after too many invalid signatures. Makes no external call. The
 * block is stored only in this isolate, which receives the address's requests.
 */
export function isBlockedForInvalidSignatures(c: Context<AppEnvironment>, kind: SignedMessageKind): boolean {
  const key = getBlockKey(c, kind);
  return key !== undefined && (refusedUntil.get(key) ?? 0) > c.get("now");
}

/** Counts an invalid signature of an address. Returns whether it's blocked from now on. */
export async function recordInvalidSignature(c: Context<AppEnvironment>, kind: SignedMessageKind): Promise<boolean> {
  const key = getBlockKey(c, kind);
  const address = getClientIpAddress(c);
  if (!key || !address || (await c.get("tenant").isWithinAddressLimit(kind, toIpNetwork(address)))) return false;
  if (refusedUntil.size >= MAX_CACHED_NETWORKS) refusedUntil.clear();
  refusedUntil.set(key, c.get("now") + LIMIT_SECONDS * 1000);
  return true;
}

function getBlockKey(c: Context<AppEnvironment>, kind: SignedMessageKind): string | undefined {
  const address = getClientIpAddress(c);
  return address && `${c.get("tenant").name}/${kind}/${toIpNetwork(address)}`;
}

/** Response to a blocked address. */
export const blockedIpAddressFailure = createTooManyAttemptsFailure(LIMIT_SECONDS);

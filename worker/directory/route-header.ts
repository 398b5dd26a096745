import { createHmac } from "node:crypto";
import { isSameSecret } from "#worker/auth/same-secret.ts";

/**
 * Header of the router for a cell: account, slot and signature. A cell with the secret ROUTER_KEY serves no request
 * without it. The router replaces any that a client sends.
 */
export const ROUTE_HEADER = "Rental-Route";

/** Header of a cell's answer: the placement in the router's memory may be outdated. */
export const STALE_PLACEMENT_HEADER = "Rental-Moved";

/** Destination of a routed request. The base domain has no account and slot 0. */
export interface AccountRoute {
  readonly cell: string;
  readonly account: string;
  readonly slot: number;
}

/** Account in the route of a request to the base domain. No account can have this name. */
export const BASE_DOMAIN_ACCOUNT = "-";

const MAX_REMEMBERED = 5_000;
/** Headers by route, because a signature takes longer than the rest of the router's work. */
const signed = new Map<string, string>();
const verified = new Map<string, AccountRoute>();

/** Returns the header's value for a route. */
export function signRoute(key: string, { cell, account, slot }: AccountRoute): string {
  const text = `${cell} ${account} ${slot}`;
  const id = `${key} ${text}`;
  const known = signed.get(id);
  if (known) return known;
  const value = withSignature(key, text);
  remember(signed, id, value);
  return value;
}

/** Returns the route of a header that the router signed for this cell. Undefined for any other value. */
export function verifyRoute(key: string, cell: string, value: string | null | undefined): AccountRoute | undefined {
  if (!value) return undefined;
  const id = `${key} ${cell} ${value}`;
  const known = verified.get(id);
  if (known) return known;
  const [, target = "", account = "", digits = ""] =
    /^(\d\d) ([a-z0-9-]{1,31}) (\d{1,4}) [0-9a-f]{64}$/.exec(value) ?? [];
  const route = { cell: target, account, slot: Number(digits) };
  if (target !== cell || !isSameSecret(value, withSignature(key, `${target} ${account} ${digits}`))) return undefined;
  remember(verified, id, route);
  return route;
}

const withSignature = (key: string, text: string) =>
  `${text} ${createHmac("sha256", key).update(`route ${text}`).digest("hex")}`;

function remember<T>(map: Map<string, T>, id: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
  map.set(id, value);
}

import { ACCOUNT_NAME_PATTERN } from "./bindings.ts";
import { getHostname } from "./request-url.ts";

/** Account name in a host name. `base`: the deployment's own host. */
export type ParsedHost =
  | { readonly kind: "account"; readonly name: string }
  | { readonly kind: "base" }
  | { readonly kind: "unknown" };

/** Parses the host of a URL: the base domain, one label below it that can be an account's name, or another host. */
export function parseHost(url: string, baseDomain: string): ParsedHost {
  const host = getHostname(url).toLowerCase().replace(/\.$/, "");
  const base = baseDomain.toLowerCase();
  if (host === base) return { kind: "base" };
  if (!host.endsWith(`.${base}`)) return { kind: "unknown" };
  const name = host.slice(0, -base.length - 1);
  return ACCOUNT_NAME_PATTERN.test(name) ? { kind: "account", name } : { kind: "unknown" };
}

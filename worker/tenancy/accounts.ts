import { findBinding, listAccountNames } from "./bindings.ts";
import type { WaitUntil } from "./request-dedupe.ts";
import { getHostname } from "./request-url.ts";
import { openTenant, type Tenant } from "./tenant.ts";

export type Site =
  | { readonly kind: "account"; readonly tenant: Tenant }
  | { readonly kind: "base" }
  | { readonly kind: "unknown" };

/**
 * Resolves a host: the base domain, an account's subdomain, or nothing
 * (docs/interfaces/conventions.md#hosts-and-accounts).
 */
export function resolveSite(env: Cloudflare.Env, url: string, now: number, waitUntil?: WaitUntil): Site {
  const host = getHostname(url).toLowerCase().replace(/\.$/, "");
  const base = env.BASE_DOMAIN.toLowerCase();
  if (host === base) return { kind: "base" };
  if (!host.endsWith(`.${base}`)) return { kind: "unknown" };
  const name = host.slice(0, -base.length - 1);
  const binding = findBinding(env, name);
  return binding ? { kind: "account", tenant: openTenant(env, name, binding, now, waitUntil) } : { kind: "unknown" };
}

/** Opens the accounts of this deployment, or those selected by name. For work without a request. */
export function openAccounts(
  env: Cloudflare.Env,
  now: number,
  isIncluded: (name: string) => boolean = () => true,
): readonly Tenant[] {
  return listAccountNames(env)
    .filter(isIncluded)
    .flatMap((name) => {
      const binding = findBinding(env, name);
      return binding ? [openTenant(env, name, binding, now)] : [];
    });
}

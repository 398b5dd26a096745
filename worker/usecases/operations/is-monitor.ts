import { isSameSecret } from "#worker/auth/same-secret.ts";
import { getMonitorKey } from "#worker/tenancy/deployment.ts";

/**
 * Whether an `Authorization` header is the monitor's. Without a key, a deployment allows no monitor, and a developer's
 * machine allows any caller.
 */
export function isMonitorKey(env: Cloudflare.Env, authorization: string | undefined): boolean {
  const key = getMonitorKey(env);
  if (key === undefined) return DEVELOPMENT_BUILD;
  return isSameSecret(authorization?.replace(/^Bearer /, "") ?? "", key);
}

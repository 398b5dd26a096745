import { isSameSecret } from "#worker/auth/same-secret.ts";
import { monitorKey } from "#worker/tenancy/deployment.ts";

/**
 * Whether an `Authorization` is the monitor's. A deployment without a key has no monitor; a developer's machine needs
 * none.
 */
export function isAuthorizedMonitor(env: Cloudflare.Env, authorization: string | undefined): boolean {
  const key = monitorKey(env);
  if (key === undefined) return DEVELOPMENT_BUILD;
  return isSameSecret(authorization?.replace(/^Bearer /, "") ?? "", key);
}

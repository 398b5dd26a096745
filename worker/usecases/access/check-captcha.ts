import { tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import { findAccountSecret } from "#worker/store/access/account-secrets.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const WAIT_MILLISECONDS = 5000;

/** Calls Turnstile. Replaced in tests. */
export type CallTurnstile = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Whether the visitor at a website's checkout is human. True if the account doesn't check. Undefined if Turnstile
 * didn't answer. If enabled, it costs a round trip to Turnstile and one to the database.
 */
export async function isVisitorHuman(
  tenant: Tenant,
  { token, address }: { readonly token: string | undefined; readonly address: string | undefined },
  callTurnstile: CallTurnstile = (url, init) => fetch(url, init),
): Promise<boolean | undefined> {
  const { settings } = (await tenant.snapshot()).catalogue;
  if (settings.turnstileSiteKey === undefined) return true;
  if (!token) return false;
  const sealed = await findAccountSecret(tenant.db, "turnstile");
  const secret = sealed === undefined ? undefined : await tryDecryptSecret(tenant, sealed);
  if (secret === undefined) return undefined;
  try {
    const answer = await callTurnstile(SITEVERIFY, {
      method: "POST",
      body: new URLSearchParams({ secret, response: token, ...(address && { remoteip: address }) }),
      redirect: "manual",
      signal: AbortSignal.timeout(WAIT_MILLISECONDS),
    });
    return answer.ok ? isSuccess(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

function isSuccess(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "success" in answer && answer.success === true;
}

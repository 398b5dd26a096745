import { request } from "#support/worker.ts";
import { sign } from "#worker/auth/signature.ts";

/** Key that signs a call. Defaults to the company's ERP. */
export interface Signer {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly account?: string;
}

export const AGENCY: Signer = { apiKey: "agency", secret: "agency-secret" };

/** Sends a signed GET request to any API (docs/interfaces/conventions.md#signed-calls). */
export async function signedGet(
  path: string,
  { apiKey = "erp", secret = "erp-secret", account = "acme" }: Signer = {},
) {
  const signature = await sign(secret, path, undefined);
  return request(`http://${account}.localhost:8787${path}`, { headers: { Authorization: `${apiKey}:${signature}` } });
}

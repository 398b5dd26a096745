import { request } from "#support/worker.ts";
import { sign } from "#worker/auth/signature.ts";

/** Whose key signs: the company's ERP unless said otherwise. */
export interface Signer {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly account?: string;
}

export const AGENCY: Signer = { apiKey: "agency", secret: "agency-secret" };

/** A signed GET of any interface (docs/interfaces/conventions.md#signed-calls). */
export async function signedGet(
  path: string,
  { apiKey = "erp", secret = "erp-secret", account = "acme" }: Signer = {},
) {
  const signature = await sign(secret, path, undefined);
  return request(`http://${account}.localhost:8787${path}`, { headers: { Authorization: `${apiKey}:${signature}` } });
}

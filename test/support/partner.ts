import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

/** Key that signs a call. Defaults to the company's ERP. */
export interface PartnerCredentials {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly account?: string;
}

export const AGENCY: PartnerCredentials = { apiKey: "agency", secret: "agency-secret" };

/** Sends a signed GET request to any API (docs/interfaces/conventions.md#signed-calls). */
export async function sendSignedGetRequest(
  path: string,
  { apiKey = "erp", secret = "erp-secret", account = "acme" }: PartnerCredentials = {},
) {
  const signature = await signPathAndQuery(secret, path, undefined);
  return requestWorker(`http://${account}.localhost:8787${path}`, {
    headers: { Authorization: `${apiKey}:${signature}` },
  });
}

import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

export interface ErpOptions {
  readonly account?: string;
  readonly apiKey?: string;
  readonly secret?: string;
}

/** Response of a list. */
export interface ErpPage<T = Record<string, unknown>> {
  readonly data: T[];
  readonly total: number;
}

/** Calls an integration API like an accounting system, signed from /api on. */
export async function getAsErp(path: string, erp: ErpOptions = {}): Promise<Response> {
  const { account = "acme", apiKey = "erp", secret = "erp-secret" } = erp;
  const authorization = `${apiKey}:${await signPathAndQuery(secret, path)}`;
  return requestWorker(`http://${account}.localhost:8787${path}`, { headers: { Authorization: authorization } });
}

/** Sends a report with `body` unchanged. */
export async function reportAsErp(path: string, body?: string, erp: ErpOptions = {}): Promise<Response> {
  const { account = "acme", apiKey = "erp", secret = "erp-secret" } = erp;
  return requestWorker(`http://${account}.localhost:8787${path}`, {
    method: "POST",
    headers: {
      Authorization: `${apiKey}:${await signPathAndQuery(secret, path, body)}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
}

/** Reads a list of /api/v1/integration. Throws the error text if rejected. */
export async function listAsErp<T = Record<string, unknown>>(path: string, erp: ErpOptions = {}): Promise<ErpPage<T>> {
  const answer = await getAsErp(path.startsWith("/api/") ? path : `/api/v1/integration/${path}`, erp);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<ErpPage<T>>();
}

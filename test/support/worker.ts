import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expectDocumentedAnswer } from "#support/expect-documented-answer.ts";
import worker from "#worker/entry/office.ts";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";

/**
 * Sends a request to the Worker and validates the response against its OpenAPI document. Doesn't use
 * `exports.default.fetch`, because in this pool each call is slower than the previous one, 200 ms after a thousand.
 */
export async function requestWorker(
  url: string,
  init: RequestInit = {},
  bindings: Cloudflare.Env = env,
): Promise<Response> {
  const workerRequest = new Request(url, init);
  const response = await worker.fetch(workerRequest, bindings, createExecutionContext());
  // Only account responses belong to an API.
  if (resolveHostByBindings(env, workerRequest.url, Date.now()).kind === "account")
    await expectDocumentedAnswer(workerRequest.method, workerRequest.url, response);
  return response;
}

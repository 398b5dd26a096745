import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expectDescribed } from "#support/described.ts";
import worker from "#worker/index.ts";
import { resolveSite } from "#worker/tenancy/accounts.ts";

/**
 * Sends a request to the Worker, and holds its answer to its OpenAPI document. Not by `exports.default.fetch`: in this
 * pool each call of it is slower than the one before, 200 ms after a thousand.
 */
export async function request(url: string, init: RequestInit = {}, bindings: Cloudflare.Env = env): Promise<Response> {
  const workerRequest = new Request(url, init);
  const response = await worker.fetch(workerRequest, bindings, createExecutionContext());
  // What no account answers is no interface's.
  if (resolveSite(env, workerRequest.url, Date.now()).kind === "account")
    await expectDescribed(workerRequest.method, workerRequest.url, response);
  return response;
}

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "#worker/index.ts";

/**
 * Sends a request to the Worker. Not by `exports.default.fetch`: in this pool each call of it is slower than the one before, 200 ms
 * after a thousand.
 */
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  return worker.fetch(new Request(url, init), env, createExecutionContext());
}

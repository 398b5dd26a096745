import type { Context } from "hono";
import { isOtaXmlPath } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";
import { toErrorResponse } from "./errors.ts";
import type { Failure } from "./failure.ts";

/** Answers a failure outside of an interface in the format that clients of the path read. */
export async function answerFailureByPath(c: Context<AppEnvironment>, failure: Failure): Promise<Response> {
  if (!isOtaXmlPath(c.req.path)) return toErrorResponse(c, failure);
  // Only a few requests need this module, so isolates don't load it when they start.
  const { toOtaXmlErrorResponse } = await import("./ota-xml/responses.ts");
  return toOtaXmlErrorResponse(c, failure);
}

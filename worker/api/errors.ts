import type { Context } from "hono";
import type { AppEnvironment } from "./environment.ts";
import type { Failure } from "./failure.ts";

/** The envelope of every failure outside the agency interface (decisions, section 2). */
export function toErrorResponse(c: Context<AppEnvironment>, failure: Failure) {
  const { status, code, message, detail, headers } = failure;
  return c.json({ error: message, code, ...(detail && { detail }) }, status, headers ? { ...headers } : undefined);
}

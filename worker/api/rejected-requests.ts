import type { Context } from "hono";
import { countRejectedRequest, type RejectedRequest } from "#worker/usecases/access/count-rejected-request.ts";
import type { AppEnvironment } from "./environment.ts";
import { getRoutePath, logDefect } from "./request-logger.ts";

/**
 * Counts a rejected request of a partner or website after its response. Successful requests cost nothing, and server
 * errors aren't counted (docs/interfaces/office.md#rejected-requests).
 */
export function recordRejectedRequest(c: Context<AppEnvironment>): void {
  const failure = c.get("failure");
  if (failure === undefined || failure.status !== c.res.status || failure.status >= 500) return;
  const { tenant, now, requestId } = c.var;
  const caller = getRejectedCaller(c);
  if (!caller) return;
  const operation = c.get("operation") ?? `${c.req.method} ${getRoutePath(c) ?? "-"}`;
  const answered = { ...failure, code: c.get("reason") ?? failure.code };
  const noted = countRejectedRequest(tenant, { caller, operation, answered, requestId }, now);
  c.executionCtx.waitUntil(noted.catch((error) => logDefect(c, error)));
}

// Returns the caller that a request claims. The claim may be unproven: such requests are recorded as rejected.
function getRejectedCaller(c: Context<AppEnvironment>): RejectedRequest["caller"] | undefined {
  const website = c.get("website");
  if (website) return { kind: "website", ...website };
  const first = /^([A-Za-z0-9_.-]{3,64})(?::|$)/.exec(c.req.header("Authorization") ?? "");
  const second = /;\s*keyid="([A-Za-z0-9_.-]{3,64})"/.exec(c.req.header("Signature-Input") ?? "");
  const apiKey = (second ?? first)?.[1];
  return apiKey === undefined ? undefined : { kind: "partner", apiKey };
}

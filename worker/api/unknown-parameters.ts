import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { createProblem } from "#domain/problems.ts";
import { getQueryParameters } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";
import { createInvalidFieldsFailure, type Failure } from "./failure.ts";

/**
 * Handling of undeclared parameters. `reported`: the response lists them in `Ignored-Parameters`, so existing clients
 * keep working and no filter is ignored silently. `refused`: the response is 400 and names them.
 */
export type UnknownParameterPolicy = "reported" | "refused";

const MAX_LISTED_NAMES = 25;
const MAX_NAME_LENGTH = 100;
/** Same name as in the security scheme of the booking engines. */
export const ENGINE_KEY_PARAMETER = "api_key";

/**
 * Creates middleware that reports or rejects parameters that a route doesn't declare. Returns an empty list if the
 * route declares no query.
 */
export function checkUnknownParameters(
  { request, security }: RouteConfig,
  policy: UnknownParameterPolicy,
  toErrorResponse: (c: Context<AppEnvironment>, failure: Failure) => Response,
): MiddlewareHandler<AppEnvironment>[] {
  const declared = getParameterNames(request?.query);
  if (!declared) return [];
  const known = security?.some((securityRequirementObject) => "engineKey" in securityRequirementObject)
    ? new Set([...declared, ENGINE_KEY_PARAMETER])
    : declared;
  return [
    async (c, next) => {
      const names = getQueryParameters(c.req.url).map(({ name }) => name);
      const others = names.filter((name) => !known.has(name)).slice(0, MAX_LISTED_NAMES);
      if (others.length > 0 && policy === "refused")
        return toErrorResponse(
          c,
          createInvalidFieldsFailure(others.map((field) => createProblem(field, "unknown_field"))),
        );
      if (others.length > 0) setIgnoredParametersHeader(c, others);
      return next();
    },
  ];
}

/** Lists the ignored parameters of the request in the response. */
export function setIgnoredParametersHeader(c: Context<AppEnvironment>, names: readonly string[]): void {
  c.header("Ignored-Parameters", names.map(nameInHeader).join(", "), { append: true });
}

function getParameterNames(query: unknown): ReadonlySet<string> | undefined {
  return query instanceof z.ZodObject ? new Set(Object.keys(query.shape)) : undefined;
}

// Names can be any text, so the header value is percent-encoded.
function nameInHeader(name: string): string {
  return encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
}

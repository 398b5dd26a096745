import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { getQueryParameters } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";
import { type Failure, invalidInput } from "./failure.ts";

/**
 * What becomes of parameters that a route does not have. Told: the answer names them in `Ignored-Parameters`, so that
 * clients of the family go on and no filter is left out in silence. Refused: 400 names them.
 */
export type UnknownParameters = "told" | "refused";

const MAX_LISTED_NAMES = 25;
const MAX_NAME_LENGTH = 100;
/** As the security scheme of the booking engines names it. */
export const ENGINE_KEY = "api_key";

/** A middleware that tells or refuses parameters which a route does not declare; none where it declares no query. */
export function unknownParameters(
  { request, security }: RouteConfig,
  unknown: UnknownParameters,
  toErrorResponse: (c: Context<AppEnvironment>, failure: Failure) => Response,
): MiddlewareHandler<AppEnvironment>[] {
  const declared = getParameterNames(request?.query);
  if (!declared) return [];
  const known = security?.some((securityRequirementObject) => "engineKey" in securityRequirementObject)
    ? new Set([...declared, ENGINE_KEY])
    : declared;
  return [
    async (c, next) => {
      const names = getQueryParameters(c.req.url).map(({ name }) => name);
      const others = names.filter((name) => !known.has(name)).slice(0, MAX_LISTED_NAMES);
      if (others.length > 0 && unknown === "refused")
        return toErrorResponse(c, invalidInput(others.map((field) => ({ field, message: "is no parameter of this" }))));
      if (others.length > 0) setIgnoredParametersHeader(c, others);
      return next();
    },
  ];
}

/** Names in the answer what of the request's parameters changed nothing. */
export function setIgnoredParametersHeader(c: Context<AppEnvironment>, names: readonly string[]): void {
  c.header("Ignored-Parameters", names.map(nameInHeader).join(", "), { append: true });
}

function getParameterNames(query: unknown): ReadonlySet<string> | undefined {
  return query instanceof z.ZodObject ? new Set(Object.keys(query.shape)) : undefined;
}

// A name may be any text: in a header it is letters and their codes.
function nameInHeader(name: string): string {
  return encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
}

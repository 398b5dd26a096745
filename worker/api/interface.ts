import { type Hook, OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import { createMiddleware } from "hono/factory";
import { getQueryParameters } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";
import { createErrorHandler } from "./error-handler.ts";
import {
  checkParameterNames,
  createInvalidInputFailure,
  createMethodNotAllowedFailure,
  type Failure,
  failures,
} from "./failure.ts";
import { toFieldProblems } from "./input-problems.ts";
import { checkUnknownParameters, type UnknownParameterPolicy } from "./unknown-parameters.ts";

/**
 * Error response. Each route declares its statuses in its document and tests verify them, so the type allows any route
 * to return it.
 */
export type ErrorResponse = Response & TypedResponse<never, never, "json">;
export type ToErrorResponse = (c: Context<AppEnvironment>, failure: Failure) => ErrorResponse;

/** Returns a failure response in the envelope of the API. */
export function answerFailure(c: Context<AppEnvironment>, envelope: object, failure: Failure): ErrorResponse {
  const { status, headers } = failure;
  c.set("failure", failure);
  return c.json(envelope, status, headers ? { ...headers } : undefined) as ErrorResponse;
}

/** One API of the platform: its routes and its error envelope. */
export interface ApiRoutes {
  readonly routes: OpenAPIHono<AppEnvironment>;
  readonly toErrorResponse: ToErrorResponse;
}

/**
 * Creates an API that reports invalid input in its own envelope, naming each field. Pass `paths` if the API shares a
 * path prefix with others. `unknown` defines the handling of undeclared parameters.
 */
export function createApi(
  toErrorResponse: ToErrorResponse,
  paths: readonly string[] = ["*"],
  unknownParameterPolicy: UnknownParameterPolicy = "reported",
): ApiRoutes {
  const onInvalid: Hook<unknown, AppEnvironment, string, Response | undefined> = (result, c) => {
    if (result.success) return undefined;
    // The hook receives the sent data with the errors, but its type omits the data.
    const { data } = result as { readonly data?: unknown };
    return toErrorResponse(c, createInvalidInputFailure(toFieldProblems(result.error.issues, data)));
  };
  const routes = new OpenAPIHono<AppEnvironment>({ defaultHook: onInvalid });
  routes.onError(createErrorHandler(toErrorResponse));
  const register: (...registerArguments: readonly unknown[]) => typeof routes = routes.openapi as never;
  routes.openapi = ((route: RouteConfig, ...others: readonly unknown[]) => {
    const middleware = [
      [route.middleware ?? []].flat(),
      checkUnknownParameters(route, unknownParameterPolicy, toErrorResponse),
    ].flat();
    return register({ ...route, middleware }, ...others);
  }) as typeof routes.openapi;
  const refuseRepeated = createMiddleware<AppEnvironment>(async (c, next) => {
    const repeated = checkParameterNames(getQueryParameters(c.req.url).map(({ name }) => name));
    return repeated ? toErrorResponse(c, repeated) : next();
  });
  for (const path of paths) routes.use(path, refuseRepeated);
  return { routes, toErrorResponse };
}

/**
 * Responds to requests that no route handled: 405 if another method exists for the path, otherwise 404. Call it last.
 */
export function addFallbackRoutes({ routes, toErrorResponse }: ApiRoutes): void {
  const methodsByPath = routes.routes
    .filter((route) => route.method !== "ALL")
    .map((route) => ({ method: route.method, pattern: toPattern(route.path) }));
  routes.all("*", (c) => {
    const fitting = methodsByPath.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method);
    const allowed = [...new Set(fitting)].sort();
    return toErrorResponse(c, allowed.length > 0 ? createMethodNotAllowedFailure(allowed) : failures.unknownPath);
  });
}

/** Returns 405 for unsupported methods on the paths of an API that shares a path prefix with others. Call it last. */
export function rejectUnsupportedMethods({ routes, toErrorResponse }: ApiRoutes): void {
  const methodsByPath = Map.groupBy(
    routes.routes.filter((route) => route.method !== "ALL"),
    (route) => route.path,
  );
  for (const [path, known] of methodsByPath) {
    const allowed = [...new Set(known.map(({ method }) => method))].sort();
    routes.all(path, (c) => toErrorResponse(c, createMethodNotAllowedFailure(allowed)));
  }
}

// The pattern matches the end of a path because an API doesn't know its mount point.
function toPattern(path: string): RegExp {
  const parts = path.split(/(:\w+(?:\{[^{}]*\})?)/);
  const escaped = parts.map((part, index) =>
    index % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : (/\{(.*)\}$/.exec(part)?.[1] ?? "[^/]+"),
  );
  return new RegExp(`${escaped.join("")}$`);
}

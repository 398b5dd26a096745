import { type Hook, OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import { createMiddleware } from "hono/factory";
import { getQueryParameters } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";
import { type Failure, failures, invalidInput, methodNotAllowed, repeatedName } from "./failure.ts";
import { toFieldProblems } from "./input-problems.ts";
import { type UnknownParameters, unknownParameters } from "./unknown-parameters.ts";

/**
 * An answer that says no. Which statuses a route has is declared in its document and proved by the tests, so any route
 * may give it.
 */
export type ErrorResponse = Response & TypedResponse<never, never, "json">;
export type ToErrorResponse = (c: Context<AppEnvironment>, failure: Failure) => ErrorResponse;

/** Answers a failure in the envelope that an interface has for it. */
export function answerFailure(c: Context<AppEnvironment>, envelope: object, failure: Failure): ErrorResponse {
  const { status, headers } = failure;
  c.set("failure", failure);
  return c.json(envelope, status, headers ? { ...headers } : undefined) as ErrorResponse;
}

/** One interface of the platform: its routes, and its own envelope for all that goes wrong. */
export interface Interface {
  readonly routes: OpenAPIHono<AppEnvironment>;
  readonly toErrorResponse: ToErrorResponse;
}

/**
 * A room for routes in which invalid input is answered in the interface's own envelope, naming each field. `paths` are
 * given where the room shares the start of its addresses with others; `unknown`: what becomes of parameters that a
 * route does not have.
 */
export function createApi(
  toErrorResponse: ToErrorResponse,
  paths: readonly string[] = ["*"],
  unknown: UnknownParameters = "told",
): Interface {
  const onInvalid: Hook<unknown, AppEnvironment, string, Response | undefined> = (result, c) => {
    if (result.success) return undefined;
    // The hook is given what was sent with what is wrong with it; its type does not say so.
    const { data } = result as { readonly data?: unknown };
    return toErrorResponse(c, invalidInput(toFieldProblems(result.error.issues, data)));
  };
  const routes = new OpenAPIHono<AppEnvironment>({ defaultHook: onInvalid });
  const register: (...registerArguments: readonly unknown[]) => typeof routes = routes.openapi as never;
  routes.openapi = ((route: RouteConfig, ...others: readonly unknown[]) => {
    const middleware = [[route.middleware ?? []].flat(), unknownParameters(route, unknown, toErrorResponse)].flat();
    return register({ ...route, middleware }, ...others);
  }) as typeof routes.openapi;
  const refuseRepeated = createMiddleware<AppEnvironment>(async (c, next) => {
    const repeated = repeatedName(getQueryParameters(c.req.url).map(({ name }) => name));
    return repeated ? toErrorResponse(c, repeated) : next();
  });
  for (const path of paths) routes.use(path, refuseRepeated);
  return { routes, toErrorResponse };
}

/** Answers what no route of the interface took: 405 where another method would do, else 404. Call it last. */
export function addFallbackRoutes({ routes, toErrorResponse }: Interface): void {
  const methodsByPath = routes.routes
    .filter((route) => route.method !== "ALL")
    .map((route) => ({ method: route.method, pattern: toPattern(route.path) }));
  routes.all("*", (c) => {
    const fitting = methodsByPath.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method);
    const allowed = [...new Set(fitting)].sort();
    return toErrorResponse(c, allowed.length > 0 ? methodNotAllowed(allowed) : failures.unknownPath);
  });
}

/**
 * Answers 405 where a path of a room that shares its addresses with others is asked by another method. Call it last.
 */
export function closePaths({ routes, toErrorResponse }: Interface): void {
  const methodsByPath = Map.groupBy(
    routes.routes.filter((route) => route.method !== "ALL"),
    (route) => route.path,
  );
  for (const [path, known] of methodsByPath) {
    const allowed = [...new Set(known.map(({ method }) => method))].sort();
    routes.all(path, (c) => toErrorResponse(c, methodNotAllowed(allowed)));
  }
}

// Ends-with, because an interface does not know where it is mounted.
function toPattern(path: string): RegExp {
  const parts = path.split(/(:\w+(?:\{[^{}]*\})?)/);
  const escaped = parts.map((part, index) =>
    index % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : (/\{(.*)\}$/.exec(part)?.[1] ?? "[^/]+"),
  );
  return new RegExp(`${escaped.join("")}$`);
}

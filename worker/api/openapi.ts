import { z } from "zod";
import type { Failure } from "./failure.ts";
import type { ApiRoutes } from "./interface.ts";
import { type SecuritySchemeName, securitySchemes } from "./security-schemes.ts";

export interface InterfaceDescription {
  readonly title: string;
  /** Purpose and callers, in one or two sentences. */
  readonly description: string;
  /** Mount point of the API, the prefix of every path. */
  readonly basePath: string;
  /** Description of each tag by its name. */
  readonly tags: Readonly<Record<string, string>>;
  /** Authentication methods of the callers. */
  readonly schemes: readonly SecuritySchemeName[];
}

/** Returns a function that creates the OpenAPI document of an API from its routes. */
export function createOpenApiGenerator(
  { routes }: ApiRoutes,
  { title, description, ...of }: InterfaceDescription,
): () => object {
  for (const scheme of of.schemes) {
    routes.openAPIRegistry.registerComponent("securitySchemes", scheme, securitySchemes[scheme]);
  }
  return () =>
    routes.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title,
        version: "1",
        description,
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      servers: [
        { url: of.basePath, description: "Host of the company" },
        {
          url: `https://{account}.{domain}${of.basePath.replace(/\/$/, "")}`,
          description: "Host with account and domain",
          variables: {
            account: { default: "acme", description: "Name of the account" },
            domain: { default: "rentals.example", description: "Domain of the deployment" },
          },
        },
      ],
      tags: Object.entries(of.tags).map(([name, text]) => ({ name, description: text })),
    });
}

/** Serves the OpenAPI document next to the API's routes and returns the function that creates it. */
export function serveOpenApiDocument(api: ApiRoutes, description: InterfaceDescription, path = "/openapi.json") {
  const describe = createOpenApiGenerator(api, description);
  api.routes.get(path, (c) => c.json(describe()));
  return describe;
}

/** Declares a JSON body or response of a route. */
export function jsonContent<T extends z.ZodType>(schema: T, description: string, example?: z.input<T>) {
  return { description, content: { "application/json": { schema, ...(example !== undefined && { example }) } } };
}

/** Declares a required JSON body of a route. */
export function jsonRequest<T extends z.ZodType>(schema: T, description: string, example: unknown) {
  return { description, content: { "application/json": { schema, example } }, required: true as const };
}

/** Describes a JSON body that may be missing, because all its members are optional. */
export function optionalJsonRequest<T extends z.ZodType>(schema: T, description: string, example: unknown) {
  return { ...jsonRequest(schema, description, example), required: false as const };
}

type Status = Failure["status"];

const MEANINGS: Readonly<Record<Status, string>> = {
  400: "Invalid input. `detail` names the fields",
  401: "The signature or token is missing, invalid or expired",
  403: "The caller is not allowed to do this",
  404: "Not found, or not visible to the caller",
  405: "Method not allowed. `Allow` lists the allowed ones",
  408: "The body arrived too slowly. Send the request again",
  409: "Conflict with the current state. See `code`",
  413: "The body is too large",
  415: "The media type of the body is not supported",
  422: "The request is valid but can't be carried out. See `code`",
  429: "Too many requests. `Retry-After` contains the seconds to wait",
  500: "Internal error. The response contains the request id",
  503: "Temporarily unavailable. `Retry-After` contains the seconds to wait",
};

/** Declares failures of a route, all in the same envelope. */
export function describeFailures<T extends z.ZodType, S extends Status>(envelope: T, ...statuses: readonly S[]) {
  const answers = statuses.map((status) => [status, jsonContent(envelope, MEANINGS[status])]);
  return Object.fromEntries(answers) as Readonly<Record<S, ReturnType<typeof jsonContent<T>>>>;
}

/** Declares failures of an address that people open: as a page for browsers, in the same envelope for programs. */
export function describeFailuresAsPages<T extends z.ZodType, S extends Status>(envelope: T, ...statuses: readonly S[]) {
  const toResponse = (status: Status) => ({
    description: MEANINGS[status],
    content: { "application/json": { schema: envelope }, "text/html": { schema: z.string() } },
  });
  return Object.fromEntries(statuses.map((status) => [status, toResponse(status)])) as Readonly<
    Record<S, ReturnType<typeof toResponse>>
  >;
}

/**
 * Creates the failure declarations of an API's routes: those common to every route, those in `common` of the API, and
 * those named by a route. Every route declares 400 because duplicate parameters are always rejected.
 */
export function createFailureResponses<T extends z.ZodType, Common extends Status>(
  envelope: T,
  ...common: readonly Common[]
) {
  return {
    /** Returns the failures of routes without a body. */
    reading: <Own extends Status = never>(...own: readonly Own[]) =>
      describeFailures<T, 400 | 500 | 503 | Common | Own>(envelope, 400, 500, 503, ...common, ...own),
    /** Returns the failures of routes with a body. */
    writing: <Own extends Status = never>(...own: readonly Own[]) =>
      describeFailures<T, 400 | 408 | 413 | 415 | 500 | 503 | Common | Own>(
        envelope,
        ...([400, 408, 413, 415, 500, 503] as const),
        ...common,
        ...own,
      ),
  };
}

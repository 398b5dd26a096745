import type { z } from "zod";
import type { Failure } from "./failure.ts";
import type { Interface } from "./interface.ts";
import { type SecurityScheme, securitySchemes } from "./security-schemes.ts";

export interface InterfaceDescription {
  readonly title: string;
  /** Purpose and callers, in one or two sentences. */
  readonly description: string;
  /** Mount point of the API, the prefix of every path. */
  readonly basePath: string;
  /** Description of each tag by its name. */
  readonly tags: Readonly<Record<string, string>>;
  /** Authentication methods of the callers. */
  readonly schemes: readonly SecurityScheme[];
}

/** Returns a function that creates the OpenAPI document of an API from its routes. */
export function createOpenApiDocument(
  { routes }: Interface,
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
        { url: of.basePath, description: "On the host of the account" },
        {
          url: `https://{account}.{domain}${of.basePath.replace(/\/$/, "")}`,
          description: "With the host written out",
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
export function describeInterface(room: Interface, description: InterfaceDescription, path = "/openapi.json") {
  const describe = createOpenApiDocument(room, description);
  room.routes.get(path, (c) => c.json(describe()));
  return describe;
}

/** Declares a JSON body or response of a route. */
export function json<T extends z.ZodType>(schema: T, description: string, example?: z.input<T>) {
  return { description, content: { "application/json": { schema, ...(example !== undefined && { example }) } } };
}

/** Declares a required JSON body of a route. */
export function jsonRequest<T extends z.ZodType>(schema: T, description: string, example: unknown) {
  return { description, content: { "application/json": { schema, example } }, required: true as const };
}

type Status = Failure["status"];

const MEANINGS: Readonly<Record<Status, string>> = {
  400: "Something is wrong with what was sent: the answer names it",
  401: "The signature or the token is missing, wrong or too old",
  403: "The caller is known, or need not be, and may not do this",
  404: "There is nothing of this name, or nothing that the caller may see",
  405: "The address answers other methods only: Allow names them",
  408: "The body did not come to its end in time: it may be sent again",
  409: "Not as things stand now; code says why",
  413: "The body is too large",
  415: "The body is of a type that is not read here",
  422: "The request can be read, and cannot be done",
  429: "Too many requests: Retry-After says when to try again",
  500: "A defect on our side: the answer names the request",
  503: "Busy for the moment: Retry-After says when to try again",
};

/** Declares failures of a route, all in the same envelope. */
export function failsWith<T extends z.ZodType, S extends Status>(envelope: T, ...statuses: readonly S[]) {
  const answers = statuses.map((status) => [status, json(envelope, MEANINGS[status])]);
  return Object.fromEntries(answers) as Readonly<Record<S, ReturnType<typeof json<T>>>>;
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
    /** For routes without a body. */
    reading: <Own extends Status = never>(...own: readonly Own[]) =>
      failsWith<T, 400 | 500 | 503 | Common | Own>(envelope, 400, 500, 503, ...common, ...own),
    /** For routes with a body. */
    writing: <Own extends Status = never>(...own: readonly Own[]) =>
      failsWith<T, 400 | 408 | 413 | 415 | 500 | 503 | Common | Own>(
        envelope,
        ...([400, 408, 413, 415, 500, 503] as const),
        ...common,
        ...own,
      ),
  };
}

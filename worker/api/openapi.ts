import type { z } from "zod";
import type { Interface } from "./interface.ts";

export interface InterfaceDescription {
  readonly title: string;
  /** Where the interface is mounted, the start of every path. */
  readonly basePath: string;
  readonly signed: boolean;
}

const SIGNATURE = `\`<API_KEY>:<signature>\`: the signature is the hexadecimal HMAC-SHA1, keyed with the secret, of the path with its query
string exactly as sent, from /api on; for a POST, of the path immediately followed by the raw body. Percent-encode before signing.`;

/** Serves the interface's OpenAPI document, made from its routes, beside them; answers what makes it. */
export function describeInterface({ routes }: Interface, description: InterfaceDescription, path = "/openapi.json") {
  if (description.signed) {
    routes.openAPIRegistry.registerComponent("securitySchemes", "signature", {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: SIGNATURE,
    });
  }
  const describe = () =>
    routes.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: description.title,
        version: "1",
        description: "Generated from the routes; the documents of the interface are the contract.",
      },
      servers: [{ url: description.basePath }],
    });
  routes.get(path, (c) => c.json(describe()));
  return describe;
}

/** A JSON body or answer as a route declares it. */
export function json<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { "application/json": { schema } } };
}

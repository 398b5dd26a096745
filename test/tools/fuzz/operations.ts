import type { Schema, Schemas } from "./schemas.ts";

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An operation of an OpenAPI document with all data that a caller needs. */
export interface Operation {
  readonly family: string;
  readonly name: string;
  readonly method: string;
  /** Path from the root, with parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly contentType: string; readonly schema: Schema; readonly example?: unknown };
  readonly credential: "signature" | "token" | "none";
  /** Response schemas by status and content type. */
  readonly answers: ReadonlyMap<string, Readonly<Record<string, Schema>>>;
  readonly schemas: Schemas;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Schemas };
}

/** Lists all operations of a document. */
export function listOperations(family: string, document: object): readonly Operation[] {
  const { servers, paths, components } = document as Document;
  const base = (servers?.[0]?.url ?? "").replace(/\/$/, "");
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const [content] = Object.entries(described.requestBody?.content ?? {});
      return {
        family,
        name: described.operationId ?? "",
        method: method.toUpperCase(),
        path: path === "/" ? base : base + path,
        parameters: described.parameters ?? [],
        ...(content && { body: { contentType: content[0], ...content[1] } }),
        credential: getCredentialKind(described),
        answers: new Map(
          Object.entries(described.responses).map(([status, { content: answered = {} }]) => [
            status,
            Object.fromEntries(Object.entries(answered).map(([type, { schema }]) => [type, schema])),
          ]),
        ),
        schemas: components?.schemas ?? {},
      };
    }),
  );
}

function getCredentialKind({ security }: Described): Operation["credential"] {
  const [scheme] = Object.keys(security?.[0] ?? {});
  return scheme === "signature" || scheme === "token" ? scheme : "none";
}

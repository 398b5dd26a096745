/** A JSON schema as far as the documents use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation of an OpenAPI document, with all that a caller must know of it. */
export interface Operation {
  readonly family: string;
  readonly method: string;
  /** From the root, with its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly contentType: string; readonly schema: Schema };
  readonly credential: "signature" | "token" | "none";
  /** Statuses that answer JSON. */
  readonly json: ReadonlySet<string>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Every operation of a document. */
export function operationsOf(family: string, document: object): readonly Operation[] {
  const { servers, paths, components } = document as Document;
  const base = (servers?.[0]?.url ?? "").replace(/\/$/, "");
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const [content] = Object.entries(described.requestBody?.content ?? {});
      return {
        family,
        method: method.toUpperCase(),
        path: path === "/" ? base : base + path,
        parameters: described.parameters ?? [],
        ...(content && { body: { contentType: content[0], schema: content[1].schema } }),
        credential: credentialOf(described),
        json: new Set(
          Object.entries(described.responses).flatMap(([status, { content: answered }]) =>
            answered && "application/json" in answered && Object.keys(answered).length === 1 ? [status] : [],
          ),
        ),
        schemas: components?.schemas ?? {},
      };
    }),
  );
}

function credentialOf({ security }: Described): Operation["credential"] {
  const [scheme] = Object.keys(security?.[0] ?? {});
  return scheme === "signature" || scheme === "token" ? scheme : "none";
}

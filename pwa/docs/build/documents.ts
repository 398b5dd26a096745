import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ExampleCall } from "../src/call.ts";
import { type DescribedInterface, INTERFACES } from "./interfaces.ts";
import { addPrerequisiteCalls } from "./prerequisite-calls.ts";

const FOLDER = resolve(import.meta.dirname, "../../../docs/openapi");

/** The parts of a JSON schema shown on the pages. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Content {
  readonly [type: string]: { readonly schema?: Schema; readonly example?: unknown };
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly description?: string; readonly content: Content };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Described }>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** An operation with all data of its page. */
export interface Operation extends Described {
  readonly call: ExampleCall;
}

/** An API tag, shown as a page of operations. */
export interface ReferenceChapter {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface ApiReference extends DescribedInterface {
  readonly description: string;
  readonly chapters: readonly ReferenceChapter[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Webhook events by name, with a description. */
  readonly events: readonly (readonly [name: string, about: string])[];
  /** OpenAPI document as served, in JSON. */
  readonly text: string;
}

/** Reads the APIs from their OpenAPI documents. */
export function readReferences(): readonly ApiReference[] {
  const references = INTERFACES.map(readReference);
  const chapterOperations = references.flatMap(({ chapters }) => chapters.flatMap((chapter) => chapter.operations));
  const calls = new Map(chapterOperations.map(({ call }) => [call.operation, call]));
  const complete = (operation: Operation) => ({ ...operation, call: addPrerequisiteCalls(operation.call, calls) });
  return references.map((reference) => ({
    ...reference,
    chapters: reference.chapters.map((chapter) => ({ ...chapter, operations: chapter.operations.map(complete) })),
  }));
}

// Converts a name to a URL segment.
const toSlug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

function readReference(described: DescribedInterface): ApiReference {
  const document = JSON.parse(readFileSync(resolve(FOLDER, `${described.document}.json`), "utf8")) as Document;
  const chapterOperations = listOperations(document, described);
  const chapters = document.tags.map(({ name, description = "" }) => ({
    name,
    slug: toSlug(name),
    description,
    operations: chapterOperations.filter(({ tags }) => tags[0] === name),
  }));
  return {
    ...described,
    description: document.info.description,
    chapters: chapters.filter(({ operations: chapterOperations }) => chapterOperations.length > 0),
    schemas: document.components?.schemas ?? {},
    events: Object.entries(document.webhooks ?? {}).map(([name, { post }]) => [name, post.summary]),
    text: JSON.stringify(document),
  };
}

function listOperations({ servers, paths }: Document, described: DescribedInterface): readonly Operation[] {
  const base = (servers[0]?.url ?? "").replace(/\/$/, "");
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      call: toCall(operation, method.toUpperCase(), path === "/" ? base : base + path, described),
    })),
  );
}

/** Returns the call of an operation for its snippets. */
function toCall(operation: Described, method: string, path: string, { document }: DescribedInterface): ExampleCall {
  const [scheme] = Object.keys(operation.security?.[0] ?? {});
  const credential = scheme === "signature" || scheme === "token" ? scheme : "none";
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const file = getFileName(operation);
  return {
    operation: operation.operationId,
    method,
    path,
    parameters: (operation.parameters ?? []).map(({ name, in: where, required, schema, example = schema.example }) => ({
      name,
      in: where,
      isRequired: required === true,
      ...(example !== undefined && { example }),
    })),
    ...(content && {
      body: { type: content[0], ...(content[1].example !== undefined && { example: content[1].example }) },
    }),
    credential,
    as: getCallerKind(credential, path, document),
    ...(file !== undefined && { file }),
  };
}

function getCallerKind(credential: ExampleCall["credential"], path: string, document: string): ExampleCall["as"] {
  if (credential === "none") return "nobody";
  if (credential === "token") return path.includes("/web-customer/") ? "customer" : "staff";
  return document === "ota" || document === "analytics" ? document : "integration";
}

const FILES: Readonly<Record<string, string>> = {
  "application/pdf": "paper.pdf",
  "image/*": "photo",
  "text/csv": "list.csv",
  "application/zip": "files.zip",
};

function getFileName({ responses }: Described): string | undefined {
  const [type] = Object.keys(responses["200"]?.content ?? {});
  return type === undefined ? undefined : FILES[type];
}

import { describe, expect, test } from "vitest";
import { formatOpenApiDocument } from "#scripts/openapi.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";

// Rules that client generators rely on, and that linters such as Spectral check.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Node = Readonly<Record<string, Json>>;

const isNode = (value: Json | undefined): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listTypes(value: Json): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}

/** Values that a schema declares next to its type. */
const listDeclaredValues = (schema: Node) => [
  ...["default", "example", "const"].flatMap((name) => (name in schema ? [[name, schema[name] ?? null] as const] : [])),
  ...["enum", "examples"].flatMap((name) => {
    const values = schema[name];
    return Array.isArray(values) ? values.map((value) => [name, value as Json] as const) : [];
  }),
];

/** Lists defaults, examples and choices of another type than their schema. */
function listWrongValues(node: Json, path = ""): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => listWrongValues(item as Json, `${path}/${index}`));
  if (!isNode(node)) return [];
  const { type } = node;
  const allowed = typeof type === "string" ? [type] : Array.isArray(type) ? type.map(String) : undefined;
  const invalidValues = allowed
    ? listDeclaredValues(node).filter(([, value]) => !listTypes(value).some((name) => allowed.includes(name)))
    : [];
  const inside = Object.entries(node).filter(([name]) => !["default", "example", "examples"].includes(name));
  return [
    ...invalidValues.map(([name, value]) => `${path}: ${name} ${JSON.stringify(value)} isn't ${allowed?.join(" or ")}`),
    ...inside.flatMap(([name, value]) => listWrongValues(value, `${path}/${name}`)),
  ];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Node }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> };
}

interface Document {
  readonly servers: readonly {
    readonly url: string;
    readonly description?: string;
    readonly variables?: Readonly<Record<string, { readonly default: string }>>;
  }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const readDocument = (describeIt: () => object): Document => JSON.parse(formatOpenApiDocument(describeIt()));

const listParameters = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) => parameters.map((parameter) => ({ path, ...parameter }))),
  );

test("detects defaults, examples and enum values of the wrong type in an OpenAPI document", () => {
  const schemas = [
    { type: "string", default: 50 },
    { type: ["integer", "null"], example: "1" },
    { type: "boolean", enum: ["true"] },
    { type: "number", default: 5, properties: { default: { type: "string", default: "5" } } },
  ];
  expect(listWrongValues(schemas)).toEqual([
    "/0: default 50 isn't string",
    '/1: example "1" isn\'t integer or null',
    '/2: enum "true" isn\'t boolean',
  ]);
});

describe.each(Object.entries(openApiDocuments))("%s", (_, describeIt) => {
  const document = readDocument(describeIt);

  test("declares defaults, examples and enum values with the type of their schema", () => {
    expect(listWrongValues(document as unknown as Json)).toEqual([]);
  });

  test("lists its servers in each OpenAPI document, with a default for each variable", () => {
    expect(document.servers.length).toBeGreaterThan(1);
    for (const { url, description, variables = {} } of document.servers) {
      expect(description).toEqual(expect.any(String));
      const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(variables)).toEqual(names);
      for (const { default: value } of Object.values(variables)) expect(value).not.toBe("");
    }
  });

  test("declares each parameter of a path in an OpenAPI document, and no other", () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const { parameters = [] } of Object.values(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
        expect(declared.toSorted(), path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted());
      }
  });

  test("declares ids of places as numbers", () => {
    const places = listParameters(document).filter(({ name }) => /^(?:pickup|return)-place(?:-id)?$/.test(name));
    expect(places.filter(({ schema }) => schema["type"] !== "integer")).toEqual([]);
  });
});

// Proves "integration.md: operations": The OpenAPI document allows an empty report
test("declares that an accounting report may be an empty object", () => {
  const { paths } = readDocument(openApiDocuments["integration"] ?? (() => ({})));
  for (const path of ["invoice", "internal-bond"]) {
    const body = paths[`/v1/integration/${path}/{id}/processed`]?.["post"]?.requestBody;
    const [first] = (body?.content["application/json"]?.schema["oneOf"] ?? []) as readonly Node[];
    expect(first).toMatchObject({ type: "object", properties: { status: { enum: ["processed"] } } });
    expect(first).not.toHaveProperty("required");
  }
});

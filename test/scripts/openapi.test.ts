import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatOpenApiDocument } from "#scripts/openapi.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { listOperations } from "#tools/fuzz/operations.ts";
import { resolveSchema, type Schema, type Schemas } from "#tools/fuzz/schemas.ts";

test.each(Object.entries(openApiDocuments))(
  "matches docs/openapi/%s.json to the routes (npm run generate)",
  (name, describe) => {
    expect(readFileSync(`docs/openapi/${name}.json`, "utf8")).toBe(formatOpenApiDocument(describe()));
  },
);

test("documents the six operations of the agency interface with the specified parameters and a promotion code", () => {
  const text = formatOpenApiDocument(openApiDocuments["ota"]?.() ?? {});
  const { paths } = JSON.parse(text);
  expect(Object.keys(paths).sort()).toEqual([
    "/availability",
    "/booking",
    "/cancel-booking",
    "/change-booking",
    "/location-list",
  ]);
  expect(Object.keys(paths["/booking"]).sort()).toEqual(["get", "post"]);
  expect(paths["/availability"].get.parameters.map((parameter: { name: string }) => parameter.name)).toEqual([
    "date-from",
    "time-from",
    "pickup-place",
    "date-to",
    "time-to",
    "return-place",
    "customer-language",
    "sales-chanel-code",
    "driver-age",
    "promotion-code",
  ]);
});

interface Described {
  readonly description?: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}

describe.each(Object.entries(openApiDocuments))("%s", (name, describeIt) => {
  const document = JSON.parse(formatOpenApiDocument(describeIt()));
  const described = Object.values<Record<string, Described>>(document.paths).flatMap((methods) =>
    Object.values(methods),
  );
  const operations = listOperations(name, document);

  test("documents each operation once, with its purpose and its allowed callers", () => {
    const tags = new Set(document.tags.map((tag: { name: string }) => tag.name));
    for (const operation of described) {
      expect(operation).toMatchObject({ operationId: expect.stringMatching(/^[a-z]+([A-Z][a-z]*)+$/) });
      expect(operation).toMatchObject({ summary: expect.any(String), security: expect.any(Array) });
      expect(operation.tags?.filter((tag) => tags.has(tag))).toHaveLength(1);
    }
    const ids = described.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has an example of every request body and required parameter in OpenAPI", () => {
    const without = operations.flatMap(({ method, path, parameters, body }) => [
      ...parameters
        .filter(({ required, schema, example }) => required && (example ?? schema.example) === undefined)
        .map(({ name }) => `${method} ${path}: ${name}`),
      // Image bytes have no example.
      ...(body && body.example === undefined && !body.contentType.startsWith("image/") ? [`${method} ${path}`] : []),
    ]);
    expect(without).toEqual([]);
  });

  test("describes every field of every response in OpenAPI", () => {
    const open = operations.flatMap(({ method, path, answers, schemas }) =>
      [...answers].flatMap(([status, contents]) =>
        Object.values(contents).flatMap((schema) => openPlaces(schema, schemas, `${method} ${path} ${status}`)),
      ),
    );
    expect(open.filter((place) => !/\.operation\.\*$/.test(place))).toEqual([]);
  });
});

test("requires an idempotency key for every office write, and none for requests that only read", () => {
  // Operations that store nothing, and lists that are replaced each time.
  const ASKS = [
    ...["quoteReservation", "quoteTransfer", "quoteReservationAction"],
    ...[
      "previewMessageText",
      "previewPrices",
      "checkSettings",
      "testGateway",
      "checkImport",
      "previewCollectiveInvoice",
      "previewCardHoldCapture",
      "previewDocumentPayment",
      "previewReservationDocuments",
      "previewReturnRecord",
    ],
  ];
  const operations = listOperations("office", openApiDocuments["office"]?.() ?? {});
  const keyless = operations.filter(
    ({ method, parameters }) =>
      method !== "GET" && !parameters.some((parameter) => parameter.name === "idempotency-key"),
  );
  expect(operations.length).toBeGreaterThan(200);
  expect(keyless.map((operation) => operation.name).toSorted()).toEqual(
    [...ASKS, "refreshMinistryReportLists"].toSorted(),
  );
});

test("marks the request body of an office POST as required only if it has a required member", () => {
  const document = JSON.parse(formatOpenApiDocument(openApiDocuments["office"]?.() ?? {}));
  const withoutMembers = Object.entries<{ readonly post?: PostWithBody }>(document.paths).flatMap(
    ([path, { post }]) => {
      const schema = resolveSchema(
        post?.requestBody?.content["application/json"]?.schema ?? {},
        document.components.schemas,
      );
      const isEmptyAllowed = schema.type === "object" && schema.required === undefined;
      return post?.requestBody?.required && isEmptyAllowed ? [path] : [];
    },
  );
  // The first two require one of several members. All fields of a new selling rule are optional.
  const exceptions = ["/reservations/{id}/messages", "/webhooks/{id}/replay", "/selling-rules"];
  expect(withoutMembers.toSorted()).toEqual(exceptions.toSorted());
});

interface PostWithBody {
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** Lists positions without a schema. Only data sent by the app is returned unchanged and may have any form. */
function openPlaces(
  schema: Schema,
  schemas: Schemas,
  at: string,
  visitedNames: readonly string[] = [],
): readonly string[] {
  if (!schema.$ref) {
    const inside = listSchemaParts(schema).flatMap(([place, part]) =>
      openPlaces(part, schemas, at + place, visitedNames),
    );
    return isOpen(schema) ? [at, ...inside] : inside;
  }
  const name = schema.$ref.split("/").at(-1) ?? "";
  return visitedNames.includes(name) ? [] : openPlaces(schemas[name] ?? {}, schemas, at, [...visitedNames, name]);
}

function isOpen({ type, properties, additionalProperties, description: _, ...rest }: Described & Schema): boolean {
  if (type === undefined) return Object.keys(rest).length === 0;
  return type === "object" && (additionalProperties === true || (!properties && !additionalProperties));
}

function listSchemaParts({ type, properties = {}, additionalProperties, items, ...choices }: Schema) {
  const { anyOf = [], oneOf = [], allOf = [] } = choices;
  const parts: (readonly [place: string, part: Schema])[] = [...anyOf, ...oneOf, ...allOf].map((schema) => [
    "",
    schema,
  ]);
  for (const [name, schema] of Object.entries(properties)) parts.push([`.${name}`, schema]);
  if (typeof additionalProperties === "object") parts.push([".*", additionalProperties]);
  if (type === "array") parts.push(["[]", items ?? {}]);
  return parts;
}

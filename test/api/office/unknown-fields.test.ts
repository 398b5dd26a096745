import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Bodies that may contain additional members. */
const OPEN = [
  // Contains the members of the quoted action.
  "post /reservations/{id}/quote",
  // These bodies may be the unchanged response of a read.
  "put /prices/table",
  "post /prices/preview",
  // Validated by its declaration, which rejects unknown fields.
  "patch /settings",
];

// Lists positions of a body that accept unknown members.
function openPlaces(schema: Schema, document: Document, at = ""): readonly string[] {
  if (schema.$ref)
    return openPlaces(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, document, at);
  const within = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, schema]) =>
      openPlaces(schema, document, `${at}.${name}`),
    ),
    ...(schema.items ? openPlaces(schema.items, document, `${at}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((schema) => openPlaces(schema, document, at)),
  ];
  return schema.properties && schema.additionalProperties !== false ? [at, ...within] : within;
}

function openBodies(name: string): readonly string[] {
  const document = openApiDocuments[name]?.() as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = (requestBody as { content?: Record<string, { schema: Schema }> })?.content?.["application/json"]
        ?.schema;
      const places = schema ? openPlaces(schema, document) : [];
      return places.map((place) => `${method} ${path} ${place}`.trim());
    }),
  );
}

describe("unknown fields", () => {
  let token = "";
  beforeEach(async () => {
    await setUpCompany();
    await addTestUsers();
    token = await createToken("boss");
  });

  test("rejects unknown fields by name, and applies no part of the request", async () => {
    const misspelt = {
      reference: "A-9",
      name: "A 9",
      category_code: "A",
      rental_location_code: "AIR",
      stock_plat: "1",
    };
    const answer = await callOffice("POST", "/vehicles", { token, body: misspelt });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "invalid_input", detail: [{ field: "stock_plat", message: "is not a known field" }] },
    ]);
    const sale = {
      date_from: "x",
      customer: { name: "Ana", surname: "Ruiz", e_mail: "ana@example.com" },
      price_overide: { total_cost: "1.00", reason: "a friend" },
    };
    const response = await callOffice("POST", "/reservations", { token, body: sale });
    const { detail } = await response.json<{ detail: { field: string }[] }>();
    expect(response.status).toBe(400);
    expect(detail.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["date_from", "category_code", "customer.e_mail", "price_overide"]),
    );
    expect((await callOffice("GET", "/vehicles/A-9", { token })).status).toBe(404);
    expect(await (await callOffice("GET", "/reservations", { token })).json()).toMatchObject({ total: 0 });
  });

  test("issues no full invoice if the amount field of an advance is misspelled", async () => {
    const body = { request_id: crypto.randomUUID(), advanse: "50.00" };
    const answer = await callApi("POST", "/booking/1/documents", { token, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field: "advanse" }] }]);
  });

  // Proves "office.md": `detail` names at most 25 fields
  test("returns unknown fields with all other errors, 25 fields at most", async () => {
    const listFields = async (unknownCount: number) => {
      const names = Array.from({ length: unknownCount }, (_, index) => [`unknown_${index}`, 1]);
      const answer = await callOffice("POST", "/vehicles", { token, body: Object.fromEntries(names) });
      return (await answer.json<{ detail: readonly { field: string }[] }>()).detail.map(({ field }) => field);
    };
    expect(await listFields(2)).toEqual(expect.arrayContaining(["unknown_0", "unknown_1", "reference", "name"]));
    expect(await listFields(30)).toHaveLength(25);
  });

  // Proves "office.md": Unknown members are refused by name by the office and documents
  test("rejects unknown fields in every request body of the office and of documents", () => {
    const open = [...openBodies("office"), ...openBodies("documents")];
    expect(open.filter((text) => !OPEN.some((known) => text.startsWith(known)))).toEqual([]);
  });
});

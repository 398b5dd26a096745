import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import acme from "#scripts/demo/acme.json" with { type: "json" };
import globex from "#scripts/demo/globex.json" with { type: "json" };
import { createResourceBody, listResources } from "#tools/chaos/writers/catalogue.ts";
import { listWriteOperations, OPERATIONS_WITHOUT_WRITER } from "#tools/chaos/writers/operations.ts";
import { readOperations } from "#tools/fuzz/read-operations.ts";

// Every write operation has a writer in `npm run chaos`, or a reason for having none.

const operations = await readOperations();
const writing = listWriteOperations(operations).map(({ name }) => name);
const folder = join(import.meta.dirname, "../tools/chaos/writers");
const code = readdirSync(folder)
  .filter((name) => name !== "operations.ts")
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");
const catalogueOperations = [...listResources(operations).values()].flatMap(({ create, change, remove }) =>
  [create, change, remove].flatMap((operation) => operation?.name ?? []),
);
// Writers name operations by their ids. The catalogue's writer derives those of resources from the documents.
const hasWriter = (name: string) => code.includes(`"${name}"`) || catalogueOperations.includes(name);
const listUncovered = (names: readonly string[]) =>
  names.filter((name) => !hasWriter(name) && !Object.hasOwn(OPERATIONS_WITHOUT_WRITER, name));

test("tests every write operation in the load test, or documents why not", () => {
  expect(writing.length).toBeGreaterThan(200);
  expect(new Set(writing).size).toBe(writing.length);
  expect(listUncovered(writing)).toEqual([]);
});

test("reports a write operation that no load-test writer calls", () => {
  expect(listUncovered([...writing, "forgetReservation"])).toEqual(["forgetReservation"]);
});

test("derives the writers of resources from the documents, except of those with their own", () => {
  expect(catalogueOperations).toEqual(expect.arrayContaining(["createSeason", "changeUser", "takeBackExpense"]));
  expect(catalogueOperations).not.toContain("createReservation");
});

test("excludes only documented operations without a writer, each for a reason", () => {
  const excluded = Object.keys(OPERATIONS_WITHOUT_WRITER);
  expect(excluded.filter((name) => !writing.includes(name) || hasWriter(name))).toEqual([]);
  expect(Object.values(OPERATIONS_WITHOUT_WRITER).filter((reason) => reason.length < 20)).toEqual([]);
});

test("creates a gateway of a method that no demo account has", () => {
  const { create } = listResources(operations).get("gateways") ?? {};
  const place = { unique: "1", count: 0, category_code: "A", branch: "PMI", vehicle: "A-1", group: 1 };
  const { method } = create ? createResourceBody(create, "gateways", place) : {};
  const used = [acme, globex].flatMap(({ rows }) => rows.paymentGateways.map((gateway) => gateway.method));
  expect(used).toContain("wallet_standard");
  expect(used).not.toContain(method);
  expect(JSON.stringify(create?.body?.schema)).toContain(JSON.stringify(method));
});

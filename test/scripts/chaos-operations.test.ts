import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  listUncoveredOperations,
  listWriteOperations,
  OPERATIONS_BY_WRITER,
  UNWRITTEN_OPERATIONS,
} from "#tools/chaos/writers/operations.ts";
import { readOperations } from "#tools/fuzz/read-operations.ts";

// Every write operation has a writer in `npm run chaos`, or a reason for having none.

const writing = listWriteOperations(await readOperations());

test("tests every write operation in the load test, or documents why not", () => {
  expect(writing.length).toBeGreaterThan(200);
  expect(listUncoveredOperations(writing)).toEqual([]);
});

test("reports a write operation that no load-test writer calls", () => {
  const newOperation = "POST /api/v1/office/reservations/{id}/forget";
  expect(listUncoveredOperations([...writing, newOperation])).toEqual([newOperation]);
});

test("lists only operations of the OpenAPI documents as tested or excluded, and none as both", () => {
  const listedOperations: readonly string[] = [
    ...Object.values(OPERATIONS_BY_WRITER).flat(),
    ...Object.keys(UNWRITTEN_OPERATIONS),
  ];
  expect(listedOperations.filter((operation) => !writing.includes(operation))).toEqual([]);
  const testedOperations = new Set<string>(Object.values(OPERATIONS_BY_WRITER).flat());
  expect(Object.keys(UNWRITTEN_OPERATIONS).filter((operation) => testedOperations.has(operation))).toEqual([]);
  expect(Object.values(UNWRITTEN_OPERATIONS).filter((reason) => reason.length < 20)).toEqual([]);
});

test("mentions the last path segment of each tested operation in the load test's code", () => {
  const folder = join(import.meta.dirname, "../tools/chaos");
  const files = [...readdirSync(join(folder, "writers")).map((name) => `writers/${name}`), "history.ts"];
  const texts = files.filter((name) => name !== "writers/operations.ts");
  const writers = texts.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const getLastWord = (operation: string) => /([\w-]+)(?:\/\{\w+\})*$/.exec(operation)?.[1] ?? operation;
  const occursInWriters = (word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(writers);
  const unheard = writing.filter((operation) => !occursInWriters(getLastWord(operation)));
  expect(unheard.filter((operation) => !Object.hasOwn(UNWRITTEN_OPERATIONS, operation))).toEqual([]);
});

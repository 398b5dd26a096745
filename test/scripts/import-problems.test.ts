import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  formatImportProblem,
  formatImportRemedy,
  formatUndoProblem,
  IMPORT_PROBLEM_CODES,
  IMPORT_REMEDY_CODES,
  UNDO_PROBLEM_CODES,
} from "#domain/operations/import-problems.ts";

const producers = [...globSync("worker/imports/*.ts"), "worker/usecases/operations/office-imports.ts"]
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const producedCodes = new Set(
  [
    ...producers.matchAll(/(?:\bcode: |\bnew InvalidList\()"(\w+)"/g),
    ...producers.matchAll(/\bcode: \w+\(\w+\) \? "(\w+)" : "(\w+)"/g),
  ].flatMap(([, ...codes]) => codes),
);

describe("import problems", () => {
  test.each([
    ["problem", IMPORT_PROBLEM_CODES],
    ["remedy", IMPORT_REMEDY_CODES],
    ["undo problem", UNDO_PROBLEM_CODES],
  ])("produces every import %s code in some test case", (_, codes) => {
    expect(codes.filter((code) => !producedCodes.has(code))).toEqual([]);
  });

  test("formats import problems, remedies and undo problems with their parameters", () => {
    expect(formatImportProblem({ code: "cells_surplus", params: { cells: 3, columns: 2 } })).toBe(
      "has 3 cells for 2 columns",
    );
    expect(formatImportRemedy({ code: "between", params: { min: 0, max: 100 } })).toBe("0 to 100");
    expect(
      formatUndoProblem({ code: "rows_added", params: { count: 2, table: "bookings", parent: "customers" } }),
    ).toBe("2 new rows of bookings refer to imported rows of customers");
  });

  test("compares problem codes, not messages, in the code of the import", () => {
    expect(producers.match(/\.(?:problem|message) === "/g)).toBeNull();
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { ALLOWED_SEQUENTIAL_CALLS } from "#support/sequential-calls.ts";
import { listOperations } from "#tools/fuzz/operations.ts";

test("explains in the decision record each reason for sequential database calls", async () => {
  const decision = await readFile(join(PROJECT_ROOT, "docs/decisions/0021-book-in-one-database-call.md"), "utf8");
  const reasons = [...decision.matchAll(/^- \*\*(.+)\*\*/gm)].map(([, reason]) => reason);
  expect(reasons).toEqual(ALLOWED_SEQUENTIAL_CALLS.map(({ reason }) => reason));
});

test("lists as making sequential database calls only existing operations, each once", () => {
  const existing = Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    listOperations(family, describeIt()).map(({ name }) => name),
  );
  const explained = ALLOWED_SEQUENTIAL_CALLS.flatMap(({ operations }) => Object.keys(operations));
  expect(existing).toEqual(expect.arrayContaining(explained));
  expect(new Set(explained).size).toBe(explained.length);
});

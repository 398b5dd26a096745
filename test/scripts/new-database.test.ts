import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMigratedDatabase } from "#scripts/data/memory-database.ts";

const DAY_MS = 86_400_000;

test("counts the age of an account's backups from the creation of its database", () => {
  const row = createMigratedDatabase("migrations").prepare("SELECT since FROM upkeep").get();
  // This process may have created it for another test.
  expect(Date.now() - Number(row?.["since"])).toBeLessThan(DAY_MS);
});

// A timestamp written into a migration would be the same for every account.
test("contains no timestamp in any migration", () => {
  const files = globSync("{migrations,directory}/*.sql");
  expect(files.length).toBeGreaterThan(10);
  const times = files.flatMap((file) => readFileSync(file, "utf8").match(/\b1[789]\d{8}(?:\d{3})?\b/g) ?? []);
  expect(times).toEqual([]);
});

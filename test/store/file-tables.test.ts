import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";

test("excludes records for authorities from file exports and imports, because an import would send them again", async () => {
  const names = (await readImportExportTables(env.TENANT_ACME)).map(({ name }) => name);
  expect(names).toContain("bookings");
  expect(names.filter((name) => /^(tax|ministry)_/.test(name))).toEqual([]);
});

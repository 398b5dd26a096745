import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";

test("exports and imports no records for authorities, which an import would send again", async () => {
  const names = (await readImportExportTables(env.TENANT_ACME)).map(({ name }) => name);
  expect(names).toContain("bookings");
  expect(names.filter((name) => /^(tax|ministry)_/.test(name))).toEqual([]);
});

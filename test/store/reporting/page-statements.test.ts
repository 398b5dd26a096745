import { expect, test } from "vitest";
import type { ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { partnerContractsPageQuery } from "#worker/store/reporting/contract-lists.ts";
import { fleetPageQuery } from "#worker/store/reporting/vehicle-lists.ts";

const FIRST_PAGE: ExtractionPageRequest = { page: 0, pageSize: 100, after: undefined, filters: {} };

/** Returns the statement that a query sends to the database. */
async function readStatement(
  query: typeof partnerContractsPageQuery | typeof fleetPageQuery,
  request: ExtractionPageRequest,
) {
  const statements: string[] = [];
  const binding = {
    prepare: (text: string) => {
      statements.push(text);
      return { bind: () => ({}) };
    },
    batch: async () => [{ results: [{ row: 0 }], meta: {} }],
  };
  const db = openDatabase(binding as unknown as D1Database, createUsageMeter());
  await db.batch([query(db, request)]);
  return statements.join();
}

test.each([
  ["first page", FIRST_PAGE],
  ["page by cursor", { ...FIRST_PAGE, after: 7 }],
  ["page of changes", { ...FIRST_PAGE, filters: { updatedFrom: 1 } }],
  ["page of a branch", { ...FIRST_PAGE, filters: { branchCode: "AIR" } }],
])(
  "writes the limit of a %s as an SQL expression, so that SQLite doesn't compile the statement again for each page",
  async (_, request) => {
    for (const query of [partnerContractsPageQuery, fleetPageQuery]) {
      const statement = await readStatement(query, request);
      expect(statement).toContain("LIMIT");
      expect(statement).not.toMatch(/LIMIT \?/);
    }
  },
);

test("omits columns that only the office shows from the database query for a partner's page of contracts", async () => {
  const statement = await readStatement(partnerContractsPageQuery, FIRST_PAGE);
  expect(statement).toContain('"bookings"."customer_email"');
  expect(statement).not.toMatch(/"bookings"\."(comments|price_reason|agreed_with_agency|contract_data)"/);
});

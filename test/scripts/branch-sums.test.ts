import { describe, expect, test } from "vitest";
import { PRODUCT_REPORTS } from "#domain/reporting/analytics.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { BranchFilter } from "#worker/store/reporting/analytics.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  readExtraOrSupplementSales,
  readVehicleFigures,
  type VehicleFiguresInput,
} from "#worker/usecases/reporting/analytics.ts";

const NOWHERE: BranchFilter = { branchGroupId: undefined, branchCode: undefined, branches: undefined };

const YEARS = [2024, 2025, 2026, 2027] as const;
const CLASSES = ["all", "individual", "legal_entity"] as const;

async function demo() {
  const { rows, db } = await openCopiedDemo("acme");
  // Moves some vehicles to another branch. Their past still belongs to the earlier branch.
  rows("UPDATE vehicles SET branch_code = (SELECT max(code) FROM branches), branch_group_id = 2 WHERE id % 7 = 0");
  const tenant = { replica: openDatabase(db, createUsageMeter()) } as Tenant;
  const branches = rows<{ code: string; branch_group_id: number }>("SELECT code, branch_group_id FROM branches");
  return { rows, tenant, branches };
}

const account = demo();
const sumByMonth = (all: readonly (readonly number[])[]) =>
  Array.from({ length: 12 }, (_, month) => all.reduce((sum, item) => sum + (item[month] ?? 0), 0));

/** Sums the ledger entries of a branch in a year. */
function countContracts(rows: SqliteD1["rows"], year: number, branch: string): number {
  const sql =
    "SELECT coalesce(sum(cents), 0) AS cents FROM ledger_entries WHERE kind = 'product' AND year = ? AND branch_code = ?";
  return rows<{ cents: number }>(sql, year, branch)[0]?.cents ?? 0;
}

describe("reports for all branches", () => {
  // Proves "analytics.md": Branches add up: all branches to the whole, for every report and year
  // Proves "rentals.md": 3d
  test.each(PRODUCT_REPORTS)(
    "reports the same for all branches together as for the whole company: %s",
    async (report) => {
      const { tenant, branches } = await account;
      for (const year of YEARS)
        for (const customerClass of CLASSES) {
          const ask = (place: Partial<BranchFilter>) => {
            const question: VehicleFiguresInput = {
              year,
              report,
              customerClass,
              branchFilter: { ...NOWHERE, ...place },
            };
            return readVehicleFigures(tenant, question);
          };
          const allBranches = await ask({});
          const each = await Promise.all(branches.map(({ code }) => ask({ branchCode: code })));
          const groups = [...new Set(branches.map(({ branch_group_id }) => branch_group_id))];
          const groupAnswers = await Promise.all(groups.map((branchGroupId) => ask({ branchGroupId })));
          expect(sumByMonth(each.map(({ summary }) => summary))).toEqual(allBranches.summary);
          expect(sumByMonth(groupAnswers.map(({ summary }) => summary))).toEqual(allBranches.summary);
          const months = (answers: typeof each, reference: string) =>
            sumByMonth(
              answers.flatMap(({ rows }) =>
                rows.filter(({ vehicle }) => vehicle.reference === reference).map((row) => row.months),
              ),
            );
          for (const row of allBranches.rows) expect(months(each, row.vehicle.reference)).toEqual(row.months);
        }
    },
  );

  // Proves "analytics.md": Branches add up: each to its contracts
  // Proves "rentals.md": 3c
  test("reports for each branch the revenue of its contracts, with a row for each vehicle with revenue there", async () => {
    const { rows, tenant, branches } = await account;
    for (const year of YEARS)
      for (const { code } of branches) {
        const question: VehicleFiguresInput = {
          year,
          report: "monthly_billing_report",
          customerClass: "all",
          branchFilter: { ...NOWHERE, branchCode: code },
        };
        const answer = await readVehicleFigures(tenant, question);
        expect(answer.summary.reduce((sum, cents) => sum + cents, 0)).toBe(countContracts(rows, year, code));
        expect(new Set(answer.rows.map(({ vehicle }) => vehicle.branchCode))).toEqual(new Set([code]));
        const references = answer.rows.map(({ vehicle }) => vehicle.reference);
        expect(new Set(references).size).toBe(references.length);
        const earned = rows<{ code: string }>(
          "SELECT DISTINCT code FROM ledger_entries WHERE kind = 'product' AND year = ? AND branch_code = ?",
          year,
          code,
        );
        expect(earned.filter((item) => !references.includes(item.code))).toEqual([]);
      }
  });

  // Proves "rules.md: quotes, counts and agreements": Branch groups and branches add up, for extras and supplements too
  test.each(["extra", "supplement"] as const)(
    "makes the branches' sales add up to the company's: %s sales",
    async (kind) => {
      const { tenant, branches } = await account;
      for (const year of YEARS)
        for (const withTaxes of [true, false]) {
          const ask = (branchCode?: string) =>
            readExtraOrSupplementSales(tenant, {
              kind,
              year,
              withTaxes,
              branchFilter: { branchCode, branches: undefined },
            });
          const each = await Promise.all(branches.map(({ code }) => ask(code)));
          expect(sumByMonth(each.map(({ summary }) => summary))).toEqual((await ask()).summary);
        }
    },
  );
});

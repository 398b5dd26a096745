import { describe, expect, it } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { openFilledDemo } from "#support/demo-data.ts";
import { findBrokenInvariants } from "#support/demo-invariants.ts";
import { listWronglyPricedBookings } from "#support/demo-prices.ts";

// A summer night, the last minutes of a leap day, the start of summer time, an afternoon with a contract closed while
// its invoice is a draft and one cancelled after its advance was invoiced, and an afternoon with advances that take the
// rounding of many items.
const moments = [
  "2027-08-15T22:30",
  "2028-02-29T23:55",
  "2027-03-28T00:30",
  "2026-11-22T17:09",
  "2026-11-30T16:45",
].map((minute) => new Date(`${minute}:00Z`));

describe.each(moments)("the accounts as of %s", (now) => {
  it.each(["acme", "globex"] as const)(
    "satisfies every invariant in the demo account %s, with correct prices and balanced accounting",
    async (account) => {
      const database = await openFilledDemo(account, now);
      expect(findBrokenInvariants(database, now)).toEqual([]);
      expect(await listWronglyPricedBookings(database)).toEqual([]);
      const extractedRows = await extractLocalMoneyData(database.db, { decimals: 2, timezone: "UTC" });
      expect(auditBooks(extractedRows)).toMatchObject({ differences: [], remarks: [] });
    },
  );
});

it("has a delivery and a return due today at each branch of a demo company shortly before midnight", async () => {
  const { rows } = await openFilledDemo("acme", new Date("2027-08-14T21:55:00Z"));
  const today = "'2027-08-14'";
  for (const pendingKind of [
    `date_from = ${today} AND status = 'confirmed'`,
    `date_to = ${today} AND status = 'in_progress'`,
  ]) {
    const column = pendingKind.startsWith("date_from") ? "branch_code" : "return_branch_code";
    expect(rows(`SELECT ${column} FROM bookings WHERE ${pendingKind} GROUP BY 1`)).toHaveLength(3);
  }
});

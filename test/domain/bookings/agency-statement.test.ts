import { expect, test } from "vitest";
import { sumStatement, toStatementLine } from "#domain/bookings/agency-statement.ts";

const reservation = (changes: Partial<Parameters<typeof toStatementLine>[0]> = {}) => ({
  ...{ status: "done", itemCents: 10_005, basisPoints: 1050, paidCents: 0 },
  ...changes,
});

test("a commission is the agreed share of the products, rounded half up", () => {
  expect(toStatementLine(reservation())).toEqual({
    ...{ saleCents: 10_005, commissionCents: 1051, paidCents: 0, balanceCents: 1051 },
  });
});

test("a cancelled reservation sells and earns nothing, and what was paid for it is owed back", () => {
  expect(toStatementLine(reservation({ status: "cancelled", paidCents: 700 }))).toEqual({
    ...{ saleCents: 0, commissionCents: 0, paidCents: 700, balanceCents: -700 },
  });
});

test("totals are the sums of the rounded lines", () => {
  const lines = [5, 5, 5].map((itemCents) => toStatementLine(reservation({ itemCents, basisPoints: 1000 })));
  expect(sumStatement(lines)).toEqual({ saleCents: 15, commissionCents: 3, paidCents: 0, balanceCents: 3 });
  expect(sumStatement([])).toEqual({ saleCents: 0, commissionCents: 0, paidCents: 0, balanceCents: 0 });
});

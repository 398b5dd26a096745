import { expect, test } from "vitest";
import { sumAgencyStatement, toAgencyStatementLine } from "#domain/bookings/agency-statement.ts";

const reservation = (changes: Partial<Parameters<typeof toAgencyStatementLine>[0]> = {}) => ({
  ...{ status: "done", itemCents: 10_005, basisPoints: 1050, paidCents: 0 },
  ...changes,
});

test("calculates an agency's commission as the agreed share of the products, rounded half up", () => {
  expect(toAgencyStatementLine(reservation())).toEqual({
    ...{ saleCents: 10_005, commissionCents: 1051, paidCents: 0, balanceCents: 1051 },
  });
});

test("counts no sales and commission for a cancelled reservation, and owes back a paid commission", () => {
  expect(toAgencyStatementLine(reservation({ status: "cancelled", paidCents: 700 }))).toEqual({
    ...{ saleCents: 0, commissionCents: 0, paidCents: 700, balanceCents: -700 },
  });
});

test("calculates an agency statement's totals as sums of the rounded lines", () => {
  const lines = [5, 5, 5].map((itemCents) => toAgencyStatementLine(reservation({ itemCents, basisPoints: 1000 })));
  expect(sumAgencyStatement(lines)).toEqual({ saleCents: 15, commissionCents: 3, paidCents: 0, balanceCents: 3 });
  expect(sumAgencyStatement([])).toEqual({ saleCents: 0, commissionCents: 0, paidCents: 0, balanceCents: 0 });
});

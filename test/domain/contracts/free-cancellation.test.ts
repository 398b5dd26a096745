import { describe, expect, test } from "vitest";
import type { CancellationTerm } from "#domain/catalogue/catalogue.ts";
import { calculateCancellationFee, getFreeCancellationEnd } from "#domain/contracts/cancellation.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";

const PICKUP = toCivilMinute("2030-05-03" as CivilDate, "10:00" as TimeText);
const contract = {
  ...{ status: "confirmed" as const, totalPaidCents: 0, days: 3, salesChannel: undefined as string | undefined },
  period: { dateFrom: "2030-05-03" as CivilDate, timeFrom: "10:00" as TimeText },
  totals: { totalCents: 10_000, itemCents: 9_000 },
};
const createTerm = (changes: Partial<CancellationTerm>): CancellationTerm => ({
  ...{ occasion: "cancellation", salesChannel: undefined, hoursBefore: 48, feeType: "amount", feeValue: 1000 },
  ...changes,
});

describe("the end of the free cancellation", () => {
  test.each([
    ["is the pickup without terms", [], 0],
    ["is the earliest limit of a term with a fee", [createTerm({}), createTerm({ hoursBefore: 72 })], 72],
    ["ignores terms without a fee", [createTerm({}), createTerm({ hoursBefore: 96, feeValue: 0 })], 48],
    [
      "ignores terms of no-shows and other channels",
      [createTerm({ occasion: "no_show" }), createTerm({ salesChannel: "web" })],
      0,
    ],
  ])("calculates the end of the free cancellation: %s", (_, terms, hours) => {
    const end = getFreeCancellationEnd(terms, contract);
    expect(end).toBe(PICKUP - hours * 60);
    const feeAt = (civil: number) => calculateCancellationFee(terms, "cancellation", contract, { civil });
    expect(feeAt((end ?? 0) - 1)).toBe(0);
    if (hours > 0) expect(feeAt((end ?? 0) + 1)).toBe(1000);
  });

  test("returns no end of the free cancellation if every cancellation has a fee", () => {
    expect(getFreeCancellationEnd([createTerm({ hoursBefore: undefined })], contract)).toBeUndefined();
  });

  test("calculates the end of the free cancellation by the terms of the contract's channel", () => {
    const terms = [createTerm({}), createTerm({ salesChannel: "web", hoursBefore: 24 })];
    expect(getFreeCancellationEnd(terms, { ...contract, salesChannel: "web" })).toBe(PICKUP - 24 * 60);
  });
});

import { describe, expect, test } from "vitest";
import { type CheckInDayUnit, getPendingDeposit } from "#domain/check-in/day.ts";

const reading = { at: 0, kilometres: 1, fuelEighths: 8 };
const out = { delivery: reading } as CheckInDayUnit;
const back = { delivery: reading, collection: reading } as CheckInDayUnit;
const contract = { totalDepositCents: 140_000, depositHeldCents: 0, depositAuthorisedCents: 0 };

describe("the pending deposit", () => {
  test("calculates the pending deposit as agreed minus held while a vehicle is due or out", () => {
    expect(getPendingDeposit({ ...contract, status: "confirmed", units: [out] })).toBe(140_000);
    expect(
      getPendingDeposit({ ...contract, depositHeldCents: 40_000, status: "in_progress", units: [back, out] }),
    ).toBe(100_000);
  });

  // Proves "check-in.md: day, vehicles and extras": A deposit is pending until every vehicle is back
  test("calculates no pending deposit once every vehicle is back or the booking is cancelled", () => {
    expect(getPendingDeposit({ ...contract, status: "in_progress", units: [back] })).toBe(0);
    expect(getPendingDeposit({ ...contract, status: "done", units: [back] })).toBe(0);
    expect(getPendingDeposit({ ...contract, status: "cancelled", units: [out] })).toBe(0);
  });
});

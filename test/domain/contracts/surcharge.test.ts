import { expect, test } from "vitest";
import { acceptSurcharges, type SurchargeRequest } from "#domain/contracts/surcharge.ts";
import type { CivilDate } from "#domain/dates.ts";

const EXTRAS = [
  { code: "SCRATCH", name: "Scratch", pricePer: "rental", priceCents: 9000, vat: 2100 },
  { code: "DAMAGE", name: "Damage", pricePer: "rental", priceCents: 0, vat: 0 },
] as const;

const request = (code: string, changes: Partial<SurchargeRequest> = {}): SurchargeRequest => ({
  ...{ code, quantity: 1, unitCents: undefined, text: undefined, ...changes },
});

function accept(requests: readonly SurchargeRequest[], limitCents = 0) {
  const { surcharges, refusedCodes } = acceptSurcharges(EXTRAS, requests, {
    chargedOn: "2027-05-03" as CivilDate,
    damageIds: ["a"],
    mayGiveAway: (cents) => cents <= limitCents,
  });
  return [surcharges.map(({ extraCents }) => extraCents), refusedCodes];
}

test("charges damage of a device's return at the price of the list or the stated one", () => {
  expect(accept([request("SCRATCH", { damageId: "a" }), request("DAMAGE", { unitCents: 2500, quantity: 2 })])).toEqual([
    [9000, 5000],
    [],
  ]);
});

test.each([
  ["an unknown extra", request("GONE")],
  ["a missing amount", request("DAMAGE")],
  ["damage of another operation", request("SCRATCH", { damageId: "b" })],
  ["a price below the list's", request("SCRATCH", { unitCents: 8999 })],
])("leaves a surcharge with %s to the office and charges the others", (_, refused) => {
  expect(accept([refused, request("SCRATCH")])).toEqual([[9000], [refused.code]]);
});

test("accepts prices below the list's up to the user's limit for all together", () => {
  const reduced = [request("SCRATCH", { unitCents: 8000 }), request("SCRATCH", { unitCents: 8000 })];
  expect(accept(reduced, 2000)).toEqual([[8000, 8000], []]);
  expect(accept(reduced, 1999)).toEqual([[], ["SCRATCH", "SCRATCH"]]);
});

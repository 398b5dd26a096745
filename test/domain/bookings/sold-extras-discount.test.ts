import { expect, test } from "vitest";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import { discountSoldExtras } from "#domain/bookings/sold-extras-discount.ts";

const NO_DEPOSIT = {
  depositUnitCents: 0,
  guaranteeUnitCents: 0,
  depositReductionUnitCents: 0,
  guaranteeReductionUnitCents: 0,
};
const createLine = (discountCents: number) => ({
  ...{ lineId: 1, unitIds: [10], quantity: 1, unitCents: 10_000, discountCents },
  ...NO_DEPOSIT,
});
const createDiscount = (kind: AppliedDiscount["kind"], value: number, amountCents: number): AppliedDiscount => ({
  ...{ kind, value, amountCents, reason: "Regular customer", by: "staff:1" },
});
const GPS = { code: "GPS", quantity: 1, unitCents: 2000 };

test("takes a percentage discount also from extras sold at the hand-over", () => {
  const booking = { discount: createDiscount("percentage", 1000, 1000), lines: [createLine(1000)], extras: [] };
  expect(discountSoldExtras(booking, [GPS])).toEqual({
    ...{ addedCents: 200, addedLineCents: 200, extras: [] },
    lines: [{ lineId: 1, unitIds: [10], itemCents: 8800, discountCents: 1200, addedCents: 200 }],
  });
  expect(discountSoldExtras({ ...booking, discount: undefined }, [GPS]).addedCents).toBe(0);
  expect(discountSoldExtras(booking, []).addedCents).toBe(0);
});

test("keeps an amount discount, and takes from sold extras only what exceeded the price", () => {
  const lines = [createLine(1000)];
  const rental = { discount: createDiscount("amount", 1000, 1000), lines, extras: [] };
  expect(discountSoldExtras(rental, [GPS])).toEqual({ addedCents: 0, addedLineCents: 0, lines: [], extras: [] });
  const excessive = { discount: createDiscount("amount", 11_000, 10_000), lines: [createLine(10_000)], extras: [] };
  expect(discountSoldExtras(excessive, [GPS])).toMatchObject({
    ...{ addedCents: 1000, addedLineCents: 0, lines: [] },
    extras: [{ code: "GPS", discountCents: 1000, addedCents: 1000 }],
  });
});

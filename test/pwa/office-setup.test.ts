import "./page.ts";
import { expect, test } from "vitest";
import { SETUP_STEPS } from "#domain/catalogue/setup.ts";
import { canBookWithoutOnlinePayment, canCustomersPayOnline } from "../../pwa/office/src/setup-state.ts";

const setupWithout = (...blocking: readonly string[]) => ({
  obstacles: [],
  steps: SETUP_STEPS.map((name) => ({ name, done: true, blocks: blocking.includes(name), missing: [] })),
});

test("treats setup as ready for bookings without online payment, but not without prices", () => {
  expect([canBookWithoutOnlinePayment(setupWithout()), canCustomersPayOnline(setupWithout())]).toEqual([true, true]);
  expect([
    canBookWithoutOnlinePayment(setupWithout("payment")),
    canCustomersPayOnline(setupWithout("payment")),
  ]).toEqual([true, false]);
  expect([canBookWithoutOnlinePayment(setupWithout("prices")), canCustomersPayOnline(setupWithout("prices"))]).toEqual([
    false,
    false,
  ]);
});

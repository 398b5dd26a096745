import "./page.ts";
import { expect, test } from "vitest";
import { SETUP_STEPS } from "#domain/catalogue/setup.ts";
import { canBook, canSellOnline } from "../../pwa/office/src/setup-state.ts";

const setupWithout = (...blocking: readonly string[]) => ({
  obstacles: [],
  steps: SETUP_STEPS.map((name) => ({ name, done: true, blocks: blocking.includes(name), missing: [] })),
});

test("treats setup as ready for bookings without online payment, but not without prices", () => {
  expect([canBook(setupWithout()), canSellOnline(setupWithout())]).toEqual([true, true]);
  expect([canBook(setupWithout("payment")), canSellOnline(setupWithout("payment"))]).toEqual([true, false]);
  expect([canBook(setupWithout("prices")), canSellOnline(setupWithout("prices"))]).toEqual([false, false]);
});

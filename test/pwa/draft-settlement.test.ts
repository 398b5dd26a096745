import "./page.ts";
import { expect, test } from "vitest";
import { hasInvalidAmount } from "../../pwa/check-in/src/screens/work/draft-settlement.ts";

test.each([
  ["1.234,50", true],
  ["1.234", true],
  ["10 €", true],
  ["12.50", false],
  ["0.00", false],
  ["", false],
])("requires the correction of an amount that is neither empty nor written like 12.50: %j: %s", (amount, isWrong) => {
  const charge = { charge_id: "a", kind: "payment", amount, payment_method_id: "cash" } as const;
  expect(hasInvalidAmount({ charges: [charge] })).toBe(isWrong);
});

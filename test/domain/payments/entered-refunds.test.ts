import { describe, expect, test } from "vitest";
import { isRefundReported, matchEnteredRefund, matchNextEnteredRefund } from "#domain/payments/entered-refunds.ts";

const createEnteredRefund = (id: number, cents: number, number: string | null = null) => ({ id, cents, number });
const NAMED = createEnteredRefund(1, 5000, "RF-12 34");
const UNNAMED = createEnteredRefund(2, 5000);
const OTHER = createEnteredRefund(3, 3000, "RF-99");

describe("a refund that a gateway reports", () => {
  test.each([
    ["with the number and amount of an entered one", [UNNAMED, NAMED], 5000, ["rf1234"], ["same", 1]],
    ["with the amount of one that was entered without a number", [OTHER, UNNAMED], 5000, ["X"], ["same", 2]],
    ["with the number of an entered one, and another amount", [NAMED], 4999, ["RF/1234"], ["otherAmount", 1]],
    ["with the amount of an entered one, and another number", [OTHER, NAMED], 5000, ["X"], ["otherNumber", 1]],
    ["without a number, with the amount of an entered one", [NAMED], 5000, [], ["same", 1]],
    ["with an unusable number and the amount of an entered one", [NAMED], 5000, ["--"], ["same", 1]],
    ["with another amount and number than the entered ones", [NAMED, UNNAMED], 100, ["X"], undefined],
    ["although none was entered", [], 5000, ["RF1234"], undefined],
    // Separators alone aren't a number.
    [
      "with a number of separators only, like an entered one",
      [createEnteredRefund(4, 1, "--")],
      5000,
      ["--"],
      undefined,
    ],
  ] as const)(
    "finds the refund entered by hand, if any, for one that the gateway reports %s",
    (_, list, cents, numbers, expected) => {
      const [kind, chargeId] = expected ?? [];
      expect(matchEnteredRefund(list, { cents, numbers })).toEqual(expected && { kind, chargeId });
    },
  );

  test("recognizes a refund already reported by the gateway by its payment method and amount", () => {
    const reported = [{ method: "card", cents: 5000 }];
    expect(isRefundReported(reported, { method: "card", cents: 5000 })).toBe(true);
    expect(isRefundReported(reported, { method: "paypal", cents: 5000 })).toBe(false);
    expect(isRefundReported(reported, { method: "card", cents: 5001 })).toBe(false);
  });
});

describe("the next refund that is confirmed", () => {
  const list = [OTHER, NAMED, UNNAMED];

  test.each([
    ["one of the whole amount, if no refund is reported separately", [], 5000, { kind: "same", chargeId: 1 }],
    ["the first one within the amount, if none equals it", [], 4999, { kind: "same", chargeId: 3 }],
    ["none if the amount is less than each", [], 2999, undefined],
    ["the one with the reported number", [{ id: "RF1234", cents: 5000 }], 9000, { kind: "same", chargeId: 1 }],
    ["none above the amount that isn't recorded yet", [{ id: "RF1234", cents: 5000 }], 4999, undefined],
    [
      "a certain match before one with another number",
      [
        { id: "X", cents: 3000 },
        { id: "Y", cents: 5000 },
      ],
      9000,
      { kind: "same", chargeId: 2 },
    ],
    [
      "one with another number if nothing else matches",
      [{ id: "X", cents: 3000 }],
      9000,
      { kind: "otherNumber", chargeId: 3 },
    ],
    ["none if the amounts differ", [{ id: "RF99", cents: 2000 }], 9000, undefined],
  ] as const)("chooses which refund entered by hand a gateway confirms next: %s", (_, reported, maxCents, expected) => {
    expect(matchNextEnteredRefund(list, reported, maxCents)).toEqual(expected);
  });
});

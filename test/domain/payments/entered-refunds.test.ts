import { describe, expect, test } from "vitest";
import { isRefundReported, matchEnteredRefund, matchNextEnteredRefund } from "#domain/payments/entered-refunds.ts";

const entered = (id: number, cents: number, number: string | null = null) => ({ id, cents, number });
const NAMED = entered(1, 5000, "RF-12 34");
const UNNAMED = entered(2, 5000);
const OTHER = entered(3, 3000, "RF-99");

describe("a refund that a gateway reports", () => {
  test.each([
    ["is the entered one of its number and amount", [UNNAMED, NAMED], 5000, ["rf1234"], ["same", 1]],
    ["is one without a number of its amount", [OTHER, UNNAMED], 5000, ["X"], ["same", 2]],
    ["has another amount under the same number", [NAMED], 4999, ["RF/1234"], ["otherAmount", 1]],
    ["has the amount of one with another number", [OTHER, NAMED], 5000, ["X"], ["otherNumber", 1]],
    ["without a number is the one of its amount", [NAMED], 5000, [], ["same", 1]],
    ["without a usable number too", [NAMED], 5000, ["--"], ["same", 1]],
    ["of another amount and number wasn't entered", [NAMED, UNNAMED], 100, ["X"], undefined],
    ["wasn't entered if none was", [], 5000, ["RF1234"], undefined],
    // Separators alone aren't a number.
    ["isn't one of the same separators", [entered(4, 1, "--")], 5000, ["--"], undefined],
  ] as const)("a refund reported by a gateway %s", (_, list, cents, numbers, expected) => {
    const [kind, chargeId] = expected ?? [];
    expect(matchEnteredRefund(list, { cents, numbers })).toEqual(expected && { kind, chargeId });
  });

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
    ["is the one of the whole amount", [], 5000, { kind: "same", chargeId: 1 }],
    ["is the first that the amount contains", [], 4999, { kind: "same", chargeId: 3 }],
    ["is none if the amount contains none", [], 2999, undefined],
    ["is the reported one", [{ id: "RF1234", cents: 5000 }], 9000, { kind: "same", chargeId: 1 }],
    ["is at most the amount that is missing", [{ id: "RF1234", cents: 5000 }], 4999, undefined],
    [
      "is a certain one before one of another number",
      [
        { id: "X", cents: 3000 },
        { id: "Y", cents: 5000 },
      ],
      9000,
      { kind: "same", chargeId: 2 },
    ],
    ["is one of another number if no other is", [{ id: "X", cents: 3000 }], 9000, { kind: "otherNumber", chargeId: 3 }],
    ["isn't one of another amount", [{ id: "RF99", cents: 2000 }], 9000, undefined],
  ] as const)("the refund entered by hand that a gateway confirms next %s", (_, reported, maxCents, expected) => {
    expect(matchNextEnteredRefund(list, reported, maxCents)).toEqual(expected);
  });
});

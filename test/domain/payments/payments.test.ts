import { describe, expect, test } from "vitest";
import { getMoneyDirection, isDepositHeldOrReturned } from "#domain/payments/charges.ts";
import {
  decideNoticeEffect,
  type GatewayNotice,
  type PaymentIntent,
  parseOnlineMethod,
} from "#domain/payments/gateway-notices.ts";
import {
  decidePaymentOptions,
  getAmountToPay,
  isPaymentPartPaid,
  listOfferedOnlineMethods,
  type PayableBooking,
} from "#domain/payments/payments.ts";
import { createSettings } from "#support/catalogue.ts";

const settings = createSettings({ paymentMethods: ["tpvA256"], paymentOptions: ["deposit", "total"] });
const NOW = 1000;
const pending: PayableBooking = {
  status: "pending_confirmation",
  totalCents: 10_000,
  totalPaidCents: 0,
  bookingAmountCents: 2000,
  expiresAt: NOW + 1,
  paidAfterExpiry: false,
};
const listOptions = (changes: Partial<PayableBooking>, terms = settings) => {
  const { canPayDeposit, canPayTotal, canPayPending } = decidePaymentOptions(terms, { ...pending, ...changes }, NOW);
  return [canPayDeposit && "deposit", canPayTotal && "total", canPayPending && "pending"].filter(Boolean).join(" ");
};

describe("online payment options", () => {
  test.each([
    ["while its hold lasts", {}, "deposit total"],
    ["without a hold", { expiresAt: undefined }, "deposit total"],
    ["when its hold ends", { expiresAt: NOW }, ""],
    ["confirmed", { status: "confirmed", expiresAt: undefined }, "deposit total"],
    ["in progress", { status: "in_progress", expiresAt: undefined }, "total"],
    ["done", { status: "done", expiresAt: undefined }, "total"],
    ["cancelled", { status: "cancelled", expiresAt: undefined }, ""],
    ["that is cancelled and paid in part", { status: "cancelled", totalPaidCents: 1 }, ""],
    ["paid in part", { totalPaidCents: 2000 }, "pending"],
    ["paid in part when its hold is over", { totalPaidCents: 2000, expiresAt: 1 }, "pending"],
    ["paid in part too late for a confirmation", { totalPaidCents: 2000, expiresAt: 1, paidAfterExpiry: true }, ""],
    [
      "paid in part too late, and confirmed since",
      { status: "confirmed", totalPaidCents: 2000, paidAfterExpiry: true },
      "pending",
    ],
    ["paid except for a cent", { totalPaidCents: 9999 }, "pending"],
    ["paid", { totalPaidCents: 10_000 }, ""],
    ["paid too much", { totalPaidCents: 10_001 }, ""],
    ["whose full price an agent retained", { totalCents: 0 }, ""],
    ["without a booking amount", { bookingAmountCents: 0 }, "total"],
    ["that costs nothing", { totalCents: 0, bookingAmountCents: 0 }, ""],
    ["whose refunds exceed its payments", { totalPaidCents: -1 }, "deposit total"],
  ] as const)("lists the online payment options of a booking %s", (_, changes, expected) => {
    expect(listOptions(changes)).toBe(expected);
  });

  test("offers the online payment options that the account's settings allow", () => {
    expect(listOptions({}, { ...settings, paymentOptions: ["deposit"] })).toBe("deposit");
    expect(listOptions({}, { ...settings, paymentOptions: ["total"] })).toBe("total");
    expect(listOptions({}, { ...settings, paymentMethods: [] })).toBe("");
    expect(listOptions({ totalPaidCents: 1 }, { ...settings, paymentMethods: [] })).toBe("");
  });

  test("calculates the amount of each part from the booking, and none if that part can't be paid", () => {
    const all = { canPayDeposit: true, canPayTotal: true, canPayPending: true };
    const none = { canPayDeposit: false, canPayTotal: false, canPayPending: false };
    const booking = { ...pending, totalPaidCents: 3000 };
    const parts = ["deposit", "total", "pending"] as const;
    expect(parts.map((part) => getAmountToPay(all, booking, part))).toEqual([2000, 10_000, 7000]);
    expect(getAmountToPay(all, { ...pending, totalCents: 440 }, "deposit")).toBe(440);
    expect(parts.map((part) => getAmountToPay(none, booking, part))).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    ["nothing", {}, []],
    ["zero for a free booking", { totalCents: 0, bookingAmountCents: 0 }, []],
    ["less than the deposit", { totalPaidCents: 1999 }, []],
    ["the deposit", { totalPaidCents: 2000 }, ["deposit"]],
    ["all but a cent", { totalPaidCents: 9999 }, ["deposit"]],
    ["all", { totalPaidCents: 10_000 }, ["deposit", "total", "pending"]],
    ["the total of a cancelled booking", { totalPaidCents: 10_000, status: "cancelled" }, []],
  ] as const)("lists the parts of a booking's price that are paid after a payment of %s", (_, changes, expected) => {
    const parts = ["deposit", "total", "pending"] as const;
    expect(parts.filter((part) => isPaymentPartPaid({ ...pending, ...changes }, part))).toEqual(expected);
  });
});

test.each([
  ["EUR", ["tpvA256", "tpvB", "tpvC", "wallet_standard"]],
  ["JPY", ["tpvA256", "tpvB", "tpvC", "wallet_standard"]],
  ["KWD", ["tpvC"]],
  ["THB", ["tpvC", "wallet_standard"]],
])("offers for amounts in %s only payment methods whose gateway accepts that currency", (currency, expected) => {
  const paymentMethods = ["tpvA256", "tpvB", "tpvC", "wallet_standard", "cash"];
  expect(listOfferedOnlineMethods({ ...settings, currency, paymentMethods })).toEqual(expected);
  const inDinars = { ...settings, currency: "KWD", paymentMethods: ["tpvA256", "wallet_standard"] };
  expect(listOptions({}, inDinars)).toBe("");
});

test("offers at most the amount due as the down payment", () => {
  const booking = { ...pending, totalCents: 1500 };
  const options = decidePaymentOptions(settings, booking, NOW);
  expect((["deposit", "total"] as const).map((part) => getAmountToPay(options, booking, part))).toEqual([1500, 1500]);
  expect(listOptions({ totalCents: 0 })).toBe("");
});

describe("a gateway's notification", () => {
  const intent: PaymentIntent = {
    id: "a",
    bookingId: 1,
    method: "tpvA256",
    order: "1",
    amountCents: 5000,
    refundedCents: 1000,
    currency: "EUR",
    state: "paid",
    paidCode: "A",
  };
  const notice: GatewayNotice = {
    order: "1",
    kind: "authorised",
    amountCents: 5000,
    currency: "EUR",
    authCode: "1",
    isOurs: true,
  };
  test.each([
    ["a payment", {}, "pay"],
    ["a payment without its amount or currency", { amountCents: undefined, currency: undefined }, "pay"],
    ["a denial", { kind: "denied" }, "deny"],
    ["another event", { kind: "other", amountCents: 1 }, "show"],
    ["a pending payment", { kind: "pending" }, "note"],
    ["a payment of another amount", { amountCents: 4999 }, "mismatch"],
    ["a denial of another amount", { kind: "denied", amountCents: 1 }, "mismatch"],
    ["a payment in another currency", { currency: "USD" }, "mismatch"],
    ["another merchant's payment", { isOurs: false }, "mismatch"],
    ["another merchant's other event", { isOurs: false, kind: "other" }, "mismatch"],
    ["a refund of the whole unrefunded amount", { kind: "refunded", amountCents: 4000 }, "refund"],
    ["a refund of a cent", { kind: "refunded", amountCents: 1 }, "refund"],
    ["a refund above the unrefunded amount", { kind: "refunded", amountCents: 4001 }, "mismatch"],
    ["a refund of zero", { kind: "refunded", amountCents: 0 }, "mismatch"],
    ["a refund without an amount", { kind: "refunded", amountCents: undefined }, "mismatch"],
    ["a refund of the recorded payment", { kind: "refunded", amountCents: 4000, paymentCode: "A" }, "refund"],
    ["a refund of an unknown payment", { kind: "refunded", amountCents: 4000, paymentCode: "B" }, "mismatch"],
    ["a reversed refund", { kind: "reinstated", amountCents: 1000, paymentCode: "A" }, "reinstate"],
    ["a reversal above the refunded amount", { kind: "reinstated", amountCents: 1001 }, "mismatch"],
    ["a reversed refund of an unknown payment", { kind: "reinstated", amountCents: 1, paymentCode: "B" }, "mismatch"],
  ] as const)(
    "applies a gateway's notification, or reports a mismatch with the recorded payment: %s",
    (_, changes, expected) => {
      expect(decideNoticeEffect(intent, { ...notice, ...changes })).toBe(expected);
    },
  );

  test("ignores the refund of a second payment, which was never recorded", () => {
    const refund = { ...notice, kind: "refunded", amountCents: 5000, paymentCode: "B" } as const;
    expect(decideNoticeEffect(intent, refund, true)).toBe("refundSecond");
    expect(decideNoticeEffect({ ...intent, refundedCents: 0 }, { ...refund, paymentCode: "A" }, true)).toBe("refund");
    // The payment isn't recorded yet, so the refund is applied together with the payment.
    expect(decideNoticeEffect({ ...intent, refundedCents: 0, state: "pending" }, refund)).toBe("refund");
  });

  test("recognizes an online payment method by its ID or its alias", () => {
    expect(["tpvA256", "tpvB", "tpvC", "wallet_standard"].map(parseOnlineMethod)).toEqual([
      "tpvA256",
      "tpvB",
      "tpvC",
      "wallet_standard",
    ]);
    expect(parseOnlineMethod("paypal_standard")).toBe("wallet_standard");
    expect(["", "cash", "tpvA_256"].map(parseOnlineMethod)).toEqual([undefined, undefined, undefined]);
  });
});

test("classifies each charge as money in or out, and deposit movements as no income", () => {
  const kinds = ["charge", "payment", "deposit_received", "deposit_returned", "deposit_kept"] as const;
  expect(kinds.map(getMoneyDirection)).toEqual(["charge", "payment", "charge", "payment", "charge"]);
  expect(kinds.map(isDepositHeldOrReturned)).toEqual([false, false, true, true, false]);
});

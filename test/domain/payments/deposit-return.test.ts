import { expect, test } from "vitest";
import { isExceptionalDepositReturn } from "#domain/payments/deposit-return.ts";

const received = { credit_card: 30_000, cash: 10_000 };

test.each([
  ["by the method of receipt", { cents: 30_000, method: "credit_card" }, false, false],
  ["in part", { cents: 1, method: "cash" }, false, false],
  ["by another method", { cents: 1, method: "bank_transfer" }, false, true],
  ["above the amount received by the method", { cents: 10_001, method: "cash" }, false, true],
  ["of a finished contract", { cents: 1, method: "cash" }, true, true],
] as const)(
  "decides whether a deposit's refund or retention is exceptional: %s",
  (_, deposit, isFinished, isExceptional) => {
    expect(isExceptionalDepositReturn(deposit, { received, isFinished })).toBe(isExceptional);
  },
);

import { expect, test } from "vitest";
import { getLedgerAccounts, getLedgerMoneyAccount } from "#domain/reporting/accounts.ts";

test("replaces the default accounting accounts by those that the company set", () => {
  expect(getLedgerAccounts({ sales: "8400", taxes: "" })).toMatchObject({ sales: "8400", taxes: "47700000" });
});

test("posts a payment to the accounting account of its payment method", () => {
  const methods = ["cash", "bank_transfer", "check", "credit_card", "tpv_online", "booking_portal"];
  expect(methods.map(getLedgerMoneyAccount)).toEqual(["cash", "bank", "bank", "cards", "cards", "cards"]);
});

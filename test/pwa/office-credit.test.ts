import "./page.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { formatMoney, setAccount } from "../../pwa/office/src/account.ts";
import {
  listCreditFields,
  toCreditQuoteRequest,
  toCreditRequest,
} from "../../pwa/office/src/pages/money/credit-note-form.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

type CreditedDocument = Parameters<typeof listCreditFields>[0];

const createCreditedContract = (id: number): CreditedDocument["contracts"][number] => ({
  reservation_id: id,
  reference_detail: id === 7 ? "1234 BCD" : null,
  reference_dates: null,
  total: "121.00",
  items: [],
});
const single: CreditedDocument = { document_kind: "full", payment_status: "pending", contracts: [] };
const collective: CreditedDocument = { ...single, contracts: [createCreditedContract(7), createCreditedContract(9)] };
const names = (of: CreditedDocument, reason: string) => listCreditFields(of, { reason }).map(({ name }) => name);

beforeAll(async () => {
  Object.assign(document.documentElement, { lang: "en" });
  setAccount({ currency: "EUR", currency_decimals: 2 });
  await loadTexts("en");
});

describe("the form of a credit note", () => {
  test("requires a contract only to credit the tax of an unpaid collective invoice", () => {
    for (const reason of ["insolvency", "bad_debt"]) {
      expect(names(collective, reason)).toEqual(["reason", "reservation_id", "amount"]);
      expect(names(single, reason)).toEqual(["reason", "amount"]);
    }
    for (const reason of ["correction", "other"]) expect(names(collective, reason)).toEqual(["reason", "amount"]);
    const [, contract] = listCreditFields(collective, { reason: "bad_debt" });
    expect(contract).toMatchObject({ kind: "choice", required: true });
    const amount = formatMoney("121.00");
    expect(contract?.choices).toEqual([
      ["7", `Reservation 7 · ${amount} · 1234 BCD`],
      ["9", `Reservation 9 · ${amount}`],
    ]);
  });

  test("offers an unpaid debt as the reason only for full invoices that aren't paid", () => {
    const getReasons = (of: CreditedDocument) => listCreditFields(of, {})[0]?.choices?.map(([reason]) => reason);
    expect(getReasons(single)).toEqual(["correction", "insolvency", "bad_debt", "other"]);
    expect(getReasons({ ...single, document_kind: "simplified" })).toEqual(["correction", "other"]);
    expect(getReasons({ ...single, payment_status: "paid" })).toEqual(["correction", "other"]);
  });

  test("previews a credit note with the reason, contract and amount that are sent to issue it", () => {
    const values = { reason: "bad_debt", reservation_id: "9", amount: "6,94" };
    expect(toCreditQuoteRequest(collective, values)).toEqual({ reason: "bad_debt", reservation_id: 9, amount: "6.94" });
    expect(toCreditRequest({ reason: "bad_debt", reservation_id: "9", amount: "6.94" })).toEqual(
      toCreditQuoteRequest(collective, values),
    );
    expect(toCreditQuoteRequest(single, { reason: "insolvency" })).toEqual({ reason: "insolvency" });
  });

  test("previews nothing until a required contract is chosen, and drops it for another reason", () => {
    expect(toCreditQuoteRequest(collective, { reason: "bad_debt" })).toBeUndefined();
    expect(toCreditQuoteRequest(collective, { reason: "correction", reservation_id: "9" })).toEqual({
      reason: "correction",
    });
  });
});

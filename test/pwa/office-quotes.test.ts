import "./page.ts";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import type { SaleQuote } from "../../pwa/office/src/desk/quote.ts";
import {
  type CustomerQuote,
  getHighlightedQuoteAction,
  listQuotePageActions,
  toDateTimeInputValue,
} from "../../pwa/office/src/pages/quotes/quote.ts";
import {
  buildSaleBody,
  getInitialSaleValues,
  getSaleSubmission,
  isPriceUnchanged,
  listMissingSaleFields,
  type SaleFormValues,
  toQuoteChangeRequest,
  toSaleFormValues,
} from "../../pwa/office/src/pages/reservations/sale-form.ts";
import { findCommonRefusalReason } from "../../pwa/office/src/pages/reservations/sale-quotes.ts";

const TODAY = "2030-06-01" as CivilDate;
const QUOTE = {
  id: 12,
  ...{ date_from: "2030-06-10", time_from: "10:00", date_to: "2030-06-13", time_to: "09:30" },
  ...{ pickup_place_id: 1, return_place_id: 2, driver_age: null, notes: "By ferry" },
  products: [{ category_code: "ECON", quantity: 2 }],
  extras: [{ code: "SEAT", quantity: 1 }],
  ...{ valid_until: "2030-06-05 18:00:00.000+02:00", hold: true },
  customer: { id: null, name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: null, document_id: null },
} as unknown as CustomerQuote;

const change = (changes: Partial<SaleFormValues>) => {
  const before = toSaleFormValues(QUOTE);
  return toQuoteChangeRequest(before, { ...before, ...changes });
};

describe("a quote from the form of a new reservation", () => {
  const sale: SaleFormValues = {
    ...getInitialSaleValues(TODAY),
    ...{ pickup_place: "1", category_code: "ECON", name: "Ana", surname: "Ruiz", is_quote: true },
  };

  test("proposes a quote's expiry in a week, and allows holding the vehicle", () => {
    expect(buildSaleBody(sale)).toMatchObject({ valid_until: "2030-06-08T18:00", hold: false });
    expect(buildSaleBody({ ...sale, is_held: true })).toMatchObject({ hold: true });
    expect(listMissingSaleFields({ ...sale, valid_until: "" })).toEqual(["valid_until"]);
    expect(buildSaleBody({ ...sale, is_quote: false })).not.toHaveProperty("valid_until");
  });

  test("saves the sale form as a new quote, a new reservation or the change of a quote", () => {
    expect(getSaleSubmission(sale)).toMatchObject({ method: "POST", path: "/quotes" });
    expect(getSaleSubmission({ ...sale, is_quote: false })).toMatchObject({ method: "POST", path: "/reservations" });
    expect(getSaleSubmission(sale, 12)).toMatchObject({ method: "PATCH", path: "/quotes/12" });
  });

  test("sends another payer and monthly invoices of a quote only if chosen", () => {
    expect(buildSaleBody(sale)).not.toHaveProperty("billing_customer_id");
    expect(buildSaleBody({ ...sale, payer_id: 4, is_billed_monthly: true })).toMatchObject({
      ...{ billing_customer_id: 4, billing_period: "month" },
    });
  });
});

describe("the change of a quote", () => {
  test("sends no unchanged fields of a quote, so that its price stays", () => {
    expect(change({})).toEqual({});
    expect(change({ valid_until: "2030-06-07T12:00" })).toEqual({ valid_until: "2030-06-07T12:00" });
    expect(change({ date_to: "2030-06-14", extras: {} })).toEqual({ date_to: "2030-06-14", extras: [] });
  });

  test("sends emptied notes and an emptied promotion code of a quote, so that they are removed", () => {
    expect(change({ notes: "" })).toEqual({ notes: null });
    const before = { ...toSaleFormValues(QUOTE), promotion_code: "SUMMER" };
    expect(toQuoteChangeRequest(before, { ...before, promotion_code: "" })).toEqual({ promotion_code: "" });
  });

  test("sends a quote's customer if another one was chosen or the customer's data changed", () => {
    expect(change({ customer_id: 5 })).toEqual({ customer: { id: 5 } });
    expect(change({ phone: "600" })).toEqual({
      customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: "600" },
    });
  });

  test("shows the quoted price unless something changes that affects it", () => {
    const before = toSaleFormValues(QUOTE);
    expect(isPriceUnchanged(before, { ...before, notes: "", surname: "Mora" })).toBe(true);
    expect(isPriceUnchanged(before, { ...before, quantity: "1" })).toBe(false);
  });
});

describe("the page of a quote", () => {
  const all: CustomerQuote["allowed"] = ["change", "send", "accept", "decline", "duplicate"];

  test.each([
    ["draft", all, ["send", "change", "duplicate", "decline"], "send"],
    ["sent", all, ["change", "send", "duplicate", "decline"], undefined],
    ["accepted", ["duplicate"], ["duplicate"], undefined],
    ["declined", ["duplicate"], ["duplicate"], "duplicate"],
    ["expired", ["duplicate"], ["duplicate"], "duplicate"],
  ] as const)("lists the actions, the main one first, of a quote that is %s", (status, allowed, actions, main) => {
    const quote = { status, allowed: [...allowed] };
    expect([listQuotePageActions(quote), getHighlightedQuoteAction(quote)]).toEqual([actions, main]);
  });

  test("shows a quote's expiry in its date and time input", () => {
    expect(toDateTimeInputValue(QUOTE.valid_until)).toBe("2030-06-05T18:00");
  });
});

describe("reasons why no category is available", () => {
  const refused = (...reasons: readonly { readonly code: string; readonly field?: string }[]) =>
    ({ available: false, reasons, warnings: [], quote: null }) as SaleQuote;
  const early = { code: "return_not_after_pickup", field: "date_to" };

  test("shows a reason next to its field if it makes all categories unavailable", () => {
    const quotes = new Map([
      ["ECON", refused(early)],
      ["SUV", refused({ code: "sold_out", field: "category_code" }, early)],
    ]);
    expect(findCommonRefusalReason(quotes, "date_to")).toEqual(early);
    expect(findCommonRefusalReason(quotes, "category_code")).toBeUndefined();
  });

  test("shows no common reason before the first answer, or if a category is available", () => {
    expect(findCommonRefusalReason(new Map(), "date_to")).toBeUndefined();
    const free: SaleQuote = { ...refused(), available: true };
    expect(
      findCommonRefusalReason(
        new Map([
          ["ECON", refused(early)],
          ["SUV", free],
        ]),
        "date_to",
      ),
    ).toBeUndefined();
  });
});

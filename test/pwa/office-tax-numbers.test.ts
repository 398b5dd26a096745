import "./page.ts";
import { expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import { getDocumentNumberHint, isMistypedTaxNumber } from "../../pwa/office/src/desk/tax-number-warning.ts";
import { listCustomerFields } from "../../pwa/office/src/pages/customers/customer.ts";

test("warns about a mistyped document number in fields for documents only", () => {
  expect(getDocumentNumberHint("customer.document_id", "12345678A")).toMatchObject({ isWarning: true });
  expect(getDocumentNumberHint("document_id", "12345678Z")).toEqual({});
  expect(getDocumentNumberHint("external_operation_number", "12345678A")).toEqual({});
  expect(getDocumentNumberHint("document_id", undefined)).toEqual({});
});

test("doesn't warn about the number of another country", () => {
  expect(["", undefined, "ES", "es"].map((country) => isMistypedTaxNumber("12345678A", { country }))).toEqual(
    Array(4).fill(true),
  );
  expect(isMistypedTaxNumber("12345678A", { country: "DE" })).toBe(false);
});

test("warns about a company's number in the form of companies, and of people only about personal ones", () => {
  setAccount({ rental_locations: [], languages: [] });
  const showsWarning = (values: Readonly<Record<string, unknown>>) =>
    listCustomerFields(values).find(({ name }) => name === "document_id")?.isWarning ?? false;
  expect(showsWarning({ customer_type: "legal_entity", document_id: "A12345679" })).toBe(true);
  expect(showsWarning({ customer_type: "individual", document_id: "A12345679" })).toBe(false);
  expect(showsWarning({ customer_type: "individual", document_id: "12345678A" })).toBe(true);
  expect(showsWarning({ customer_type: "individual", document_id: "12345678A", address_country: "FR" })).toBe(false);
});

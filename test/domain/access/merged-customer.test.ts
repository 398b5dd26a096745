import { expect, test } from "vitest";
import { type MergeableCustomerField, pickMergedCustomerData } from "#domain/access/merged-customer.ts";

type Data = Readonly<Record<MergeableCustomerField, string | number | null>>;

const EMPTY: Data = {
  ...{ customerType: "individual", name: "Ana", surname: "", branchCode: null },
  ...{ discountBasisPoints: 0, paymentTermsDays: 0 },
  ...{ documentId: null, documentIdDate: null, documentIdExpirationDate: null, originCountry: null },
  ...{ dateOfBirth: null, language: null, email: null, phoneNumberPrefix: null, phoneNumber: null },
  ...{ mobilePhonePrefix: null, mobilePhone: null, addressStreet: null, addressNumber: null },
  ...{ addressComplement: null, addressCity: null, addressState: null, addressCountry: null, addressZip: null },
  ...{ einvoiceFormat: null, buyerReference: null, einvoiceEndpoint: null },
  ...{ dir3AccountingOffice: null, dir3ManagingBody: null, dir3ProcessingUnit: null },
};

test("fills missing data of the remaining customer in a merge, except branch, name and terms", () => {
  const from = { ...EMPTY, email: "old@example.com", addressCity: "Inca", branchCode: "AIR", paymentTermsDays: 30 };
  const into = { ...EMPTY, email: "new@example.com" };
  expect(pickMergedCustomerData(from, into, [])).toEqual({ ...into, addressCity: "Inca" });
});

test("takes each chosen field of a merge from the merged customer", () => {
  const from = { ...EMPTY, name: "Anna", email: "old@example.com", phoneNumber: "600", discountBasisPoints: 500 };
  const into = { ...EMPTY, email: "new@example.com", phoneNumber: "700" };
  expect(pickMergedCustomerData(from, into, ["name", "email", "discountBasisPoints"])).toEqual({
    ...into,
    ...{ name: "Anna", email: "old@example.com", discountBasisPoints: 500 },
  });
});

test("mixes no addresses, telephones or documents of two customers in a merge", () => {
  const from: Data = {
    ...EMPTY,
    addressStreet: "Carrer Nou",
    addressCity: "Inca",
    phoneNumberPrefix: "34",
    phoneNumber: "600",
  };
  const into: Data = {
    ...EMPTY,
    addressStreet: "Hauptstr.",
    addressZip: "24103",
    phoneNumber: "700",
    documentId: "X1",
  };
  const other: Data = { ...from, documentId: "Y2", documentIdExpirationDate: "2031-01-01" };
  expect(pickMergedCustomerData(other, into, [])).toEqual(into);
  expect(pickMergedCustomerData(other, into, ["addressStreet", "documentId"])).toEqual({
    ...into,
    ...{ addressStreet: "Carrer Nou", addressCity: "Inca", addressZip: null },
    ...{ documentId: "Y2", documentIdExpirationDate: "2031-01-01" },
  });
  // Both customers have the same identity document, but only one has its expiry date.
  expect(pickMergedCustomerData({ ...other, documentId: "X1" }, into, []).documentIdExpirationDate).toBe("2031-01-01");
});

test("replaces no value of the remaining customer by a missing one in a merge", () => {
  const into = { ...EMPTY, email: "new@example.com" };
  expect(pickMergedCustomerData(EMPTY, into, ["email", "branchCode"])).toEqual(into);
});

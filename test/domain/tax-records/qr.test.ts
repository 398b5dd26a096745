import { expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { createQrUrl, isQrUrl } from "#domain/tax-records/qr.ts";
import { isMistypedTaxId, parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";

const PRODUCTION = "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR";
const invoice = (issuer: string, number: string, date: string) => ({ issuer, number, date: date as CivilDate });

test.each([
  ["12345678-G33", "2024-09-01", "241.4", "numserie=12345678-G33&fecha=01-09-2024&importe=241.4"],
  ["12345678&G33", "2024-01-01", "241.4", "numserie=12345678%26G33&fecha=01-01-2024&importe=241.4"],
  ["R-PMI-26/1", "2026-11-21", "-121.00", "numserie=R-PMI-26%2F1&fecha=21-11-2026&importe=-121.00"],
])("builds the URL in a tax record's QR code as the agency specifies: %s", (number, date, total, query) => {
  const address = createQrUrl("production", invoice("89890001K", number, date), total);
  expect(address).toBe(`${PRODUCTION}?nif=89890001K&${query}`);
  expect(isQrUrl(address)).toBe(true);
});

test("links the QR code of a test invoice to the agency's test service", () => {
  expect(createQrUrl("test", invoice("89890001K", "12345678-G33", "2024-09-01"), "241.4")).toBe(
    "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.4",
  );
  expect(createQrUrl("production", invoice("A86018322", "FACT001", "2025-10-01"), "100.23")).toBe(
    `${PRODUCTION}?nif=A86018322&numserie=FACT001&fecha=01-10-2025&importe=100.23`,
  );
});

test.each([
  ["a comma in the amount", "nif=89890001K&numserie=1&fecha=01-09-2024&importe=241,40"],
  ["a fifth value", "nif=89890001K&numserie=1&fecha=01-09-2024&importe=241.4&formato=json"],
  ["a date with the year first", "nif=89890001K&numserie=1&fecha=2024-09-01&importe=241.4"],
  ["an unescaped ampersand in the number", "nif=89890001K&numserie=12345678&G33&fecha=01-01-2024&importe=241.4"],
  ["another order of its values", "numserie=1&nif=89890001K&fecha=01-09-2024&importe=241.4"],
  ["three decimals", "nif=89890001K&numserie=1&fecha=01-09-2024&importe=241.400"],
  ["an invalid day", "nif=89890001K&numserie=1&fecha=31-02-2024&importe=241.4"],
  ["a wrong check letter", "nif=89890001A&numserie=1&fecha=01-09-2024&importe=241.4"],
])("rejects the URL of a tax record's QR code with %s", (_, query) => {
  expect(isQrUrl(`${PRODUCTION}?${query}`)).toBe(false);
});

test("rejects a QR code address of invoices that aren't sent to the tax agency", () => {
  const query = "nif=89890001K&numserie=1&fecha=01-09-2024&importe=1.00";
  expect([isQrUrl(`${PRODUCTION}?${query}`), isQrUrl(`${PRODUCTION}NoVerifactu?${query}`)]).toEqual([true, false]);
});

test("rejects a QR code address on another host than the tax agency's", () => {
  expect(isQrUrl("https://example.com/ValidarQR?nif=89890001K&numserie=1&fecha=01-09-2024&importe=1.00")).toBe(false);
});

test.each([
  "89890001K",
  "00000000T",
  "X0000000T",
  "Y1234567X",
  "A86018322",
  "B72877814",
  "A39200019",
  "B07123458",
  "P2807900B",
])("accepts the Spanish tax number %s, with any spacing", (id) => {
  expect(parseSpanishTaxId(` ${id.slice(0, 1)}-${id.slice(1).toLowerCase()}`)).toBe(id);
});

test.each(["89890001A", "B07123457", "12345678", "", "X0000000A", "1A2B3C4D5"])(
  "rejects %s as a Spanish tax number",
  (id) => {
    expect(parseSpanishTaxId(id)).toBeUndefined();
  },
);

test.each([
  ["12345678A", true, true],
  ["x-1234567-z", true, true],
  ["ES 12345678A", true, true],
  ["B07123457", false, true],
  ["12345678Z", false, false],
  ["X1234567L", false, false],
  ["A86018322", false, false],
  ["X123", false, false],
  ["AAA123456", false, false],
  ["A12345679", false, true],
])("recognizes whether %s is a mistyped Spanish number of a person or company", (id, ofPerson, ofCompany) => {
  expect([isMistypedTaxId(id, "person"), isMistypedTaxId(id, "company")]).toEqual([ofPerson, ofCompany]);
});

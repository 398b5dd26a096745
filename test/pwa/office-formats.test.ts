import "./page.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { formatCompanyMoment, setAccount } from "../../pwa/office/src/account.ts";
import { formatChargeKind } from "../../pwa/office/src/desk/charge-kind.ts";
import { formatCell } from "../../pwa/office/src/pages/cell-text.ts";
import { formatChangedRecordId } from "../../pwa/office/src/pages/changes.tsx";
import {
  formatHistoryValue,
  getHistoryValueLabel,
} from "../../pwa/office/src/pages/reservations/reservation-history.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";

const setCurrency = (currency: string, decimals: number) => {
  Object.assign(document.documentElement, { lang: "de" });
  setAccount({ currency, currency_decimals: decimals, timezone: "Europe/Berlin" });
};
const cell = (list: Parameters<typeof getResource>[0], name: string, record: Readonly<Record<string, unknown>>) => {
  const field = getResource(list).fields.find((field) => field.name === name);
  return field && formatCell(field, record).replaceAll("\u00a0", " ");
};

describe("lists and histories of the office", () => {
  beforeAll(() => setCurrency("EUR", 2));

  test("formats amounts, percentages and days in the user's language", () => {
    expect(cell("extras", "price", { price: "1234.50" })).toBe("1.234,50 €");
    expect(cell("extras", "vat_percent", { vat_percent: "5.20" })).toBe("5,2 %");
    expect(cell("closed-dates", "date", { date: "2024-12-25" })).toBe("Mi., 25. Dez. 2024");
  });

  test("shows lists and translations as texts, never as raw data", async () => {
    await loadTexts("de");
    setAccount({ rental_locations: [{ code: "PALMA", name: "Palma Zentrum", rental_storage_id: 1 }] });
    expect(cell("categories", "translations", { translations: {} })).toBe("–");
    expect(cell("categories", "translations", { translations: { name: { en: "Small car" } } })).toBe(
      "Englisch: Small car",
    );
    expect(cell("seasons", "branch_codes", { branch_codes: ["PALMA"] }) ?? "Palma Zentrum").toBe("Palma Zentrum");
    expect(formatChangedRecordId("PALMA~2024-12-24")).toBe("Palma Zentrum · Di., 24. Dez. 2024");
    expect(formatHistoryValue([{ category_code: "ECON", quantity: 1 }], "products")).toBe("ECON");
    expect(formatHistoryValue([{ category_code: "ECON", quantity: 2 }], "products")).toBe("2 × ECON");
    setCurrency("EUR", 2);
  });

  test("names the language of users and texts instead of its code", () => {
    expect(cell("users", "language", { language: "es" })).toBe("Spanisch");
    expect(cell("legal-texts", "language", { language: "ca" })).toBe("Katalanisch");
  });

  test("formats amounts, percentages and times of a history by their names", async () => {
    await loadTexts("de");
    setCurrency("EUR", 2);
    const format = (value: unknown, name: string) => formatHistoryValue(value, name).replaceAll("\u00a0", " ");
    const discount = { kind: "percentage", value: "10.00", reason: "Stammkunde" };
    expect(format(discount, "discount")).toBe("10 % · Stammkunde");
    expect(format({ ...discount, kind: "amount" }, "discount")).toBe("10,00 € · Stammkunde");
    expect(format("7.50", "discount_percent")).toBe("7,5 %");
    expect(format("500.01", "refund_asked")).toBe("500,01 €");
    expect(format("2024-07-02T08:30", "starts_at")).toBe("Di., 2. Juli 2024, 08:30");
    const closing = { extra_days: 1, extra_days_cost: "25.00", fuel_cost: "0.00", kilometres_cost: "0.00" };
    expect(format(closing, "closing")).toMatch(/ 25,00 €$/);
  });

  test("labels the fuel of a hand-over as its level, and of a vehicle as its type", async () => {
    await loadTexts("de");
    expect([getHistoryValueLabel("fuel", "6/8"), getHistoryValueLabel("fuel", "diesel")]).toEqual([
      "Tank oder Ladung",
      "Kraftstoffart",
    ]);
  });

  test("formats English dates in the office by the company's country", () => {
    const wrote = (country_code: string) => {
      Object.assign(document.documentElement, { lang: "en" });
      setAccount({ country_code, currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
      return cell("closed-dates", "date", { date: "2024-12-25" });
    };
    expect([wrote("ES"), wrote("US")]).toEqual(["Wed, 25 Dec 2024", "Wed, Dec 25, 2024"]);
    setCurrency("EUR", 2);
  });

  test("labels fields that authorities need as in their form", async () => {
    await loadTexts("de");
    const fieldNames = ["driver_surname", "customer_address[zip]", "additional_driver_1_driving_license_number"];
    expect(formatHistoryValue(fieldNames, "fields")).toBe(
      "Fahrer: Nachname, Postleitzahl, Zweiter Fahrer: Führerscheinnummer",
    );
  });

  test("formats a value as percentage or amount by the type next to it", () => {
    expect(cell("offers", "value", { discount_type: "percentage", value: "15.00" })).toBe("15 %");
    expect(cell("offers", "value", { discount_type: "amount", value: "12.00" })).toBe("12,00 €");
  });

  test("shows times in the company's time zone, wherever the browser is", () => {
    expect(formatCompanyMoment("2024-07-01T22:30:05.123Z")).toBe("Di., 2. Juli 2024, 00:30");
  });

  test("shows a retained deposit as not refunded", async () => {
    await loadTexts("de");
    const returnedDeposit = { virtual: true, source_doc: "deposit_returned", payment_type: "payment" } as const;
    const paid = { virtual: false, source_doc: "booking", payment_type: "charge" } as const;
    expect(formatChargeKind({ ...returnedDeposit, deposit_kept: true })).toBe("Von der Kaution einbehalten");
    expect(formatChargeKind({ ...returnedDeposit, deposit_kept: false })).toBe("Kaution zurückgezahlt");
    expect(formatChargeKind({ ...paid, deposit_kept: true })).toBe("Mit der Kaution verrechnet");
    expect(formatChargeKind({ ...paid, deposit_kept: false })).toBe("Bezahlt");
  });

  test.each([
    ["JPY", 0, "16266", "16.266 ¥"],
    ["KWD", 3, "162.666", "162,666 KWD"],
  ])("formats a reservation's total with the decimals of the currency %s", (currency, decimals, total, text) => {
    setCurrency(currency, decimals);
    expect(formatHistoryValue(total, "total").replaceAll("\u00a0", " ")).toBe(text);
    expect(formatHistoryValue("1500", "kilometres")).toBe("1500");
  });
});

import "./page.ts";
import { beforeAll, expect, test } from "vitest";
import { takeAccount } from "../../pwa/office/src/account.ts";
import { splitTaskReason } from "../../pwa/office/src/pages/today/why.ts";
import {
  dueText,
  formatReasonPart,
  formatTaskReason,
  unbookedText,
} from "../../pwa/office/src/pages/today/why-words.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

beforeAll(async () => {
  Object.assign(document.documentElement, { lang: "de" });
  takeAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  await loadTexts("de");
});

test("money that is in no book is said with its kinds and amounts, and nothing where there is none", () => {
  const reasonText = unbookedText("payment 49.00, deposit_taken 1300.00, deposit_returned 5.50").replaceAll(
    "\u00a0",
    " ",
  );
  expect(reasonText).toBe("Nicht gebucht: Zahlung 49,00 €, Kaution genommen 1.300,00 €, Kaution zurückgegeben 5,50 €.");
  expect(unbookedText("")).toBe("");
});

test("what a vehicle is due for says by when, a service by its kilometres", () => {
  expect(dueText("service at 15000").replaceAll("\u00a0", " ")).toBe("Wartung bei Kilometer 15.000");
  expect(dueText("insurance 2027-05-03")).toContain("3. Mai");
});

test("amounts are money in any currency, those of yen and dinars too", () => {
  const formatReasonIn = (
    currency: string,
    currency_decimals: number,
    ...reasonText: Parameters<typeof formatReasonPart>
  ) => {
    takeAccount({ currency, currency_decimals, timezone: "Asia/Tokyo" });
    return formatReasonPart(...reasonText).replaceAll("\u00a0", " ");
  };
  expect(formatReasonIn("JPY", 0, "refund_due", 0, "35845")).toBe("35.845 ¥");
  expect(formatReasonIn("JPY", 0, "refund_waiting", 0, "50047")).toBe("50.047 ¥");
  expect(formatReasonIn("KWD", 3, "overpaid", 1, "47.723")).toBe("47,723 KWD");
  expect(formatReasonIn("EUR", 2, "document_incomplete", 0, "121.00")).toBe("121,00 €");
  expect(formatReasonPart("overpaid", 1, "")).toBe("");
  expect(formatReasonPart("refund_waiting", 1, "50047")).toBe("50047");
});

test("what a customer lacks for an invoice is named as its form names it", () => {
  const lacking = "name, document_id, address_street, address_city";
  expect(formatReasonPart("document_incomplete", 1, lacking)).toBe("Name, Steuernummer, Straße, Stadt");
});

test("that an account went back is no number of times within an hour", () => {
  expect(splitTaskReason({ kind: "security_alert", why: "database_restored" })).toEqual([
    "database_restored",
    undefined,
  ]);
  expect(splitTaskReason({ kind: "security_alert", why: "sign_in_failed, 20 within an hour" })).toEqual([
    "sign_in_failed",
    "20",
  ]);
});

test("what an import holds without an end is said with its pickup, and what to do", () => {
  const why = "it is not confirmed, and nothing ends its hold: its vehicles are taken from 2027-05-03 10:00";
  expect(formatTaskReason({ kind: "unconfirmed_import", why })).toMatch(/Import.*3\. Mai.*10:00\. Bitte bestätigen/);
});

test("who did not come, by the clock or by the driver's word, is said with the hour", () => {
  const reasonText = (why: string) => formatTaskReason({ kind: "no_show", why });
  expect(reasonText("nobody came for it at 2027-05-03 10:00")).toMatch(/^Niemand kam: Abholung .*3\. Mai.*10:00$/);
  expect(reasonText("who drives it says that nobody came at 2027-05-03 10:00")).toMatch(
    /^Niemand kam, sagt der Fahrer: .*3\. Mai.*10:00$/,
  );
});

import "./page.ts";
import { beforeAll, expect, test } from "vitest";
import { takeAccount } from "../../pwa/office/src/account.ts";
import { partsOfWhy } from "../../pwa/office/src/pages/today/why.ts";
import { dueText, unbookedText } from "../../pwa/office/src/pages/today/why-words.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

beforeAll(async () => {
  Object.assign(document.documentElement, { lang: "de" });
  takeAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  await loadTexts("de");
});

test("money that is in no book is said with its kinds and amounts, and nothing where there is none", () => {
  const said = unbookedText("payment 49.00, deposit_taken 1300.00, deposit_returned 5.50").replaceAll("\u00a0", " ");
  expect(said).toBe("Nicht gebucht: Zahlung 49,00 €, Kaution genommen 1.300,00 €, Kaution zurückgegeben 5,50 €.");
  expect(unbookedText("")).toBe("");
});

test("what a vehicle is due for says by when, a service by its kilometres", () => {
  expect(dueText("service at 15000").replaceAll("\u00a0", " ")).toBe("Wartung bei Kilometer 15.000");
  expect(dueText("insurance 2027-05-03")).toContain("3. Mai");
});

test("that an account went back is no number of times within an hour", () => {
  expect(partsOfWhy({ kind: "security_alert", why: "went_back" })).toEqual(["went_back", undefined]);
  expect(partsOfWhy({ kind: "security_alert", why: "sign_in_failed, 20 within an hour" })).toEqual([
    "sign_in_failed",
    "20",
  ]);
});

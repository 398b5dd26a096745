import { expect, test } from "vitest";
import { listCustomerLanguages, listTextLanguages } from "../../pwa/office/src/pages/text-languages.ts";

test("offers translations in the company's languages, whatever the office's language", () => {
  const boats = { languages: ["en", "ja", "fr"], default_language: "en" };
  expect(listTextLanguages(boats)).toEqual(["ja", "fr"]);
  expect(listTextLanguages({ languages: ["es"], default_language: "es" })).toEqual([]);
});

test("allows changing and deleting texts in a language the company no longer uses", () => {
  const translations = { de: "Boot", ja: "ボート" };
  expect(listTextLanguages({ languages: ["en", "ja"], default_language: "en" }, translations)).toEqual(["ja", "de"]);
});

test("offers all customer languages for a customer, the company's first", () => {
  expect(listCustomerLanguages({ languages: ["en", "ja"] })).toEqual([
    ...["en", "ja", "es", "ca", "de", "fr", "it", "pt", "nl"],
  ]);
});

import { expect, test } from "vitest";
import { languagesOfTexts } from "../../pwa/office/src/pages/text-languages.ts";

test("texts are translated into the company's languages, whatever the office itself speaks", () => {
  const boats = { languages: ["en", "ja", "fr"], default_language: "en" };
  expect(languagesOfTexts(boats)).toEqual(["ja", "fr"]);
  expect(languagesOfTexts({ languages: ["es"], default_language: "es" })).toEqual([]);
});

test("what is said in a language that the company has given up can be changed and taken away", () => {
  const said = { de: "Boot", ja: "ボート" };
  expect(languagesOfTexts({ languages: ["en", "ja"], default_language: "en" }, said)).toEqual(["ja", "de"]);
});

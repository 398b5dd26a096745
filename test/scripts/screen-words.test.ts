import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findForbiddenWords, readForbiddenWords } from "#support/glossary.ts";

const LANGUAGES = ["en", "es", "ca", "de"] as const;
type Language = (typeof LANGUAGES)[number];

interface ScreenText {
  readonly file: string;
  readonly language: Language;
  readonly key: string;
  readonly text: string;
}

const FORBIDDEN = readForbiddenWords(readFileSync("docs/glossary.md", "utf8"));

/** Returns the forbidden words in a text. */
const findForbidden = (language: Language, text: string) => findForbiddenWords(FORBIDDEN[language], text);

/** Returns the keys of a text file with their string values. */
const listTexts = (source: string) =>
  [...source.matchAll(/"?([^"\s]*?)"?:\s*\n?\s*"((?:\\.|[^"\\\n])+)"/g)].map(([, key = "", text = ""]) => ({
    key,
    text,
  }));

const screenTexts: readonly ScreenText[] = LANGUAGES.flatMap((language) =>
  globSync([
    `pwa/office/src/i18n/**/${language}.ts`,
    `pwa/check-in/src/i18n/**/${language}.ts`,
    `pwa/widget/src/texts/${language}.ts`,
  ]).flatMap((file) => listTexts(readFileSync(file, "utf8")).map((text) => ({ file, language, ...text }))),
);

const INFORMAL: Partial<Record<Language, RegExp>> = {
  es: /(?<!\p{L})(?:tu|tus|tú|ti|te|contigo)(?!\p{L})/iu,
  ca: /(?<!\p{L})(?:teus?|tev(?:a|es)|et|tu mateix)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:du|dich|dir|dein(?:e[rmns]?)?)(?![\p{L}\d])/iu,
};
const FORMAL: Partial<Record<Language, RegExp>> = {
  es: /(?<!\p{L})(?:ustede?s?|elija|introduzca|inténtelo|revise|rellene|vuelva|consulte|pida)(?!\p{L})/iu,
  ca: /(?<!\p{L})(?:vós|vostr[ea]s?|trieu|introduïu|torneu|reviseu|consulteu|demaneu)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:Ihnen|Ihr(?:e[rmns]?)?|\p{L}+en Sie)(?!\p{L})/u,
};
const isCheckIn = ({ file }: ScreenText) => file.startsWith("pwa/check-in/");
const show = ({ file, text }: ScreenText) => `${file}: ${text}`;

/** Shows the length of a text with the first form of each plural. */
const measure = (text: string) => text.replace(/\{\w+\?([^|{}]*)\|[^{}]*\}/g, "$1").length;

describe("words on screens", () => {
  test("reads the forbidden words of each language from the glossary", () => {
    expect(LANGUAGES.filter((language) => FORBIDDEN[language].length === 0)).toEqual([]);
    expect(screenTexts.length).toBeGreaterThan(10_000);
  });

  test("uses no word on screens that the glossary forbids", () => {
    expect(screenTexts.filter(({ language, text }) => findForbidden(language, text).length > 0).map(show)).toEqual([]);
  });

  test.each([
    ["de", "Eine Gutschrift ausstellen", ["Gutschrift"]],
    ["es", "En su sucursal", ["sucursal"]],
    ["en", "Nobody came.", ["nobody came", "nobody"]],
    ["de", "Rechnungskorrektur ausstellen", []],
  ] as const)("finds the forbidden words of a text in %s: %j", (language, text, expectedWords) => {
    expect(findForbidden(language, text)).toEqual(expectedWords);
  });

  test("addresses customers and office staff formally, and users of the check-in app informally", () => {
    const misaddressedTexts = screenTexts.filter((screenText) =>
      (isCheckIn(screenText) ? FORMAL : INFORMAL)[screenText.language]?.test(screenText.text),
    );
    expect(misaddressedTexts.map(show)).toEqual([]);
    expect([INFORMAL.es?.test("Abre tu página"), FORMAL.de?.test("Wählen Sie eine Zeit.")]).toEqual([true, true]);
  });

  // Customers read "recogida" and "recollida" for the pickup. Staff would take these words for the return.
  test("avoids the ambiguous words recogida and recollida in staff texts in Spanish and Catalan", () => {
    const isAmbiguous = (text: string) => /(?<!\p{L})(?:recogidas?|recollid(?:a|es))(?!\p{L})/iu.test(text);
    const staffTexts = screenTexts.filter(({ file }) => !file.startsWith("pwa/widget/"));
    expect(staffTexts.filter(({ text }) => isAmbiguous(text)).map(show)).toEqual([]);
    expect([isAmbiguous("Recogida prevista: {at}"), isAmbiguous("Cliente recogido")]).toEqual([true, false]);
  });

  test("uses one word for licences, partners, the app and the privacy policy in Spanish and Catalan", () => {
    const isOtherWord: Partial<Record<Language, RegExp>> = {
      es: /(?<!\p{L})(?:carnet|socios?|aviso de privacidad|aplicación)(?!\p{L})/iu,
      ca: /(?<!\p{L})(?:carnet|socis?|avís de privadesa|aplicació)(?!\p{L})/iu,
    };
    expect(screenTexts.filter(({ language, text }) => isOtherWord[language]?.test(text)).map(show)).toEqual([]);
  });

  test("spells Catalan by the rules of 2016 and negates verbs after cap", () => {
    const isWrong = (text: string) =>
      /(?<!\p{L})(?:vés|dóna|vénen|sóc)(?!\p{L})/iu.test(text) ||
      /(?<!\p{L})cap (?!no )\p{L}+ (?:coincideix|pot|té)/iu.test(text);
    expect(screenTexts.filter(({ language, text }) => language === "ca" && isWrong(text)).map(show)).toEqual([]);
    expect(["Vés a Avui", "Cap vehicle coincideix", "Cap vehicle no coincideix"].map(isWrong)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("uses one kind of apostrophe on screens", () => {
    expect(screenTexts.filter(({ text }) => /[’‘]/u.test(text)).map(show)).toEqual([]);
  });

  test("puts a space before an ellipsis in German only", () => {
    const isWrong = ({ language, text }: Pick<ScreenText, "language" | "text">) =>
      (language === "de" ? /\p{L}…$/u : /\s…/u).test(text);
    expect(screenTexts.filter(isWrong).map(show)).toEqual([]);
    expect(isWrong({ language: "en", text: "Import as …" })).toBe(true);
  });

  test("has a singular and a plural wherever English has them, unless the words don't change", () => {
    const hasPlural = (text: string) => /\{\w+\?/.test(text);
    const isInvariable = (text: string) =>
      /\}(?:-mal| (?:Achtel|Fehler|Treffer|Zeichen|zu erledigen|por resolver|per resoldre))(?!\p{L})/u.test(text);
    const withoutLanguage = ({ file, key }: ScreenText) => `${file.replace(/\w+\.ts$/, "")} ${key}`;
    const counted = new Set(
      screenTexts.filter(({ language, text }) => language === "en" && hasPlural(text)).map(withoutLanguage),
    );
    const faultyTexts = screenTexts.filter(
      (screenText) =>
        counted.has(withoutLanguage(screenText)) && !hasPlural(screenText.text) && !isInvariable(screenText.text),
    );
    expect(counted.size).toBeGreaterThan(50);
    expect(faultyTexts.map(show)).toEqual([]);
    expect(["{n} pendientes de {name}.", "{n} por resolver"].map(isInvariable)).toEqual([false, true]);
  });

  test("limits screen texts to 100 characters in English", () => {
    expect(screenTexts.filter(({ language, text }) => language === "en" && measure(text) > 100).map(show)).toEqual([]);
    expect(measure("{n} {n?day|days}")).toBe(7);
  });
});

import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import ca from "#app/i18n/ca.ts";
import de from "#app/i18n/de.ts";
import en from "#app/i18n/en.ts";
import es from "#app/i18n/es.ts";
import { t } from "#app/i18n/texts.ts";
import { clockOffsetMs } from "#app/state/device-session.ts";
import { formatDay, formatDeviceMoment, formatMoment } from "#app/state/format-time.ts";
import { formatMoney, fromCents, toCents } from "#app/state/money.ts";
import { chooseLanguage, country } from "#app/state/preferences.ts";
import { settings } from "#app/state/settings.ts";
import { CONFLICT_MESSAGES } from "#domain/check-in/outcome.ts";
import { createCheckInSettings } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { SIGNATURE_ERROR_TEXTS } from "../../pwa/check-in/src/screens/work/photo-input.tsx";

const TABLES = { en, es, ca, de } as const;
type Language = keyof typeof TABLES;
const LANGUAGES = Object.keys(TABLES) as Language[];

beforeEach(() => {
  country.value = "ES";
  settings.value = createCheckInSettings("Ana", "operator");
  clockOffsetMs.value = 0;
});

test("mentions no photo if a signature can't be saved, in each language", () => {
  const keys = (["no_room", "gone", "failed"] as const).map((result) => SIGNATURE_ERROR_TEXTS[result] ?? "signed");
  const texts = LANGUAGES.flatMap((language) => keys.map((key) => TABLES[language][key]));
  expect(texts.filter((text) => /[fp]h?oto/i.test(text))).toEqual([]);
});

test("mentions in each conflict message that the work is kept as evidence, in each language", () => {
  const evidenceTexts = {
    en: "kept as evidence",
    es: "queda como prueba",
    ca: "queda com a prova",
    de: "bleibt als Beleg",
  };
  const silent = LANGUAGES.flatMap((language) =>
    (Object.keys(CONFLICT_MESSAGES) as (keyof typeof CONFLICT_MESSAGES)[])
      .filter((code) => !TABLES[language][`code_${code}`].includes(evidenceTexts[language]))
      .map((code) => `${language} ${code}`),
  );
  expect(silent).toEqual([]);
});

describe("singular and plural forms", () => {
  test.each([
    ["en", "1 extra day", "2 extra days", "1 photo"],
    ["es", "1 día de más", "2 días de más", "1 foto"],
    ["ca", "1 dia de més", "2 dies de més", "1 foto"],
    ["de", "1 zusätzlicher Tag", "2 zusätzliche Tage", "1 Foto"],
  ] as const)(
    "uses singular and plural of the check-in app's texts by the number, in %s",
    async (language, item, two, photo) => {
      await chooseLanguage(language);
      expect([t("closingDays", { n: 1 }), t("closingDays", { n: 2 }), t("photoCount", { n: 1 })]).toEqual([
        item,
        two,
        photo,
      ]);
    },
  );

  test.each([
    ["en", "signed on screen", "Sign on screen"],
    ["es", "firmado en pantalla", "Firmar en pantalla"],
    ["ca", "signat a la pantalla", "Signa a la pantalla"],
    ["de", "auf dem Bildschirm unterschrieben", "Auf dem Bildschirm"],
  ] as const)("distinguishes the signing method used from the method to choose, in %s", async (language, was, how) => {
    await chooseLanguage(language);
    expect([t("signed_drawn"), t("sign_drawn")]).toEqual([was, how]);
  });

  // Proves "check-in.md": W12k
  test("uses singular and plural forms for the number of queued operations in German", async () => {
    await chooseLanguage("de");
    expect([1, 3].map((n) => t("statusWaiting", { n }))).toEqual(["1 wartet", "3 warten"]);
  });

  test.each(LANGUAGES)("has no unknown placeholder, incomplete plural or empty text in %s", (language) => {
    const faultyTexts = Object.entries(TABLES[language]).filter(([key, text]) => {
      const holes = [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);
      const known = [...(en[key as keyof typeof en] ?? "").matchAll(/\{(\w+)/g)].map(([, name]) => name);
      const hasStrayBraces = text.replace(/\{\w+(\?[^|{}]+\|[^{}]*)?\}/g, "").match(/[{}|]/) !== null;
      return hasStrayBraces || text.trim() === "" || holes.some((name) => !known.includes(name ?? ""));
    });
    expect(faultyTexts).toEqual([]);
  });
});

describe("times", () => {
  // Proves "check-in.md": W7
  test("shows times in the company's time zone, whatever the server and the device use", async () => {
    await chooseLanguage("en");
    const today = getTodayAtCompany();
    expect(formatMoment(`${today}T10:00:00.000Z`)).toMatch(/^1[12]:00$/);
  });

  // Proves "check-in.md": N6
  test("shows the date with a time of another day, so an old list can't pass as today's", async () => {
    await chooseLanguage("en");
    expect(formatDeviceMoment(Date.parse("2024-05-03T21:14:00Z"))).toBe("Fri, 3 May 2024, 23:14");
  });

  test("shows times corrected by the offset of a wrong device clock", () => {
    clockOffsetMs.value = 2 * 86_400_000;
    expect(formatDeviceMoment(Date.now())).toMatch(/^\d\d:\d\d$/);
  });
});

// Proves "check-in.md": W12l
test.each([
  ["en", "ES", "Thu, 1 May 2031", "€1,234.50"],
  ["en", "US", "Thu, May 1, 2031", "€1,234.50"],
  ["es", "US", "jue, 1 may 2031", "1.234,50 €"],
  ["ca", "ES", "dj., 1 de maig 2031", "1.234,50 €"],
  ["de", "US", "Do., 1. Mai 2031", "1.234,50 €"],
] as const)("formats days and amounts in %s for a company in %s", async (language, where, day, amount) => {
  country.value = where;
  await chooseLanguage(language);
  expect([formatDay("2031-05-01"), formatMoney("1234.50").replace(/\s/g, " ")]).toEqual([day, amount]);
});

test.each([
  ["en", "$480.60"],
  ["es", "480,60 $"],
  ["ca", "480,60 $"],
  ["de", "480,60 $"],
] as const)("shows the company's own dollars as $ in %s", async (language, amount) => {
  await chooseLanguage(language);
  settings.value = { ...createCheckInSettings("Ana", "operator"), currency: "USD" };
  expect(formatMoney("480.60").replace(/\s/g, " ")).toBe(amount);
});

test.each([
  ["12.5", 2, 1250],
  ["12,50", 2, 1250],
  ["12.", 2, 1200],
  ["1.234", 2, undefined],
  ["1,234", 2, undefined],
  ["1.234,50", 2, undefined],
  ["1.234", 3, 1234],
  ["1200", 0, 1200],
  ["1.250", 0, 1250],
  ["1,250", 0, 1250],
  ["1.250,000", 0, 1_250_000],
  ["12.5", 0, undefined],
  ["12.50", 0, undefined],
  ["1250.000", 0, undefined],
])("parses %j as an amount of %d decimals as %s minor units", (typedAmount, decimals, cents) => {
  expect(toCents(typedAmount, decimals)).toBe(cents);
  if (cents !== undefined) expect(toCents(fromCents(cents, decimals), decimals)).toBe(cents);
});

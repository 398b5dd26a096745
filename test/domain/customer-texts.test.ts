import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getDocumentTexts } from "#domain/documents/texts.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import { resolveLocale } from "#shared/locale.ts";
import { type CustomerText, listCustomerTexts } from "#support/customer-texts.ts";
import { findForbiddenWords, readForbiddenWords } from "#support/glossary.ts";
import { companyTexts } from "#worker/site/company-texts.ts";
import { textsByLanguage } from "../../pwa/widget/src/texts/texts-by-language.ts";

/** Texts that are the same in English or Spanish, or that are names. */
const SHARED: Readonly<Record<Exclude<PlatformLanguage, "en" | "es">, readonly string[]>> = {
  ca: ["Vehicle", "Vehicle: 3", "Adults", "Model", "Signatures", "Interior", "Total", "Total: 4"],
  de: ["optional", "Extras", "Diesel", "Hybrid", "Extras: 23", "Transfer", "Transfers"],
  fr: ["Date", "Diesel", "Total", "Signatures", "Grave"],
  it: ["Un momento…", "Cambio", "Diesel", "Password", "Periodo", "CLIENTE", "IVA", "Medio", "Grave", "Cliente: Zoe"],
  pt: [
    ...["Hora", "Código promocional", "Continuar", "Extras", "Suplementos", "Total", "Total: 4", "Reserva {n}"],
    ...["{name}, esta reserva está cancelada", "Adultos", "Abrir", "confirmada", "cancelada", "Número", "País"],
    ...["Seguro", "Cobertura básica"],
    ...[
      "Transfers",
      "Código postal",
      "Guardar",
      "Reembolso",
      "Reembolso: 8",
      "Idioma",
      "NIF",
      "Página {page} de {pages}",
      "Vale interno",
    ],
    ...["Contrato", "CLIENTE", "IVA", "Vencido", "Recibo", "Cheque", "Portal de reservas"],
    ...["Matrícula", "Modelo", "Grave", "Reserva: 7", "Contrato 12: https://acme.example/1"],
    ...["Acme: reserva confirmada (7)", "Acme: reserva cancelada (7)"],
    ...["Cliente: Zoe", "Extras: 23", "Gasolina", "Híbrido", "Ordenar por", "Recomendados"],
  ],
  nl: ["Transfers", "Diesel", "Contract", "Contract 12: https://acme.example/1", "Cheque", "Model", "Postcode"],
};
const NAMES = ["WhatsApp", "Acme", "https://acme.example/1"];

/** Words of an informal or wrong form of address: tu, você, je … */
const WRONG_ADDRESS: Readonly<Record<PlatformLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:thou|sir|madam)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:tu|tus|tú|ti|te|contigo)(?!\p{L})/iu,
  ca: /(?<!\p{L})(?:el teu|la teva|els teus|les teves|tu mateix|vostè)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:du|dich|dir|dein(?:e[rmns]?)?|euch)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:tu|toi|te|t'|ton|ta|tes)(?!\p{L})/iu,
  // Italian writes the formal words with a capital letter.
  it: /(?<!\p{L})(?:[tT]u|[tT]i|[tT]e|tu[oaei]|tuoi|su[oaei]|suoi)(?!\p{L})/u,
  pt: /(?<!\p{L})(?:tu|te|ti|teus?|tuas?|contigo|vocês?)(?!\p{L})/iu,
  nl: /(?<!\p{L})(?:je|jij|jou|jouw|jullie)(?!\p{L})/iu,
};

const BUTTONS = [
  ...(["choose", "goOn", "search", "change", "request", "payPart", "payAll", "save", "open", "retry"] as const),
  ...(["cancelIt", "showPrice", "confirmChange", "confirmCancel", "keepIt", "signOut", "signUp", "sendLink"] as const),
  ...(["changeBooking", "changeTrips", "contractOpen", "contractAgain", "again"] as const),
  ...(["freeDates", "searchDates"] as const),
];
/** Form of buttons: infinitives, but imperatives in Catalan and Italian. */
const BUTTON_FORMS = {
  ca: /^(?!\p{L}+(?:ar|ure)(?!\p{L}))\p{L}+/u,
  fr: /^(?:Se )?\p{L}+(?:er|ir|re)(?!\p{L})/u,
  it: /^(?!\p{L}+(?:are|ere|ire)(?!\p{L}))\p{L}+/u,
  pt: /^(?:\p{L}+[aei]r|Ver)(?!\p{L})/u,
  nl: /(?<!\p{L})\p{L}+(?:en|an)$|(?<!\p{L})\p{Lu}\p{L}+en(?!\p{L})/u,
} as const;

const show = ({ at, text }: CustomerText) => `${at}: ${text}`;
const find = (language: PlatformLanguage, isWrong: (text: string) => boolean) =>
  listCustomerTexts(language)
    .filter(({ text }) => isWrong(text))
    .map(show);

describe.each(PLATFORM_LANGUAGES)("texts for customers in %s", (language) => {
  test("has every customer text in each language", () => {
    const places = (textLanguage: PlatformLanguage) =>
      listCustomerTexts(textLanguage).filter(({ at }) => !at.startsWith("promotion"));
    expect(places(language).map(({ at }) => at)).toEqual(places("de").map(({ at }) => at));
    expect(find(language, (text) => text.trim() === "" || text.includes("undefined"))).toEqual([]);
  });

  test("has the same placeholders in customer texts as in English", () => {
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    const english = new Map(listCustomerTexts("en").map(({ at, text }) => [at, holes(text)]));
    const faultyTexts = listCustomerTexts(language).filter(
      ({ at, text }) => english.has(at) && String(holes(text)) !== String(english.get(at)),
    );
    expect(faultyTexts.map(show)).toEqual([]);
  });

  test("uses one form of address for customers in each language", () => {
    expect(find(language, (text) => WRONG_ADDRESS[language].test(text))).toEqual([]);
  });

  test("uses no word in customer texts that the glossary forbids", () => {
    const words = readForbiddenWords(readFileSync("docs/glossary.md", "utf8"))[language];
    expect(words.length).toBeGreaterThan(0);
    expect(find(language, (text) => findForbiddenWords(words, text).length > 0)).toEqual([]);
  });

  test("names the amount still to pay, credit notes and the phone alike in the widget, mails, pages and printouts", () => {
    const { pending, phone } = textsByLanguage[language];
    const [printed, contract] = [getPrintTexts(language), getContractTexts(language)];
    expect([printed.pending, contract.pending]).toEqual([pending, pending]);
    expect([companyTexts[language].phone, contract.phone]).toEqual([phone, phone]);
    expect(printed.credited).toBe(contract.credited);
    const lines = listCustomerTexts(language).filter(({ at }) => at.startsWith("mails."));
    const colon = language === "fr" ? "\u00a0: " : ": ";
    for (const label of [pending, phone, printed.credited])
      expect(lines.filter(({ text }) => text.startsWith(label + colon)).length).toBeGreaterThan(0);
  });

  test("uses one kind of apostrophe, and no-break spaces before French punctuation", () => {
    expect(find(language, (text) => /[’‘`´]/u.test(text))).toEqual([]);
    const isLoose = (text: string) => /(?<![\u00a0\u202f])[;!?]|(?<![\u00a0\u202f\d]):(?!\/\/)/u.test(text);
    expect(language === "fr" ? find(language, isLoose) : []).toEqual([]);
    expect([isLoose("Où ?"), isLoose("Où\u00a0?"), isLoose("Total: 4")]).toEqual([true, false, true]);
  });

  test("ends the widget's text of the deposit with the amount, so that each language has its own colon", () => {
    expect(textsByLanguage[language].securityDeposit).toMatch(/\{amount\}$/);
  });

  test("limits texts in the widget to 100 characters", () => {
    const long = Object.values(textsByLanguage[language]).filter((text) => text.length > 100);
    expect(long).toEqual([]);
  });
});

test("uses each language's plural rules for the number of days, such as zero as singular in French", () => {
  for (const language of PLATFORM_LANGUAGES) {
    const rules = new Intl.PluralRules(resolveLocale(language, "ES"));
    const { days } = getDocumentTexts(language);
    const [one, other] = [days(1).replace("1 ", ""), days(5).replace("5 ", "")];
    for (const count of [0, 1, 2, 11, 21])
      expect(days(count)).toBe(`${count} ${rules.select(count) === "one" ? one : other}`);
  }
  expect([getDocumentTexts("fr").days(0), getDocumentTexts("pt").days(0)]).toEqual(["0 jour", "0 dias"]);
});

describe("texts of other languages", () => {
  test.each(Object.entries(SHARED))("contains no text of another language in %s", (language, shared) => {
    const others = (["en", "es"] as const).map(
      (other) => new Map(listCustomerTexts(other).map(({ at, text }) => [at, text])),
    );
    // Catalan shares many words with Spanish.
    const compared = language === "ca" ? others.slice(0, 1) : others;
    const same = listCustomerTexts(language as PlatformLanguage)
      .filter(({ at, text }) => /\p{L}{2}/u.test(text) && compared.some((texts) => texts.get(at) === text))
      .map(({ text }) => text)
      .filter((text) => !NAMES.includes(text));
    expect([...new Set(same)].sort()).toEqual([...shared].sort());
  });
});

const OBLIGATIONS = {
  ...{ en: "obligation to pay", es: "obligación de pago", ca: "obligació de pagament", de: "ahlungspflichtig" },
  ...{ fr: "obligation de paiement", it: "obbligo di pagamento", pt: "obrigação de pagamento" },
  nl: "betalingsverplichting",
};

test.each(Object.entries(OBLIGATIONS))("states the obligation to pay on the order button in %s", (language, words) => {
  const { request, payPart, payAll } = textsByLanguage[language as keyof typeof OBLIGATIONS];
  expect(request).toContain(words);
  // German law requires the word on each button. The others name the amount to pay.
  for (const text of [payPart, payAll]) expect(text).toContain(language === "de" ? words : "{amount}");
});

test.each(Object.entries(BUTTON_FORMS))("uses one grammatical form for buttons in %s", (language, form) => {
  const texts = textsByLanguage[language as keyof typeof BUTTON_FORMS];
  expect(BUTTONS.map((key) => texts[key]).filter((text) => !form.test(text))).toEqual([]);
});

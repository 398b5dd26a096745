import { isCountryCode, resolveCountryAlias } from "#domain/countries.ts";
import {
  isDocumentId,
  isPhonePrefix,
  normalizeEmail,
  normalizePhone,
  wasRoundedBySpreadsheet,
} from "#domain/identity.ts";
import type { ImportProblem, ImportRemedy } from "#domain/operations/import-problems.ts";
import { isPrintableText } from "#domain/plain-text.ts";

// Values of columns without a database constraint: time zones, currencies, countries, languages.

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const CURRENCIES = Intl.supportedValuesOf("currency");

const exactly = (value: string): ImportRemedy => ({ code: "exact_value", params: { value } });
const example = (text: string): ImportRemedy => ({ code: "example", params: { example: text } });

function suggest(cell: string, words: readonly string[], fallback: string): ImportRemedy {
  const word = findNearest(cell, words);
  return word === undefined ? example(fallback) : exactly(word);
}

function suggestCountry(cell: string): ImportRemedy {
  const upperCase = cell.toUpperCase();
  const country = resolveCountryAlias(cell) ?? (isCountryCode(upperCase) ? upperCase : undefined);
  return country === undefined ? { code: "two_letter_code", params: { example: "ES" } } : exactly(country);
}

// Spreadsheets write errors in the language of their user: #N/A is #N/D in Spanish and #NV in German.
const FORMULA_ERROR = /^#(?:[\p{Lu}\d/¡¿]{2,12}[!?]|N\/[AD]|NV)$/u;

/** Maximum lengths of identities and addresses, in characters, as other entries limit them. First match counts. */
const MAX_LENGTHS: readonly (readonly [RegExp, number])[] = [
  [/^(surname|((customer|driver|additional_driver_\d)_)(name|surname))$/, 100],
  [/^(customer_)?document_id$/, 50],
  [/(^|_)document_id$/, 100],
  [/(^|_)(mobile_phone|phone|(phone|whatsapp|emergency)_number)$/, 30],
  [/(^|_)address_(street|number|complement|city|state|zip)$/, 100],
  [/^plate$/, 20],
  [/^vin$/, 17],
];

function findLengthProblem(column: string, cell: string): ImportProblem | undefined {
  const [, characters] = MAX_LENGTHS.find(([pattern]) => pattern.test(column)) ?? [];
  return characters !== undefined && [...cell].length > characters
    ? { code: "text_too_long", params: { characters } }
    : undefined;
}

const CHECKS: readonly (readonly [RegExp, (cell: string) => ImportProblem | undefined])[] = [
  [
    /^timezone$/,
    (cell) => (isZone(cell) ? undefined : { code: "timezone_invalid", remedy: suggest(cell, ZONES, "Europe/Madrid") }),
  ],
  [
    /^currency$/,
    (cell) =>
      CURRENCIES.includes(cell) ? undefined : { code: "currency_invalid", remedy: suggest(cell, CURRENCIES, "EUR") },
  ],
  [/country(_code)?$/, (cell) => (isCountryCode(cell) ? undefined : { code: "country", remedy: suggestCountry(cell) })],
  [
    /(^|_)language$/,
    (cell) =>
      /^[a-z]{2}$/.test(cell)
        ? undefined
        : { code: "language_invalid", remedy: { code: "lower_case_code", params: { example: "es" } } },
  ],
  [/(^|_)email$/, (cell) => (normalizeEmail(cell) ? undefined : { code: "email", remedy: example("ana@example.com") })],
  [
    /(^|_)(phone|document_id|plate|zip|reference|vin|phone_number|reservation_id|external_code)$/,
    (cell) =>
      wasRoundedBySpreadsheet(cell) ? { code: "number_rounded", remedy: { code: "save_as_text" } } : undefined,
  ],
  [
    /^((customer|driver|additional_driver_\d)_)?(mobile_phone|phone|(phone|whatsapp|emergency)_number)$/,
    (cell) => (normalizePhone(cell) ? undefined : { code: "telephone", remedy: example("+34 600 11 22 33") }),
  ],
  [
    /(^|_)document_id$/,
    (cell) =>
      isDocumentId(cell) && isPrintableText(cell)
        ? undefined
        : { code: isPrintableText(cell) ? "document" : "plain", remedy: example("12345678Z") },
  ],
  [
    /(^|_)phone(_number)?_prefix$/,
    (cell) => (isPhonePrefix(cell) ? undefined : { code: "telephone", remedy: example("+34") }),
  ],
];

/** Checks a value of a well-known kind. Returns the problem, or undefined. */
export function findStandardValueProblem(column: string, cell: string): ImportProblem | undefined {
  if (FORMULA_ERROR.test(cell)) return { code: "formula_error" };
  for (const [pattern, check] of CHECKS) {
    const problem = pattern.test(column) ? check(cell) : undefined;
    if (problem) return problem;
  }
  return findLengthProblem(column, cell);
}

/** Returns the decimals of a currency by ISO 4217, or the usual number for an unknown one. */
export function getCurrencyDecimalsOrDefault(currency: string): number {
  if (!CURRENCIES.includes(currency)) return DEFAULT_DECIMALS;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? DEFAULT_DECIMALS;
}

const DEFAULT_DECIMALS = 2;

function isZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "" && /[/]|^UTC$/.test(name);
  } catch {
    return false;
  }
}

// Finds a word that differs by few letters, ignoring case.
function findNearest(cell: string, words: readonly string[]): string | undefined {
  const far = words.map((word) => ({ word, distance: getEditDistance(cell.toLowerCase(), word.toLowerCase()) }));
  const best = far.reduce((item, other) => (other.distance < item.distance ? other : item), { word: "", distance: 99 });
  return best.distance <= Math.min(3, cell.length / 2) ? best.word : undefined;
}

function getEditDistance(text: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...text].entries()) {
    const next = [at + 1];
    for (const [index, wanted] of [...other].entries())
      next.push(
        Math.min((row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1, (row[index] ?? 0) + (letter === wanted ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

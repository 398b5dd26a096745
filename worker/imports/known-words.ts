import { isCountry, resolveCountryAlias } from "#domain/countries.ts";
import type { Problem } from "#domain/operations/imports.ts";

// Values that the schema accepts as any text: time zones, currencies, countries, languages.

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const CURRENCIES = Intl.supportedValuesOf("currency");

const CHECKS: readonly (readonly [RegExp, (cell: string) => Problem | undefined])[] = [
  [
    /^timezone$/,
    (cell) =>
      isZone(cell) ? undefined : { problem: "is no time zone", remedy: nearest(cell, ZONES) ?? "Europe/Madrid" },
  ],
  [
    /^currency$/,
    (cell) =>
      CURRENCIES.includes(cell)
        ? undefined
        : { problem: "is no code of a currency", remedy: nearest(cell, CURRENCIES) ?? "EUR" },
  ],
  [
    /country(_code)?$/,
    (cell) =>
      isCountry(cell)
        ? undefined
        : {
            problem: "is no code of a country",
            remedy:
              resolveCountryAlias(cell) ?? (isCountry(cell.toUpperCase()) ? cell.toUpperCase() : "two letters, ES"),
          },
  ],
  [
    /(^|_)language$/,
    (cell) =>
      /^[a-z]{2}$/.test(cell)
        ? undefined
        : { problem: "is no code of a language", remedy: "two letters in lower case, es" },
  ],
  [
    /^logo$/,
    (cell) =>
      /^(iVBORw0KGgo|\/9j\/)[A-Za-z0-9+/]+={0,2}$/.test(cell) && cell.length % 4 === 0
        ? undefined
        : { problem: "is no PNG or JPEG in base64", remedy: "base64 -w0 logo.png" },
  ],
  [
    /^email$/,
    (cell) => (/^[^\s@]+@[^\s@]+$/.test(cell) ? undefined : { problem: "is no address", remedy: "ana@example.com" }),
  ],
];

/** Checks a value of a well-known kind. Returns the problem, or undefined. */
export function findKnownProblem(column: string, cell: string): Problem | undefined {
  return CHECKS.find(([pattern]) => pattern.test(column))?.[1](cell);
}

/** Returns the decimals of a currency by ISO 4217, or the usual number for an unknown one. */
export function getIsoDecimals(currency: string): number {
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
function nearest(cell: string, words: readonly string[]): string | undefined {
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

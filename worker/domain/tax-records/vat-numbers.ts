// Structure of VAT numbers by prefix, as the European Commission's VIES describes it (FAQ, question 11).
const STRUCTURES: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z\d+*]\d{5}[A-W]|\d{7}[A-W][A-I])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};
const COUNTRIES: Readonly<Record<string, string>> = { EL: "GR", XI: "GB" };

/** VAT number of a Union country other than Spain, without separators, with its country. */
export interface EuVatNumber {
  readonly number: string;
  readonly country: string;
}

/** Parses a VAT number with its prefix. Undefined if the prefix or the structure is unknown. */
export function parseEuVatNumber(text: string): EuVatNumber | undefined {
  const number = text.toUpperCase().replaceAll(/[\s./-]/g, "");
  const prefix = number.slice(0, 2);
  if (!STRUCTURES[prefix]?.test(number.slice(2))) return undefined;
  return { number, country: COUNTRIES[prefix] ?? prefix };
}

/** Whether a text starts like a VAT number of the country: Greece and Northern Ireland use other prefixes. */
export function hasVatPrefix(text: string, country: string): boolean {
  const prefix = text.trim().slice(0, 2).toUpperCase();
  return prefix in STRUCTURES && (COUNTRIES[prefix] ?? prefix) === country;
}

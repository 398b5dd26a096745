import { parseElectronicAddress } from "./e-invoice.ts";

// Schemes of the European list (EAS) with four digits, which EN 16931 requires (BR-CL-25). Ranges have a dash.
const SCHEMES =
  "0002 0007 0009 0037 0060 0088 0096-0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183-0184 0188 0190-0196 0198-0205 0208-0213 0215-0221 0225 0230 0235 0240 0242 0244-0246 0248 9910 9913-9915 9918-9920 9922-9953 9957 9959"
    .split(" ")
    .map((range) => range.split("-"));

// Schemes whose numbers Peppol validates, without those that only cause a warning (PEPPOL-COMMON-R040 to R050).
const IS_VALID_ID: Readonly<Record<string, (id: string) => boolean>> = {
  "0007": isSwedishOrganisationNumber,
  "0088": isGlobalLocationNumber,
  "0151": isAustralianBusinessNumber,
  "0184": (id) => /^(DK)?\d{8}$/.test(id),
  "0192": isNorwegianOrganisationNumber,
  "0208": (id) => /^\d{10}$/.test(id) && 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
};

/**
 * Whether an electronic address has a scheme of the European list, or EM for e-mail, and the format and check digits
 * that Peppol requires for its scheme.
 */
export function isElectronicAddress(text: string): boolean {
  const address = parseElectronicAddress(text);
  return address !== undefined && isKnownScheme(address.scheme) && (IS_VALID_ID[address.scheme]?.(address.id) ?? true);
}

function isKnownScheme(scheme: string): boolean {
  return scheme === "EM" || SCHEMES.some(([first = "", last = first]) => first <= scheme && scheme <= last);
}

const sumWeighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);

function isGlobalLocationNumber(id: string): boolean {
  // The digits weigh 1 and 3 in turn, and the last one completes the sum to a multiple of ten.
  return /^\d{13}$/.test(id) && sumWeighted(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

// Luhn: every second digit counts twice, with the sum of its digits.
function isSwedishOrganisationNumber(id: string): boolean {
  const sum = [...id].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^\d{10}$/.test(id) && sum % 10 === 0;
}

function isNorwegianOrganisationNumber(id: string): boolean {
  const isPositive = /^\d{9}$/.test(id) && Number(id) > 0;
  return isPositive && sumWeighted(id, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

function isAustralianBusinessNumber(id: string): boolean {
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  // The first digit counts one less.
  return /^\d{11}$/.test(id) && (sumWeighted(id, weights) - 10) % 89 === 0;
}

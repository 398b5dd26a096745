import { parseElectronicAddress } from "./e-invoice.ts";

// Schemes of the European list (EAS) with four digits, which EN 16931 requires (BR-CL-25). Ranges have a dash.
const SCHEMES =
  "0002 0007 0009 0037 0060 0088 0096-0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183-0184 0188 0190-0196 0198-0205 0208-0213 0215-0221 0225 0230 0235 0240 0242 0244-0246 0248 9910 9913-9915 9918-9920 9922-9953 9957 9959"
    .split(" ")
    .map((range) => range.split("-"));
const GLN = "0088";

/**
 * Whether an electronic address has a scheme of the European list, or EM for e-mail. A GLN (0088) also needs its check
 * digit.
 */
export function isElectronicAddress(text: string): boolean {
  const address = parseElectronicAddress(text);
  if (address === undefined || !isKnownScheme(address.scheme)) return false;
  return address.scheme !== GLN || isGlobalLocationNumber(address.id);
}

function isKnownScheme(scheme: string): boolean {
  return scheme === "EM" || SCHEMES.some(([first = "", last = first]) => first <= scheme && scheme <= last);
}

function isGlobalLocationNumber(text: string): boolean {
  // The digits weigh 1 and 3 in turn, and the last one completes the sum to a multiple of ten.
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return /^\d{13}$/.test(text) && sum % 10 === 0;
}

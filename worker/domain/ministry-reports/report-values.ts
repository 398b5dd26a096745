import { parseCivilDate } from "#domain/dates.ts";

/** Maximum lengths in the ministry's schema. A longer number counts as missing, because a cut one would be wrong. */
const MAX_DOCUMENT_LENGTH = 15;
const MAX_LICENCE_LENGTH = 25;
const MAX_PHONE_LENGTH = 20;
const MAX_MAIL_LENGTH = 250;

/** Returns a document number as the ministry accepts it, undefined if it's too long. */
export function toReportedDocument(text: string | undefined): string | undefined {
  return fitNumber(text, MAX_DOCUMENT_LENGTH);
}

/** Whether a code or number fits the ministry's schema. A cut one would name something else. */
export function fitsReportedLength(kind: keyof typeof MAX_CODE_LENGTHS, text: string): boolean {
  return [...text].length <= MAX_CODE_LENGTHS[kind];
}

const MAX_CODE_LENGTHS = { vin: 17, plate: 25, vehicle: 10, licence: 5, zip: 20 } as const;

/** Returns a licence number as the ministry accepts it, undefined if it's too long. */
export function toReportedLicence(text: string | undefined): string | undefined {
  return fitNumber(text, MAX_LICENCE_LENGTH);
}

function fitNumber(text: string | undefined, maxLength: number): string | undefined {
  const trimmed = text?.trim() || undefined;
  if (trimmed === undefined || trimmed.length <= maxLength) return trimmed;
  const letters = trimmed.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return letters.length <= maxLength ? letters : undefined;
}

/** Shortest second telephone in digits. A shorter number after a separator is an extension. */
const MIN_SECOND_PHONE_LENGTH = 6;

/** Telephones of a person as the ministry accepts them. */
export interface ReportedPhones {
  readonly phone: string | undefined;
  readonly secondPhone: string | undefined;
}

/**
 * Returns the digits of the first two telephone numbers in a text, undefined for numbers without digits or with too
 * many. Omits an extension, and a zero in parentheses that is only dialled domestically: +49 (0)170 …
 */
export function toReportedPhones(text: string | undefined): ReportedPhones {
  const [first, ...others] = (text ?? "").split(/[;,]/).flatMap(splitAtSlashes).map(toPhoneDigits);
  const second = others.find((digits) => digits !== undefined && digits.length >= MIN_SECOND_PHONE_LENGTH);
  return { phone: first ?? second, secondPhone: first === undefined || second === first ? undefined : second };
}

/** Shortest number with its area code, in digits without a country code. */
const MIN_PHONE_WITH_AREA_LENGTH = 9;
/** Shortest number that may follow another one of this length. */
const MIN_LISTED_PHONE_LENGTH = 7;
const COUNTRY_CODE_LENGTH = 2;

// Splits at slashes between two numbers. In Germany and Austria, a slash follows the area code: 030/260101.
function splitAtSlashes(text: string): readonly string[] {
  const numbers: string[] = [];
  for (const part of text.split("/")) {
    const last = numbers.at(-1);
    if (last === undefined || isWholePhone(last, part)) numbers.push(part);
    else numbers[numbers.length - 1] = `${last}/${part}`;
  }
  return numbers;
}

// Whether a number ends before a slash, by its digits and those after the slash.
function isWholePhone(number: string, next: string): boolean {
  const digits = toPhoneDigits(number) ?? number;
  const isInternational = /^(?:\+|00)/.test(digits);
  const { length } = digits.replace(/^(?:\+|00)/, "");
  if (length >= MIN_PHONE_WITH_AREA_LENGTH + (isInternational ? COUNTRY_CODE_LENGTH : 0)) return true;
  return length >= MIN_LISTED_PHONE_LENGTH && (toPhoneDigits(next) ?? "").length >= MIN_LISTED_PHONE_LENGTH;
}

function toPhoneDigits(text: string): string | undefined {
  const [number = ""] = text.trim().split(/[#x]/i);
  const international = number.replace(/^((?:\+|00).*?)\(0\)/, "$1");
  const digits = international.replaceAll(/[^\d+]/g, "").replaceAll(/(?!^)\+/g, "");
  return /\d/.test(digits) && digits.length <= MAX_PHONE_LENGTH ? digits : undefined;
}

/** Returns an email address that has the form of the ministry's schema. */
export function toReportedMail(text: string | undefined): string | undefined {
  const mail = text?.trim() ?? "";
  return mail.length <= MAX_MAIL_LENGTH && /^[^@]+@[^.]+\..+$/.test(mail) ? mail : undefined;
}

/** Returns an existing date, `yyyy-mm-dd`. */
export function toReportedDate(text: string | undefined): string | undefined {
  return parseCivilDate(text?.trim() ?? "");
}

import { toReadableDomain } from "./domain-names.ts";

// Characters without a glyph: soft hyphen, zero-width spaces and joiners, marks of direction, byte order mark.
const INVISIBLE = /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;
const SPACES = /[\p{Zs}\t]+/gu;
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\u2032\uff07]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/**
 * Cleans a pasted code, telephone, document number, plate or address: removes invisible characters, and writes spaces,
 * dashes, apostrophes, full-width characters and digits of other scripts as their ASCII equivalents.
 */
export function cleanPastedText(text: string): string {
  return toAsciiDigits(text.normalize("NFKC").replaceAll(INVISIBLE, ""))
    .replaceAll(DASHES, "-")
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(SPACES, " ")
    .trim();
}

// Unicode has each script's digits in one block of ten. The digit of a block with its zero at z is code - z.
function toAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    if (digit <= "9") return digit;
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/**
 * Normalizes a telephone number for storage: cleaned, with its separators. Undefined if it can't be one number: it has
 * at most 15 digits (ITU-T E.164) after `00`, and an extension.
 */
export function normalizePhone(text: string): string | undefined {
  const phone = cleanPastedText(text);
  const digits = PHONE.exec(phone)?.[1]?.replaceAll(/\D/g, "").replace(/^00/, "");
  return digits && digits.length >= MIN_PHONE_DIGITS && digits.length <= MAX_PHONE_DIGITS ? phone : undefined;
}

const PHONE = /^([+(\d][\d ()./-]*)(?: ?(?:ext\.?|x|#) ?\d{1,6})?$/i;
const MIN_PHONE_DIGITS = 3;
const MAX_PHONE_DIGITS = 15;

const MAX_SHORT_PHONE_LENGTH = 15;

/**
 * Shortens a telephone for the places that have 15 characters: without separators if it's longer, and without a zero in
 * parentheses that is only dialled domestically: +49 (0)170 …
 */
export function shortenPhone(text: string): string {
  if (text.length <= MAX_SHORT_PHONE_LENGTH) return text;
  return text.replace(/^(\+.*?)\(0\)/, "$1").replaceAll(/[ ()./-]/g, "");
}

/** Whether a telephone has at most 15 characters before its extension. */
export function isShortPhone(text: string): boolean {
  return text.replace(/(?:ext|x|#)\d+$/i, "").length <= MAX_SHORT_PHONE_LENGTH;
}

/** Whether a text can be the country code of a telephone: `34`, `+34`, `0034`, `+1 868`. */
export function isPhonePrefix(text: string): boolean {
  return /^\+?\d[\d -]*$/.test(text);
}

/**
 * Normalizes an e-mail address for storage: cleaned, an international domain as people read it. Parts with letters
 * beyond ASCII are in small letters, because SQLite's lower() knows ASCII only. Undefined if no mail can be delivered.
 */
export function normalizeEmail(text: string): string | undefined {
  const email = cleanPastedText(text);
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  if (at < 1 || local.length > MAX_LOCAL_LENGTH || domain.length > MAX_DOMAIN_LENGTH) return undefined;
  if (!LOCAL_PART.test(local) || !isDomain(domain)) return undefined;
  const readable = toReadableDomain(domain);
  return `${toComparableCase(local)}@${isDomain(readable) ? readable : domain}`;
}

/** Returns an e-mail address as it would be stored. One that can't be valid is only cleaned. */
export function normalizeOrCleanEmail(text: string): string {
  return normalizeEmail(text) ?? cleanPastedText(text);
}

const toComparableCase = (part: string) => (/[^ -~]/.test(part) ? part.toLowerCase() : part);

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
}

// RFC 5321, section 4.5.3.1.
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 255;
// A dot-atom of RFC 5322 with the letters of RFC 6531. Quoted local parts are valid, but unused in practice. Some mail
// programs decode an encoded word (RFC 2047), which may contain another recipient.
const LOCAL_PART = /^(?!.*=\?)[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/**
 * Normalizes a document or tax number for storage: cleaned, without signs that would make it another person's number.
 * The database compares documents without spaces, dots, dashes and slashes. A Spanish tax number loses the ES prefix of
 * a VAT number.
 */
export function normalizeDocumentId(text: string): string {
  const cleanText = cleanPastedText(text).replaceAll(UNUSUAL_SIGNS, "").trim();
  // SQLite's upper() knows ASCII only.
  const id = cleanText.replaceAll(/[^ -~]+/g, (letters) => letters.toUpperCase());
  const squeezed = id.toUpperCase().replaceAll(/[ ./-]/g, "");
  return PREFIXED_TAX_ID.test(squeezed) ? squeezed.slice(2) : id;
}

// Signs besides those of numbers such as 99.999.999-R and the Irish 1*23456L.
const UNUSUAL_SIGNS = /[^\P{P}./*-]/gu;

// Spanish tax number with the prefix ES. Also matches a wrong check character, because the number is then mistyped. No
// passport number has this form.
const PREFIXED_TAX_ID = /^ES(?:[XYZKLM]\d{7}[A-Z]|\d{8}[A-Z]|[A-HJNP-SUVW]\d{7}[0-9A-J])$/;

/** Returns the form in which document and tax numbers are compared: capital letters and digits without ES prefix. */
export function toComparableDocumentId(text: string): string {
  return normalizeDocumentId(text)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Whether a text can be a document or tax number: it has a digit and isn't only zeros. Placeholders such as `-`,
 * `none` or `000` would make one customer of all people who have them.
 */
export function isDocumentId(text: string): boolean {
  const id = toComparableDocumentId(text);
  return /\d/.test(id) && !/^0+$/.test(id);
}

/** Whether a spreadsheet has rounded a long number: `6,00112E+08`. Its last digits are lost. */
export function wasRoundedBySpreadsheet(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+?\d+$/i.test(text.trim());
}

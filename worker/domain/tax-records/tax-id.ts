const LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const COMPANY_LETTERS = "JABCDEFGHI";

/**
 * Normalizes a Spanish tax number: uppercase without spaces, dots, dashes, slashes and the ES prefix of a VAT number.
 * Undefined if its check character is wrong.
 */
export function parseSpanishTaxId(text: string): string | undefined {
  const normalizedId = normalizeTaxId(text);
  return [normalizedId, normalizedId.replace(/^ES/, "")].find((id) => isPersonalTaxId(id) || isCompanyTaxId(id));
}

/** Whether a text is the number of a natural person by its check letter. */
export function isPersonalTaxNumber(text: string): boolean {
  return isPersonalTaxId(parseSpanishTaxId(text) ?? "");
}

/**
 * Whether a text has the form of a Spanish tax number with a wrong check character, so that it's mistyped
 * unless another country issued it. For a person, only the forms of personal numbers count, because many
 * passports have a letter and eight digits like a company's number.
 */
export function isMistypedTaxId(text: string, holder: "person" | "company"): boolean {
  const id = normalizeTaxId(text).replace(/^ES/, "");
  const form = holder === "person" ? PERSONAL_FORM : TAX_ID_FORM;
  return form.test(id) && parseSpanishTaxId(id) === undefined;
}

const PERSONAL_FORM = /^(?:[XYZKLM]\d{7}|\d{8})[A-Z]$/;
const TAX_ID_FORM = /^(?:(?:[XYZKLM]\d{7}|\d{8})[A-Z]|[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J])$/;

const normalizeTaxId = (text: string) => text.toUpperCase().replaceAll(/[\s./-]/g, "");

function isPersonalTaxId(id: string): boolean {
  const match = /^([XYZKLM]?)(\d{7,8})([A-Z])$/.exec(id);
  if (!match || id.length !== 9) return false;
  const [, first = "", digits = "", letter] = match;
  const prefix = ["X", "Y", "Z"].indexOf(first);
  return LETTERS[Number(`${prefix > 0 ? prefix : ""}${digits}`) % LETTERS.length] === letter;
}

// Digits at odd positions are doubled with their digits summed. The check character is a letter, a digit or either,
// depending on the company type.
function isCompanyTaxId(id: string): boolean {
  const match = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(id);
  if (!match) return false;
  const [, kind = "", digits = "", control = ""] = match;
  const sum = [...digits].reduce((all, digit, index) => all + (index % 2 === 0 ? doubled(digit) : Number(digit)), 0);
  const check = (10 - (sum % 10)) % 10;
  const [asDigit, asLetter] = [String(check), COMPANY_LETTERS[check]];
  if ("ABEH".includes(kind)) return control === asDigit;
  if ("NPQRSW".includes(kind)) return control === asLetter;
  return control === asDigit || control === asLetter;
}

function doubled(digit: string): number {
  const twice = Number(digit) * 2;
  return twice > 9 ? twice - 9 : twice;
}

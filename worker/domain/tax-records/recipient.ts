import { parseCountryCode } from "#domain/countries.ts";
import type { DocumentCustomer } from "#domain/documents/draft.ts";
import { cleanPastedText } from "#domain/identity.ts";
import type { InvoiceType, Recipient } from "./records.ts";
import { parseSpanishTaxId } from "./tax-id.ts";
import { hasVatPrefix, parseEuVatNumber } from "./vat-numbers.ts";

const MAX_NAME_LENGTH = 120;
const MAX_ID_LENGTH = 20;

/**
 * Returns how a record names a customer. Undefined if the agency would refuse it: a Spanish number with a wrong check
 * letter, a VAT number of another structure, a passport without the country that issued it (1103, 1126, 1131), or a
 * number that is longer than the schema allows.
 */
export function toTaxRecordRecipient(customer: DocumentCustomer): Recipient | undefined {
  const { documentId = "", type } = customer;
  const name = toTaxAgencyText(customer.fullName);
  const taxId = parseSpanishTaxId(cleanPastedText(documentId));
  if (taxId) return { name, taxId };
  const id = cleanPastedText(documentId);
  if (id === "" || [...id].length > MAX_ID_LENGTH) return undefined;
  const identification = type === "individual" ? identifyPerson(id, customer) : identifyCompany(id, customer);
  return identification && { name, ...identification };
}

type OtherId = Pick<Extract<Recipient, { id: string }>, "country" | "idType" | "id">;

// A person without a Spanish number is named by a passport and the country that issued it. A foreign address implies
// that country, a Spanish one implies nothing.
function identifyPerson(id: string, { originCountry, address }: DocumentCustomer): OtherId | undefined {
  const home = parseCountryCode(address.country);
  const country = parseCountryCode(originCountry) ?? (home === "ES" ? undefined : home);
  if (country === undefined) return undefined;
  return country === "ES" && !SPANISH_PASSPORT.test(id) ? undefined : { country, idType: "03", id };
}

const SPANISH_PASSPORT = /^[A-Z]{2,3}\d{6}[A-Z]?$/i;

function identifyCompany(id: string, { address }: DocumentCustomer): OtherId | undefined {
  const vat = parseEuVatNumber(id);
  const home = parseCountryCode(address.country) ?? "ES";
  if (vat && (vat.country === home || home === "ES")) return { country: vat.country, idType: "02", id: vat.number };
  return home === "ES" || hasVatPrefix(id, home) ? undefined : { country: home, idType: "04", id };
}

/**
 * Whether the agency refuses a recipient for this type of credit note. A note for unpaid tax (R3) needs a
 * Spanish tax number, and in an insolvency (R2) a Spanish or a VAT number (1191, 1192).
 */
export function isRecipientRefused(type: InvoiceType, recipient: Recipient): boolean {
  if ("taxId" in recipient) return false;
  return type === "R3" || (type === "R2" && recipient.idType !== "02");
}

/** Whether the agency's schema has space for a name, so that no record truncates it. */
export function fitsTaxAgencyName(name: string): boolean {
  return [...toAllowedText(name)].length <= MAX_NAME_LENGTH;
}

/**
 * Returns a text that the agency accepts in names and descriptions (1287). Replaces quotes and apostrophes by
 * typographic ones, and removes comparison signs. Truncates by code points.
 */
export function toTaxAgencyText(text: string, maxLength = MAX_NAME_LENGTH): string {
  return [...toAllowedText(text)].slice(0, maxLength).join("").trim();
}

function toAllowedText(text: string): string {
  let isOpen = false;
  const typographicText = text.replaceAll("'", "’").replaceAll('"', () => {
    isOpen = !isOpen;
    return isOpen ? "«" : "»";
  });
  return typographicText.replaceAll(/[<>=]/g, " ").replaceAll(/\s+/g, " ").trim();
}

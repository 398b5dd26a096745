import type { CreditReason } from "#domain/documents/credit-reasons.ts";
import type { DocumentCustomer, DocumentDraft } from "#domain/documents/draft.ts";
import type { RateTax } from "#domain/documents/items.ts";
import { type BasisPoints, type Cents, toAmount, toPercent } from "#domain/money.ts";
import { RECORD_FIELDS, type RecordField } from "./fields.ts";
import { parseRateCode } from "./rate-codes.ts";
import type { InvoiceId, InvoiceType, Recipient, RecordingSystem, Registration, TaxLine } from "./records.ts";
import { parseSpanishTaxId } from "./tax-id.ts";
import type { Territory } from "./territories.ts";

/** Who issues: the company of a branch, as its papers name it. */
export interface Taxpayer {
  readonly name: string | undefined;
  readonly documentId: string | undefined;
  readonly territory: Territory;
}

/** An invoice that another one is about. */
export interface NamedInvoice extends InvoiceId {
  readonly form: DocumentDraft["form"];
}

export interface ToRecord {
  readonly draft: DocumentDraft;
  readonly taxpayer: Taxpayer;
  /** What each rate is, where it is not what the territory's law says of it: by percentage, `0.00`. */
  readonly rateCodes: Readonly<Record<string, string>>;
  readonly id: Omit<InvoiceId, "issuer">;
  readonly corrected: NamedInvoice | undefined;
  /** The simplified invoices that it stands in place of. */
  readonly replaced: readonly NamedInvoice[];
  readonly system: RecordingSystem;
}

const TAXES = { iva: "01", ipsi: "02", igic: "03" } as const;
/** The rates of each law, in hundredths of a percent; any other one needs a code of the account's. */
const RATES: Readonly<Record<Territory, readonly BasisPoints[]>> = {
  iva: [200, 400, 500, 750, 1000, 2100],
  igic: [300, 500, 700, 950, 1350, 1500, 2000],
  ipsi: [50, 100, 200, 300, 350, 400, 500, 600, 700, 800, 900, 1000],
};
// A simplified invoice goes up to so much (art. 4.2 of the invoicing rules), in minor units.
const MAX_SIMPLIFIED_CENTS = 300_000;
const UNION_VAT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ..."AT BE BG CY CZ DE DK EE FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
    .split(" ")
    .map((country): [string, string] => [country, country]),
  ["GR", "EL"],
  ["GB", "XI"],
]);
const MAX_NAME_LENGTH = 120;
const MAX_ID_LENGTH = 20;

/** What keeps a record from being made of a document; nothing where all is there. */
export function missingForRecord({ draft, taxpayer, rateCodes, id }: Omit<ToRecord, "system">): RecordField[] {
  const isTooMuch = draft.form === "simplified" && draft.sums.totalCents > MAX_SIMPLIFIED_CENTS;
  const lacks: Readonly<Record<RecordField, boolean>> = {
    company_name: !taxpayer.name?.trim(),
    company_document_id: parseSpanishTaxId(taxpayer.documentId ?? "") === undefined,
    currency: draft.currency !== "EUR",
    serie: !/^[ -~]{1,60}$/.test(id.number) || /["'<=>]/.test(id.number),
    tax_rate_code: draft.taxes.some((tax) => toTaxLine(taxpayer.territory, rateCodes, tax) === undefined),
    document_id: isTooMuch || (isNamed(draft) && !draft.customer.documentId?.trim()),
  };
  return RECORD_FIELDS.filter((field) => lacks[field]);
}

// A credit note of a simplified invoice names nobody, as that one did.
function isNamed({ form, customer }: DocumentDraft): boolean {
  return form === "full" || (form === "credit_note" && Boolean(customer.documentId?.trim()));
}

/** The record of a document that lacks nothing. */
export function createRegistration(to: ToRecord): Registration {
  const { draft, taxpayer, rateCodes, corrected, replaced, system } = to;
  const issuer = parseSpanishTaxId(taxpayer.documentId ?? "") ?? "";
  const type = getInvoiceType(to);
  const lines = draft.taxes.flatMap((tax) => toTaxLine(taxpayer.territory, rateCodes, tax) ?? []);
  return {
    kind: "registration",
    id: { issuer, ...to.id },
    issuerName: shortened(taxpayer.name ?? "", MAX_NAME_LENGTH),
    type,
    corrected: corrected && [toInvoiceId(corrected)],
    replaced: type === "F3" ? replaced.map(toInvoiceId) : undefined,
    description: shortened(draft.concept, 500),
    recipient: type === "F2" || type === "R5" ? undefined : toRecipient(draft.customer),
    lines,
    taxTotal: toText(draft.sums.taxesCents),
    total: toText(draft.sums.totalCents),
    system,
  };
}

const toInvoiceId = ({ issuer, number, date }: InvoiceId): InvoiceId => ({ issuer, number, date });

// A rental that costs less than was invoiced, or is undone, changes its taxable base: art. 80.2 of the law on VAT. That
// a customer is insolvent is its art. 80.3, that a debt is not paid its art. 80.4.
const CORRECTIONS: Readonly<Record<CreditReason, InvoiceType>> = {
  correction: "R1",
  insolvency: "R2",
  bad_debt: "R3",
  other: "R4",
};

function getInvoiceType({ draft, corrected, replaced }: ToRecord): InvoiceType {
  if (draft.form === "simplified") return "F2";
  if (draft.form === "credit_note") {
    const correctsSimplified = corrected?.form === "simplified" || !draft.customer.documentId?.trim();
    return correctsSimplified ? "R5" : CORRECTIONS[draft.creditReason ?? "correction"];
  }
  // What was taken back by a note of its own is invoiced anew, not replaced.
  return replaced.length > 0 ? "F3" : "F1";
}

/** What of a rate the agency is told; undefined where neither the law nor the account says what it is. */
export function toTaxLine(
  territory: Territory,
  rateCodes: Readonly<Record<string, string>>,
  { vat, subtotalCents, taxesCents }: Pick<RateTax, "vat" | "subtotalCents" | "taxesCents">,
): TaxLine | undefined {
  const code = parseRateCode(rateCodes[toPercent(vat)] ?? (RATES[territory].includes(vat) ? "S1" : ""));
  if (!code) return undefined;
  const isTaxed = code.operation === "S1" || code.operation === "S2";
  if (!isTaxed && (vat !== 0 || taxesCents !== 0)) return undefined;
  return {
    tax: TAXES[territory],
    regime: territory === "ipsi" ? undefined : code.regime,
    operation: code.operation,
    rate: isTaxed ? toPercent(vat) : undefined,
    base: toText(subtotalCents),
    amount: isTaxed ? toText(taxesCents) : undefined,
  };
}

/** Whether invoices of a rate can be told to the agency: the law of the territory knows it, or the account says it. */
export function canReportRate(
  territory: Territory,
  rateCodes: Readonly<Record<string, string>>,
  vat: BasisPoints,
): boolean {
  return toTaxLine(territory, rateCodes, { vat, subtotalCents: 0, taxesCents: 0 }) !== undefined;
}

// Who has no Spanish number and says no country is a Spaniard whom the census does not know.
function toRecipient({ fullName, documentId, type, address }: DocumentCustomer): Recipient {
  const name = shortened(fullName, MAX_NAME_LENGTH);
  const taxId = parseSpanishTaxId(documentId ?? "");
  if (taxId) return { name, taxId };
  const id = shortened((documentId ?? "").trim(), MAX_ID_LENGTH);
  const country = parseCountry(address.country) ?? "ES";
  if (country === "ES") return { name, country, idType: "07", id };
  if (type !== "individual" && isUnionVatNumber(id, country)) return { name, country, idType: "02", id };
  return { name, country, idType: type === "individual" ? "03" : "04", id };
}

// The European Union's numbers begin with their country; Greece's and Northern Ireland's with letters of their own.
function isUnionVatNumber(id: string, country: string): boolean {
  const prefix = UNION_VAT_PREFIXES.get(country);
  return prefix !== undefined && id.toUpperCase().startsWith(prefix);
}

function parseCountry(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase() ?? "";
  return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

// Points of code, so that no half of a letter is left.
function shortened(text: string, maxLength: number): string {
  return [...text.trim()].slice(0, maxLength).join("").trim();
}

function toText(cents: Cents): string {
  return toAmount(cents, 2);
}

import { parseTaxRateCode } from "#domain/catalogue/tax-rate-codes.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import type { CreditReason } from "#domain/documents/credit-reasons.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import type { TaxRateSums } from "#domain/documents/items.ts";
import { TAX_RECORD_REQUIRED_FIELDS, type TaxRecordRequiredField } from "#domain/documents/tax-fields.ts";
import { type BasisPoints, type Cents, formatRateAsPercent, toAmount } from "#domain/money.ts";
import { fitsTaxAgencyName, isRecipientRefused, toTaxAgencyText, toTaxRecordRecipient } from "./recipient.ts";
import type { InvoiceId, InvoiceType, RecordingSystem, RegistrationRecord, TaxLine } from "./records.ts";
import { parseSpanishTaxId } from "./tax-id.ts";

/** Taxpayer: the company of a branch, as named on its documents. */
export interface Taxpayer {
  readonly name: string | undefined;
  readonly documentId: string | undefined;
  readonly territory: TaxTerritory;
}

/** Invoice that another document references. */
export interface ReferencedInvoice extends InvoiceId {
  readonly form: DocumentDraft["form"];
}

/** Data from which a document's tax record is created. */
export interface TaxRecordSource {
  readonly draft: DocumentDraft;
  readonly taxpayer: Taxpayer;
  /** Codes of rates that differ from the territory's law, by percentage, `0.00`. */
  readonly rateCodes: Readonly<Record<string, string>>;
  readonly id: Omit<InvoiceId, "issuer">;
  readonly corrected: ReferencedInvoice | undefined;
  /** Simplified invoices that the document replaces. */
  readonly replaced: readonly ReferencedInvoice[];
  readonly system: RecordingSystem;
}

const TAXES = { iva: "01", ipsi: "02", igic: "03" } as const;
/**
 * Tax rates by law, in hundredths of a percent. Other rates need a code from the account. VAT of 2, 5 and 7.5 % ended
 * in 2024: the agency refuses it since then (1194, 1235, 1236).
 */
const RATES: Readonly<Record<TaxTerritory, readonly BasisPoints[]>> = {
  iva: [400, 1000, 2100],
  igic: [300, 500, 700, 950, 1350, 1500, 2000],
  ipsi: [50, 100, 200, 300, 350, 400, 500, 600, 700, 800, 900, 1000],
};
// Limit of a simplified invoice (art. 4.2 of the invoicing rules), in minor units.
const MAX_SIMPLIFIED_CENTS = 300_000;
const MAX_DESCRIPTION_LENGTH = 500;
// Lines in the agency's schema. It refuses the full submission of a record with more.
const MAX_TAX_LINES = 12;

/** Returns the missing or unusable fields that prevent a document's record. */
export function listFieldsPreventingRecord(source: Omit<TaxRecordSource, "system">): TaxRecordRequiredField[] {
  const { draft, taxpayer, rateCodes, id } = source;
  const isTooMuch = draft.form === "simplified" && draft.sums.totalCents > MAX_SIMPLIFIED_CENTS;
  const prevents: Readonly<Record<TaxRecordRequiredField, boolean>> = {
    company_name: !taxpayer.name?.trim() || !fitsTaxAgencyName(taxpayer.name),
    company_document_id: parseSpanishTaxId(taxpayer.documentId ?? "") === undefined,
    currency: draft.currency !== "EUR",
    serie: !/^[ -~]{1,60}$/.test(id.number) || /["'<=>]/.test(id.number),
    tax_rate_code:
      draft.taxes.length > MAX_TAX_LINES ||
      draft.taxes.some((tax) => {
        const line = toTaxLine(taxpayer.territory, rateCodes, tax);
        // A simplified document has no recipient who could owe the tax instead of the issuer (1197).
        return line === undefined || (line.operation === "S2" && ["F2", "R5"].includes(getInvoiceType(source)));
      }),
    name: isNamed(draft) && !fitsTaxAgencyName(draft.customer.fullName),
    document_id: isTooMuch || (isNamed(draft) && !hasRecipient(source)),
  };
  return TAX_RECORD_REQUIRED_FIELDS.filter((field) => prevents[field]);
}

// A credit note for a simplified invoice has no recipient, like the invoice.
function isNamed({ form, customer }: DocumentDraft): boolean {
  return form === "full" || (form === "credit_note" && Boolean(customer.documentId?.trim()));
}

// The agency refuses a recipient with the issuer's own number (1193).
function hasRecipient(to: Omit<TaxRecordSource, "system">): boolean {
  const recipient = toTaxRecordRecipient(to.draft.customer);
  if (!recipient || isRecipientRefused(getInvoiceType(to), recipient)) return false;
  return !("taxId" in recipient) || recipient.taxId !== parseSpanishTaxId(to.taxpayer.documentId ?? "");
}

/** Creates the record of a complete document. */
export function createRegistrationRecord(source: TaxRecordSource): RegistrationRecord {
  const { draft, taxpayer, rateCodes, corrected, replaced, system } = source;
  const issuer = parseSpanishTaxId(taxpayer.documentId ?? "") ?? "";
  const type = getInvoiceType(source);
  const lines = draft.taxes.flatMap((tax) => toTaxLine(taxpayer.territory, rateCodes, tax) ?? []);
  return {
    kind: "registration",
    id: { issuer, ...source.id },
    issuerName: toTaxAgencyText(taxpayer.name ?? ""),
    type,
    corrected: corrected && [toInvoiceId(corrected)],
    replaced: type === "F3" ? replaced.map(toInvoiceId) : undefined,
    description: toTaxAgencyText(draft.concept, MAX_DESCRIPTION_LENGTH),
    recipient: type === "F2" || type === "R5" ? undefined : toTaxRecordRecipient(draft.customer),
    lines,
    taxTotal: toText(draft.sums.taxesCents),
    total: toText(draft.sums.totalCents),
    system,
  };
}

const toInvoiceId = ({ issuer, number, date }: InvoiceId): InvoiceId => ({ issuer, number, date });

// A lower or cancelled rental price changes the taxable base: art. 80.2 of the VAT law. Insolvency is its art. 80.3, an
// unpaid debt its art. 80.4.
const CORRECTIONS: Readonly<Record<CreditReason, InvoiceType>> = {
  correction: "R1",
  insolvency: "R2",
  bad_debt: "R3",
  other: "R4",
};

function getInvoiceType({ draft, corrected, replaced }: Omit<TaxRecordSource, "system">): InvoiceType {
  if (draft.form === "simplified") return "F2";
  if (draft.form === "credit_note") {
    const correctsSimplified = corrected?.form === "simplified" || !draft.customer.documentId?.trim();
    return correctsSimplified ? "R5" : CORRECTIONS[draft.creditReason ?? "correction"];
  }
  // An invoice cancelled with a credit note is invoiced again, not replaced.
  return replaced.length > 0 ? "F3" : "F1";
}

/** Returns the reported tax line of a rate. Undefined if neither the law nor the account defines its code. */
function toTaxLine(
  territory: TaxTerritory,
  rateCodes: Readonly<Record<string, string>>,
  { vat, subtotalCents, taxesCents }: Pick<TaxRateSums, "vat" | "subtotalCents" | "taxesCents">,
): TaxLine | undefined {
  const code = parseTaxRateCode(rateCodes[formatRateAsPercent(vat)] ?? (RATES[territory].includes(vat) ? "S1" : ""));
  if (!code) return undefined;
  if (isRefusedLine(territory, code, vat)) return undefined;
  const isTaxed = code.operation === "S1" || code.operation === "S2";
  if (!isTaxed && (vat !== 0 || taxesCents !== 0)) return undefined;
  return {
    tax: TAXES[territory],
    regime: code.regime,
    operation: code.operation,
    rate: isTaxed ? formatRateAsPercent(vat) : undefined,
    base: toText(subtotalCents),
    amount: isTaxed ? toText(taxesCents) : undefined,
  };
}

type RateCode = NonNullable<ReturnType<typeof parseTaxRateCode>>;

// Operations that the agency allows in a regime of VAT or IGIC (1200, 1201, 1203, 1205, 1286). Regimes 06 and 14 need
// fields that documents don't have (1202, 1147).
const REGIMES: Readonly<Record<string, RegExp>> = {
  "02": /^E/,
  "03": /^S1$/,
  "04": /^(?:S2|E\d)$/,
  "06": /^$/,
  "07": /^(?:S1|E[16])$/,
  "10": /^N1$/,
  "14": /^$/,
};
const isIgicOnly = (regime: string, operation: RateCode["operation"]) =>
  regime === "21" || operation === "E7" || operation === "E8";
// Regimes of VAT that determine the place of taxation (1252, 1293).
const TRANSFER_REGIMES = ["08", "20"];
const LETTING_REGIME = "11";

/** Whether the agency refuses a rate with this code, whatever document has it. */
function isRefusedLine(territory: TaxTerritory, { regime, operation }: RateCode, vat: BasisPoints): boolean {
  if (operation === "S2" && vat !== 0) return true;
  if (territory !== "igic" && isIgicOnly(regime, operation)) return true;
  if (territory !== "ipsi" && REGIMES[regime]?.test(operation) === false) return true;
  if (territory !== "iva") return false;
  if (operation === "S1" && vat !== 0 && !RATES.iva.includes(vat)) return true;
  if (TRANSFER_REGIMES.includes(regime) && operation !== "N2") return true;
  return regime === LETTING_REGIME && vat !== RATES.iva.at(-1);
}

/** Whether invoices with a rate can be reported to the agency, by the territory's law or the account's codes. */
export function canReportTaxRate(
  territory: TaxTerritory,
  rateCodes: Readonly<Record<string, string>>,
  vat: BasisPoints,
): boolean {
  return toTaxLine(territory, rateCodes, { vat, subtotalCents: 0, taxesCents: 0 }) !== undefined;
}

function toText(cents: Cents): string {
  return toAmount(cents, 2);
}

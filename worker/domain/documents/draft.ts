import type { DocumentForm } from "#domain/catalogue/series.ts";
import type { TaxRecordRequiredField } from "#domain/documents/tax-fields.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { CreditReason } from "./credit-reasons.ts";
import {
  type DocumentItem,
  type ItemSums,
  MAX_TAX_RATES,
  sumItems,
  sumTaxesByRate,
  type TaxRateSums,
} from "./items.ts";
import { addPrintedConcepts, type PrintedConcepts } from "./printed-concepts.ts";

/** Customer fields required for a full invoice, by API name. */
export const FULL_INVOICE_FIELDS = ["name", "document_id", "address_street", "address_city"] as const;
/** Field that a document needs before it can be issued. */
export type MissingInvoiceField = (typeof FULL_INVOICE_FIELDS)[number] | TaxRecordRequiredField;

export type DocumentKind = "invoice" | "internal_bond";
/** Purpose of a contract's document, as in the integration API. */
export type DocumentMode = "default" | "reservation_retainer" | "reservation_breakdown" | "reservation_extra";

/** Recipient of a document, as printed. */
export interface DocumentCustomer {
  readonly id: number | undefined;
  readonly type: "individual" | "legal_entity" | "internal_department" | "legal_entity_group_company";
  readonly fullName: string;
  readonly documentId: string | undefined;
  /** Country that issued the document, of two letters. */
  readonly originCountry: string | undefined;
  readonly address: Readonly<Record<AddressPart, string | undefined>>;
}

export type AddressPart = "street" | "number" | "complement" | "city" | "state" | "country" | "zip";

/** Part of a collective document that belongs to one contract. */
export interface DocumentContractShare {
  readonly bookingId: number;
  /** Plates of the contract's vehicles. */
  readonly referenceDetail: string | undefined;
  readonly referenceDates: string | undefined;
  readonly totalCents: Cents;
  readonly agentPrepaidCents: Cents;
}

/** Complete document without its number. */
export interface DocumentDraft {
  readonly kind: DocumentKind;
  readonly type: "invoice" | "payment";
  readonly mode: DocumentMode;
  readonly form: DocumentForm;
  /** Fields that must be filled before the document can be issued. */
  readonly missing: readonly MissingInvoiceField[];
  readonly companyId: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly concept: string;
  readonly bookingId: number | undefined;
  /** Contracts of a collective document, which has no `bookingId`. */
  readonly contracts?: readonly DocumentContractShare[] | undefined;
  /** Number of the related order: a transfer or an activity. */
  readonly orderReference: string | undefined;
  readonly correctsDocumentId: number | undefined;
  /** Reason of a credit note. Defaults to a correction. */
  readonly creditReason?: CreditReason | undefined;
  /** Simplified invoice that this document is issued in exchange for. */
  readonly exchangesDocumentId: number | undefined;
  /** Simplified invoices that this document replaces. They no longer count. */
  readonly replaces?: readonly number[] | undefined;
  /** Existing draft to overwrite. */
  readonly draftId: number | undefined;
  readonly customer: DocumentCustomer;
  readonly referenceDetail: string | undefined;
  readonly referenceDates: string | undefined;
  readonly referenceAgency: string | undefined;
  readonly currency: string;
  readonly discount: BasisPoints;
  readonly agentPrepaidCents: Cents;
  readonly items: readonly DocumentItem[];
  readonly taxes: readonly TaxRateSums[];
  readonly sums: ItemSums;
}

/** Document draft without its items and sums. */
export type DocumentHead = Omit<DocumentDraft, "items" | "taxes" | "sums"> & {
  /** Concepts of its items as printed. Defaults to the concepts themselves. */
  readonly printedConcepts?: PrintedConcepts | undefined;
};

/** Error for a document with more than five tax rates, which its format doesn't allow. */
export class TooManyRatesError extends Error {
  override readonly name = "TooManyRates";
}

/**
 * Creates a document from its items. Throws `TooManyRatesError`. An internal bond has no tax, so its items must have
 * none.
 */
export function completeDocumentDraft(
  { printedConcepts, ...head }: DocumentHead,
  draftItems: readonly DocumentItem[],
): DocumentDraft {
  const items = addPrintedConcepts(draftItems, printedConcepts);
  const taxes = sumTaxesByRate(items);
  if (taxes.length > MAX_TAX_RATES) throw new TooManyRatesError(`a document has ${taxes.length} tax rates`);
  return { ...head, items, taxes: head.kind === "invoice" ? taxes : [], sums: sumItems(items) };
}

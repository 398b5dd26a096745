import type { BasisPoints, Cents } from "#domain/money.ts";
import type { RecordField } from "#domain/tax-records/fields.ts";
import type { CreditReason } from "./credit-reasons.ts";
import { addUpItems, type DocumentItem, type ItemSums, MAX_TAX_RATES, type RateTax, taxesByRate } from "./items.ts";
import type { DocumentForm } from "./series.ts";

/** What a full invoice names of its customer, as the wire calls it. */
export const FULL_INVOICE_FIELDS = ["name", "document_id", "address_street", "address_city"] as const;
export type MissingField = (typeof FULL_INVOICE_FIELDS)[number] | RecordField;

export type DocumentKind = "invoice" | "internal_bond";
export type DocumentMode = "default" | "reservation_retainer" | "reservation_breakdown" | "reservation_extra";

/** Whom a document is made out to, as it is printed. */
export interface DocumentCustomer {
  readonly id: number | undefined;
  readonly type: "individual" | "legal_entity" | "internal_department" | "legal_entity_group_company";
  readonly fullName: string;
  readonly documentId: string | undefined;
  readonly address: Readonly<Record<AddressPart, string | undefined>>;
}

export type AddressPart = "street" | "number" | "complement" | "city" | "state" | "country" | "zip";

/** A document with everything but its number. */
export interface DocumentDraft {
  readonly kind: DocumentKind;
  readonly type: "invoice" | "payment";
  readonly mode: DocumentMode;
  readonly form: DocumentForm;
  /** What it lacks to be issued. */
  readonly missing: readonly MissingField[];
  readonly companyId: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly concept: string;
  readonly bookingId: number | undefined;
  /** The number of the order that it is about: a transfer, or an activity. */
  readonly orderReference: string | undefined;
  readonly correctsDocumentId: number | undefined;
  /** Of a credit note; a correction where nobody said otherwise. */
  readonly creditReason?: CreditReason | undefined;
  /** The simplified invoice in exchange for which it is made. */
  readonly exchangesDocumentId: number | undefined;
  /** The simplified invoices that it stands in place of: they count no more. */
  readonly replaces?: readonly number[] | undefined;
  /** The draft that is written anew, where one is there. */
  readonly draftId: number | undefined;
  readonly customer: DocumentCustomer;
  readonly referenceDetail: string | undefined;
  readonly referenceDates: string | undefined;
  readonly referenceAgency: string | undefined;
  readonly currency: string;
  readonly discount: BasisPoints;
  readonly agentPrepaidCents: Cents;
  readonly items: readonly DocumentItem[];
  readonly taxes: readonly RateTax[];
  readonly sums: ItemSums;
}

export type DocumentHead = Omit<DocumentDraft, "items" | "taxes" | "sums">;

/** A document has room for five tax rates. */
export class TooManyRates extends Error {
  override readonly name = "TooManyRates";
}

/** Makes a document of its items; throws `TooManyRates`. An internal bond carries no tax: give its items none. */
export function completeDocument(head: DocumentHead, items: readonly DocumentItem[]): DocumentDraft {
  const taxes = taxesByRate(items);
  if (taxes.length > MAX_TAX_RATES) throw new TooManyRates(`a document has ${taxes.length} tax rates`);
  return { ...head, items, taxes: head.kind === "invoice" ? taxes : [], sums: addUpItems(items) };
}

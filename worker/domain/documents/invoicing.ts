import type { Period } from "#domain/dates.ts";
import { type BasisPoints, type Cents, shareOut } from "#domain/money.ts";
import { contractItems, type PricedContract } from "./contract-items.ts";
import {
  addUpItems,
  type DocumentItem,
  type ItemSums,
  type ItemTerms,
  itemise,
  MOST_RATES,
  type TaxOfRate,
  taxesByRate,
} from "./items.ts";
import { documentTexts } from "./texts.ts";

export type DocumentKind = "invoice" | "internal_bond";
export type DocumentMode = "default" | "reservation_retainer" | "reservation_breakdown" | "reservation_extra";

/** Invoices and bonds, their credit notes, and tickets are numbered apart. */
export const SERIES = { invoice: "A", internal_bond: "B", credit: "R", ticket: "T" } as const;

/** Whom a document is made out to, as it is printed. */
export interface DocumentCustomer {
  readonly id: number | undefined;
  readonly type: "individual" | "legal_entity" | "internal_department" | "legal_entity_group_company";
  readonly fullName: string;
  readonly documentId: string | undefined;
  readonly address: Readonly<Record<AddressPart, string | undefined>>;
}

export type AddressPart = "street" | "number" | "complement" | "city" | "state" | "country" | "zip";

/** A document made earlier about the same contract. */
export interface EarlierDocument {
  readonly id: number;
  readonly kind: DocumentKind;
  readonly mode: DocumentMode;
  /** `payment`: a credit note. */
  readonly type: "invoice" | "payment";
  readonly isFirm: boolean;
  readonly items: readonly Pick<DocumentItem, "concept" | "vat" | "totalCents">[];
}

/** All of a contract that its documents are made from: plain data, see `toContractToInvoice`. */
export interface ContractToInvoice extends PricedContract {
  readonly bookingId: number;
  readonly currency: string;
  readonly companyId: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly customer: DocumentCustomer;
  readonly period: Period;
  readonly agencyName: string | undefined;
  readonly agentPrepaidCents: Cents;
  readonly earlier: readonly EarlierDocument[];
}

/** A document with everything but its number. */
export interface DocumentDraft {
  readonly kind: DocumentKind;
  readonly type: "invoice" | "payment";
  readonly mode: DocumentMode;
  readonly serie: string;
  readonly companyId: number;
  readonly branchCode: string;
  readonly salesChannelCode: string | undefined;
  readonly concept: string;
  readonly bookingId: number | undefined;
  readonly correctsDocumentId: number | undefined;
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
  readonly taxes: readonly TaxOfRate[];
  readonly sums: ItemSums;
}

export type DocumentHead = Omit<DocumentDraft, "items" | "taxes" | "sums">;

/** A document has room for five tax rates: ask `hasTooManyRates` first where the contract may have more. */
export class TooManyRates extends Error {
  override readonly name = "TooManyRates";
}

/** Makes a document of its items; throws `TooManyRates`. An internal bond carries no tax: give its items none. */
export function completeDocument(head: DocumentHead, items: readonly DocumentItem[]): DocumentDraft {
  const taxes = taxesByRate(items);
  if (taxes.length > MOST_RATES) throw new TooManyRates(`a document has ${taxes.length} tax rates`);
  return { ...head, items, taxes: head.kind === "invoice" ? taxes : [], sums: addUpItems(items) };
}

/**
 * The invoice of a contract, or the bond of an internal department: what the contract costs less what its firm
 * documents say already, so that all of them come to the contract's total. After a final invoice, what came later is a
 * `reservation_extra`. No items: nothing is left.
 */
export function draftContractDocument(contract: ContractToInvoice): DocumentDraft {
  const firm = contract.earlier.filter(({ isFirm }) => isFirm);
  const kind = kindFor(contract.customer);
  const isAfterFinal = countOf(firm, "invoice") > countOf(firm, "payment");
  const mode = isAfterFinal && kind === "invoice" ? "reservation_extra" : "reservation_breakdown";
  const head = headOf(contract, kind, mode, documentTexts(contract.language).contract);
  return completeDocument(
    { ...head, agentPrepaidCents: isAfterFinal ? 0 : contract.agentPrepaidCents },
    leftToInvoice(contract, firm, kind).map(itemise),
  );
}

/** Whether what is left to invoice has more tax rates than a document has room for. */
export function hasTooManyRates(contract: ContractToInvoice): boolean {
  const firm = contract.earlier.filter(({ isFirm }) => isFirm);
  const items = leftToInvoice(contract, firm, kindFor(contract.customer));
  return new Set(items.map(({ vat }) => vat)).size > MOST_RATES;
}

/**
 * The invoice of what was paid in advance, shared out over the contract's tax rates so that the final invoice can take
 * it off.
 */
export function draftAdvance(contract: ContractToInvoice, cents: Cents): DocumentDraft {
  const words = documentTexts(contract.language);
  const rates = taxesByRate(contractItems(contract).map(itemise));
  const shares = shareOut(
    cents,
    rates.map(({ totalCents }) => Math.max(0, totalCents)),
  );
  const items = rates.map(({ vat }, index) => ({
    concept: words.advance,
    quantity: 1,
    unitCents: shares[index] ?? 0,
    vat,
  }));
  return completeDocument(
    headOf(contract, "invoice", "reservation_retainer", words.advance),
    items.filter(({ unitCents }) => unitCents !== 0).map(itemise),
  );
}

function kindFor({ type }: DocumentCustomer): DocumentKind {
  return type === "internal_department" ? "internal_bond" : "invoice";
}

function countOf(documents: readonly EarlierDocument[], type: EarlierDocument["type"]): number {
  return documents.filter((one) => one.mode === "reservation_breakdown" && one.type === type).length;
}

function headOf(contract: ContractToInvoice, kind: DocumentKind, mode: DocumentMode, title: string): DocumentHead {
  const { dateFrom, timeFrom, dateTo, timeTo } = contract.period;
  const isThisDraft = (one: EarlierDocument) =>
    !one.isFirm &&
    one.kind === kind &&
    one.type === "invoice" &&
    (one.mode === "reservation_retainer") === (mode === "reservation_retainer");
  return {
    kind,
    type: "invoice",
    mode,
    serie: SERIES[kind],
    companyId: contract.companyId,
    branchCode: contract.branchCode,
    salesChannelCode: contract.salesChannelCode,
    concept: `${title} ${contract.bookingId}`,
    bookingId: contract.bookingId,
    correctsDocumentId: undefined,
    draftId: contract.earlier.find(isThisDraft)?.id,
    customer: contract.customer,
    referenceDetail: contract.lines.flatMap(({ plates }) => plates).join(", ") || undefined,
    referenceDates: `${dateFrom} ${timeFrom} - ${dateTo} ${timeTo}`,
    referenceAgency: contract.agencyName,
    currency: contract.currency,
    discount: 0,
    agentPrepaidCents: 0,
  };
}

// Concept by concept and rate by rate: what was invoiced already is taken off, an advance as an item below zero.
function leftToInvoice(contract: ContractToInvoice, firm: readonly EarlierDocument[], kind: DocumentKind): ItemTerms[] {
  const taxed = (vat: BasisPoints) => (kind === "invoice" ? vat : 0);
  const invoiced = new Map<string, ItemTerms>();
  for (const { concept, vat, totalCents } of firm.flatMap(({ items }) => items)) {
    const key = `${taxed(vat)} ${concept}`;
    const unitCents = (invoiced.get(key)?.unitCents ?? 0) + totalCents;
    invoiced.set(key, { concept, quantity: 1, unitCents, vat: taxed(vat) });
  }
  const items = contractItems(contract).map((item): ItemTerms => {
    const wanted = { ...item, vat: taxed(item.vat) };
    const key = `${wanted.vat} ${wanted.concept}`;
    const already = invoiced.get(key);
    const cents = wanted.unitCents * wanted.quantity;
    const covered = Math.max(0, Math.min(cents, already?.unitCents ?? 0));
    if (!already || covered === 0) return wanted;
    invoiced.set(key, { ...already, unitCents: already.unitCents - covered });
    return { ...already, unitCents: cents - covered };
  });
  const takenOff = [...invoiced.values()].map((item) => ({ ...item, unitCents: -item.unitCents }));
  return [...items, ...takenOff].filter((item) => item.unitCents !== 0 || firm.length === 0);
}

import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BasisPoints, type Cents, prorate, splitAmount, sumCents } from "#domain/money.ts";
import { type CreditReason, isTaxOnlyCredit } from "./credit-reasons.ts";
import { completeDocumentDraft, type DocumentCustomer, type DocumentDraft, type DocumentHead } from "./draft.ts";
import { calculateItem, type DocumentItem, negateItem } from "./items.ts";
import { type ConceptAmount, subtractCreditedConcepts } from "./net-items.ts";
import { collectPrintedConcepts } from "./printed-concepts.ts";
import {
  assignRateTaxesToItems,
  getTaxRateBalances,
  type TaxRateAmount,
  type TaxRateBalances,
} from "./rate-balances.ts";
import { getDocumentTexts } from "./texts.ts";

/** Amount of a credit note by concept and rate, with its base. */
export type CreditedAmount = ConceptAmount & TaxRateAmount;

/** Issued document, with the amounts of its credit notes (negative). */
export interface IssuedDocumentWithCredits extends DocumentHead {
  readonly id: number;
  readonly serie: string;
  readonly number: number;
  readonly totalCents: Cents;
  readonly items: readonly DocumentItem[];
  readonly credited: readonly CreditedAmount[];
  /** Received amount, which an unpaid debt doesn't include. Absent where only the uncredited amount counts. */
  readonly receivedCents?: Cents | undefined;
  /** Whether a credit note for an unpaid debt already reduced the tax. Then no further credit is possible. */
  readonly isTaxTakenBack?: boolean;
  /** Whether a full invoice has replaced the document, so that it can't be credited. */
  readonly isReplaced?: boolean;
}

/** Returns the amount of an issued document that credit notes haven't credited. */
export function getUncreditedCents({
  totalCents,
  credited,
}: Pick<IssuedDocumentWithCredits, "totalCents" | "credited">): Cents {
  return totalCents + sumCents(credited.map((conceptAmount) => conceptAmount.totalCents));
}

/**
 * Returns the maximum credit of an issued document for a reason: the uncredited amount or, for an unpaid debt, the tax
 * of its unpaid part (art. 80.4 of the VAT law).
 */
export function getCreditableCents(document: IssuedDocumentWithCredits, reason: CreditReason): Cents {
  if (document.isTaxTakenBack) return 0;
  if (!isTaxOnlyCredit(reason)) return getUncreditedCents(document);
  const taxesCents = sumCents(listUncreditedTaxes(document).map((item) => item.taxesCents));
  const uncreditedCents = getUncreditedCents(document);
  return uncreditedCents > 0 ? prorate(taxesCents, getUnpaidCents(document), uncreditedCents) : taxesCents;
}

/** Whether the uncredited amount of a document was received, so that no debt is left. */
export function isUncreditedAmountPaid(document: IssuedDocumentWithCredits): boolean {
  return getUncreditedCents(document) > 0 && getUnpaidCents(document) === 0;
}

function getUnpaidCents(document: IssuedDocumentWithCredits): Cents {
  const { receivedCents = 0, agentPrepaidCents } = document;
  const uncreditedCents = getUncreditedCents(document);
  return Math.min(Math.max(0, uncreditedCents - receivedCents - agentPrepaidCents), uncreditedCents);
}

// An uncredited document uses its own amounts. Recalculated from its lines, the tax might differ by a cent.
function listUncreditedTaxes({ items, credited }: IssuedDocumentWithCredits): readonly DocumentItem[] {
  return credited.length === 0 ? items : listUncreditedItems({ items, credited });
}

function listUncreditedItems({
  items,
  credited,
}: Pick<IssuedDocumentWithCredits, "items" | "credited">): readonly DocumentItem[] {
  const nets = subtractCreditedConcepts(items, credited).map(({ concept, vat, totalCents }) =>
    calculateItem({ concept, quantity: 1, unitCents: totalCents, vat }),
  );
  return assignRateTaxesToItems(nets, getUncreditedBalances({ items, credited }));
}

/** Returns base and total that are left of each tax rate of a document. */
function getUncreditedBalances({
  items,
  credited,
}: Pick<IssuedDocumentWithCredits, "items" | "credited">): TaxRateBalances {
  return getTaxRateBalances([...items, ...credited]);
}

/**
 * Drafts a note that credits the tax, or part of it, of a document that isn't paid, split over its lines. The sale
 * itself stays owed (art. 80.3 and 80.4 of the VAT law).
 */
export function draftTaxCreditNote(
  document: IssuedDocumentWithCredits,
  language: PlatformLanguage,
  { cents, reason }: { readonly cents: Cents; readonly reason: CreditReason },
): DocumentDraft {
  const lines = listUncreditedTaxes(document);
  const shares = splitAmount(
    cents,
    deductWithinRates(lines.map((line) => ({ vat: line.vat, cents: line.taxesCents }))),
  );
  const items = lines.map((line, index) => taxItem(line, -(shares[index] ?? 0)));
  const note = createCreditNoteFromItems(
    document,
    language,
    cents,
    items.filter(({ totalCents }) => totalCents !== 0),
  );
  return { ...note, creditReason: reason };
}

function taxItem({ concept, vat, externalCode }: DocumentItem, taxesCents: Cents): DocumentItem {
  const nothing = { unitWithoutTaxesCents: 0, totalWithoutTaxesCents: 0, subtotalCents: 0 };
  const tax = { unitCents: taxesCents, taxesCents, totalCents: taxesCents };
  return { concept, quantity: 1, vat, ...nothing, ...tax, externalCode };
}

/**
 * Drafts a credit note for an issued document or part of it, split over the uncredited part of each line. The credited
 * lines can then be invoiced again. `language` is the account's.
 */
export function draftCreditNote(
  document: IssuedDocumentWithCredits,
  language: PlatformLanguage,
  cents?: Cents,
): DocumentDraft {
  const uncreditedCents = getUncreditedCents(document);
  const creditCents = cents ?? uncreditedCents;
  if (creditCents === uncreditedCents && document.credited.length === 0)
    return createCreditNoteFromItems(document, language, creditCents, document.items.map(negateItem), true);
  const nets = subtractCreditedConcepts(document.items, document.credited);
  const items = creditCents === uncreditedCents ? nets.map(toNegativeItem) : splitCreditOverConcepts(nets, creditCents);
  return createCreditNoteFromItems(
    document,
    language,
    creditCents,
    assignRateTaxesToItems(items, getUncreditedBalances(document)),
  );
}

/**
 * Deducts the discounts and advances of each tax rate from its positive amounts, in proportion. Otherwise,
 * credits of a rate would exceed its total.
 */
function deductWithinRates(amounts: readonly { readonly vat: BasisPoints; readonly cents: Cents }[]): readonly Cents[] {
  const deducted = amounts.map(({ cents }) => Math.max(0, cents));
  for (const rateAmounts of Map.groupBy(amounts.entries(), ([, { vat }]) => vat).values()) {
    const netCents = Math.max(0, sumCents(rateAmounts.map(([, { cents }]) => cents)));
    const shares = splitAmount(
      netCents,
      rateAmounts.map(([index]) => deducted[index] ?? 0),
    );
    for (const [position, [index]] of rateAmounts.entries()) deducted[index] = shares[position] ?? 0;
  }
  return deducted;
}

/** Splits a credit over the uncredited concepts of a document. */
export function splitCreditOverConcepts(nets: readonly ConceptAmount[], cents: Cents): DocumentItem[] {
  const sign = Math.sign(cents);
  const weights = deductWithinRates(nets.map(({ vat, totalCents }) => ({ vat, cents: totalCents * sign })));
  const shares = splitAmount(Math.abs(cents), weights);
  return nets
    .map((net, index) => toNegativeItem({ ...net, totalCents: sign * (shares[index] ?? 0) }))
    .filter(({ totalCents }) => totalCents !== 0);
}

function toNegativeItem({ concept, vat, totalCents }: ConceptAmount): DocumentItem {
  return calculateItem({ concept, quantity: 1, unitCents: -totalCents, vat });
}

/** Drafts a credit note with separate items, for a contract that costs less than its documents. */
export function createCreditNoteFromItems(
  document: IssuedDocumentWithCredits,
  language: PlatformLanguage,
  cents: Cents,
  items: readonly DocumentItem[],
  isUncredited = false,
): DocumentDraft {
  const { id, serie, number, credited } = document;
  const concept = `${getDocumentTexts(language).creditNote} ${serie}/${number}`;
  return completeDocumentDraft(
    {
      ...buildHead(document),
      type: "payment",
      form: "credit_note",
      missing: [],
      concept,
      discount: isUncredited ? document.discount : 0,
      agentPrepaidCents: prepaidBack(document, credited, cents),
      draftId: undefined,
      correctsDocumentId: id,
      creditReason: "correction",
      exchangesDocumentId: undefined,
    },
    items,
  );
}

// Returns the header fields that a derived document copies.
function buildHead(document: IssuedDocumentWithCredits): DocumentHead {
  const { id: _, serie: __, number: ___, totalCents: ____, items: _____, credited: ______, ...rest } = document;
  const { isTaxTakenBack: _______, isReplaced: ________, receivedCents: _________, ...head } = rest;
  const printedConcepts = collectPrintedConcepts(document.items);
  return { ...head, replaces: undefined, contracts: undefined, printedConcepts };
}

// The amount kept by an agent is credited last, because only the customer's part is settled with the customer.
function prepaidBack(
  { totalCents, agentPrepaidCents }: IssuedDocumentWithCredits,
  credited: readonly ConceptAmount[],
  cents: Cents,
): Cents {
  const before = -sumCents(credited.map((conceptAmount) => conceptAmount.totalCents));
  const beyond = (all: Cents) => Math.max(0, all - (totalCents - agentPrepaidCents));
  return agentPrepaidCents === 0 ? 0 : beyond(before) - beyond(before + cents);
}

/** Collective invoice, and its part of each contract. */
export interface CollectiveInvoiceByContract {
  readonly document: IssuedDocumentWithCredits;
  readonly parts: readonly IssuedDocumentWithCredits[];
}

/**
 * Drafts one credit note for a collective invoice or part of it. Without a contract, the amount is split over all
 * contracts. The credited lines stay grouped by contract.
 */
export function draftCollectiveCreditNote(
  { document, parts }: CollectiveInvoiceByContract,
  language: PlatformLanguage,
  cents?: Cents,
): DocumentDraft {
  const uncredited = parts.map(getUncreditedCents);
  const shares = cents === undefined ? uncredited : splitAmount(cents, uncredited);
  const notes = parts.flatMap((part, index) => {
    const share = shares[index] ?? 0;
    return share === 0 ? [] : [{ part, note: draftCreditNote(part, language, share) }];
  });
  const items = notes.flatMap(({ part, note }) => note.items.map((item) => ({ ...item, bookingId: part.bookingId })));
  const contracts = notes.map(({ part, note }) => ({
    bookingId: part.bookingId ?? 0,
    referenceDetail: part.referenceDetail,
    referenceDates: part.referenceDates,
    totalCents: note.sums.totalCents,
    agentPrepaidCents: note.agentPrepaidCents,
  }));
  const note = createCreditNoteFromItems(document, language, cents ?? sumCents(uncredited), items);
  const agentPrepaidCents = sumCents(contracts.map((contract) => contract.agentPrepaidCents));
  return { ...note, contracts, agentPrepaidCents };
}

/** Drafts credit notes of a given total for a contract's issued invoices, newest first. */
export function draftCreditNotes(
  documents: readonly IssuedDocumentWithCredits[],
  language: PlatformLanguage,
  cents: Cents,
): DocumentDraft[] {
  const notes: DocumentDraft[] = [];
  let uncreditedCents = cents;
  for (const document of documents.filter(({ isTaxTakenBack }) => !isTaxTakenBack).toReversed()) {
    const part = Math.min(uncreditedCents, Math.max(0, getUncreditedCents(document)));
    if (part > 0) notes.push(draftCreditNote(document, language, part));
    uncreditedCents -= part;
  }
  return notes;
}

/**
 * Drafts the exchange of a simplified invoice for a full one with the same lines: the credit note, and the invoice that
 * references it. Requires a customer with complete data.
 */
export function draftFullInvoiceExchange(
  document: IssuedDocumentWithCredits,
  customer: DocumentCustomer,
  language: PlatformLanguage,
): readonly [note: DocumentDraft, invoice: DocumentDraft] {
  const { id, items, credited, discount } = document;
  const isUncredited = credited.length === 0;
  const lines = isUncredited ? items : listUncreditedItems({ items, credited });
  const invoice = completeDocumentDraft(
    {
      ...buildHead(document),
      customer,
      form: "full",
      missing: [],
      discount: isUncredited ? discount : 0,
      exchangesDocumentId: id,
    },
    lines,
  );
  return [draftCreditNote(document, language), invoice];
}

/** Whether a full invoice may replace the document: a simplified invoice without credits. */
export function isReplaceableByFullInvoice({ form, credited, isReplaced }: IssuedDocumentWithCredits): boolean {
  return form === "simplified" && credited.length === 0 && !isReplaced;
}

/**
 * Drafts the full invoice that replaces simplified ones of one contract and branch with all their lines. Requires a
 * customer with complete data. No note credits them. The new invoice references them, and they no longer count. Throws
 * `TooManyRatesError`.
 */
export function draftReplacingInvoice(
  [first, ...others]: readonly [IssuedDocumentWithCredits, ...IssuedDocumentWithCredits[]],
  customer: DocumentCustomer,
): DocumentDraft {
  const all = [first, ...others];
  // The final invoice describes the contract better than an advance.
  const head = buildHead(all.find(({ mode }) => mode !== "reservation_retainer") ?? first);
  return completeDocumentDraft(
    {
      ...head,
      customer,
      form: "full",
      missing: [],
      discount: all.every(({ discount }) => discount === head.discount) ? head.discount : 0,
      agentPrepaidCents: sumCents(all.map(({ agentPrepaidCents }) => agentPrepaidCents)),
      exchangesDocumentId: first.id,
      replaces: all.map(({ id }) => id),
    },
    all.flatMap(({ items }) => items),
  );
}

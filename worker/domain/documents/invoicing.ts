import type { Period } from "#domain/dates.ts";
import { type BasisPoints, type Cents, splitAmount, sumCents } from "#domain/money.ts";
import { createContractItems, type PricedContract } from "./contract-items.ts";
import {
  createCreditNoteFromItems,
  draftCreditNotes,
  getUncreditedCents,
  type IssuedDocumentWithCredits,
} from "./credit-notes.ts";
import { isTaxOnlyCredit } from "./credit-reasons.ts";
import { assignDocumentForm } from "./document-form.ts";
import {
  completeDocumentDraft,
  type DocumentCustomer,
  type DocumentDraft,
  type DocumentHead,
  type DocumentKind,
  type DocumentMode,
} from "./draft.ts";
import { calculateItem, type DocumentItem, MAX_TAX_RATES, type NewDocumentItem, sumTaxesByRate } from "./items.ts";
import { subtractCreditedConcepts, toConceptAndRateKey } from "./net-items.ts";
import { addPrintedConcepts, getPrintedConcepts } from "./printed-concepts.ts";
import { assignRateTaxesToItems, getTaxRateBalances, negateAmounts, type TaxRateBalances } from "./rate-balances.ts";
import { draftCreditNotesByRate, hasCreditableRates } from "./rate-credits.ts";
import { getDocumentTexts, isPreInvoiceRefundItem } from "./texts.ts";

const ADVANCE: DocumentMode = "reservation_retainer";

/** Earlier document of the same contract. A draft has no number yet. */
export type EarlierDocument = IssuedDocumentWithCredits & { readonly isIssued: boolean };

/** Contract data for its documents. See `toContractToInvoice`. */
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
  /** Limit up to which a customer without tax id or address gets a simplified invoice. */
  readonly simplifiedLimitCents: Cents;
  readonly earlier: readonly EarlierDocument[];
}

/**
 * Drafts the documents that a contract lacks: its price minus its issued documents, so that their sum equals the
 * contract's total. Creates an invoice, or the bond of an internal department. With more tax rates than a document
 * allows, creates several. If the price fell, creates a credit note. After a final invoice, later items form a
 * `reservation_extra`. A cancelled contract's issued documents are credited and the retained fee is invoiced. Empty if
 * nothing remains. `reducedCents` reduces the invoiced amount by a refund. An obsolete draft is returned last without
 * items, because extraction doesn't report removals.
 */
export function draftMissingContractDocuments(contract: ContractToInvoice, refundedCents: Cents = 0): DocumentDraft[] {
  const missingDrafts = lackingDocuments(contract, refundedCents);
  return [...missingDrafts, ...emptiedDrafts(contract, missingDrafts)];
}

function lackingDocuments(contract: ContractToInvoice, reducedCents: Cents): DocumentDraft[] {
  const issuedDocuments = contract.earlier.filter(({ isIssued }) => isIssued);
  const uninvoiced = reduced(contract, listUninvoicedItems(contract, issuedDocuments), reducedCents);
  const settled = assignRateTaxesToItems(uninvoiced, getUninvoicedBalances(contract, issuedDocuments));
  const items = addPrintedConcepts(settled, getPrintedConcepts(contract, issuedDocuments));
  const cents = sumCents(items.map(({ totalCents }) => totalCents));
  if (cents === 0 && isInvoiced(issuedDocuments)) return [];
  if (contract.retainedFeeCents !== undefined)
    return [...takeAllBack(contract, issuedDocuments), ...draftFeeInvoices(contract, issuedDocuments)];
  return cents < 0
    ? draftCredits(contract, issuedDocuments, items, -cents)
    : draftInvoices(contract, issuedDocuments, items);
}

// Whether an issued document isn't an advance. Then changes that sum to zero need no document. After advances only, the
// final invoice is still needed.
function isInvoiced(issuedDocuments: readonly EarlierDocument[]): boolean {
  return issuedDocuments.some(({ mode }) => mode !== ADVANCE);
}

// A fee is retained from payments to the company. The company settles an amount kept by an agent with the agent.
function draftFeeInvoices(contract: ContractToInvoice, issuedDocuments: readonly EarlierDocument[]): DocumentDraft[] {
  const items = createContractItems(contract).map((item) => calculateItem({ ...item, vat: taxed(contract, item.vat) }));
  return draftInvoices({ ...contract, agentPrepaidCents: 0 }, issuedDocuments, items);
}

function takeAllBack({ language }: ContractToInvoice, issuedDocuments: readonly EarlierDocument[]): DocumentDraft[] {
  return draftCreditNotes(
    issuedDocuments,
    language,
    sumCents(issuedDocuments.filter(({ type }) => type === "invoice").map(getUncreditedCents)),
  );
}

// Returns drafts that are no longer needed, without items. A draft of an advance stays until the contract is cancelled.
function emptiedDrafts(contract: ContractToInvoice, missingDrafts: readonly DocumentDraft[]): DocumentDraft[] {
  const isCancelled = contract.retainedFeeCents !== undefined;
  return contract.earlier
    .filter(({ isIssued, type, totalCents }) => !isIssued && type === "invoice" && totalCents !== 0)
    .filter(({ id, mode }) => (isCancelled || mode !== ADVANCE) && missingDrafts.every(({ draftId }) => draftId !== id))
    .map(({ id, kind, mode, concept }) =>
      completeDocumentDraft({ ...buildHead(contract, kind, mode, concept), concept, draftId: id }, []),
    );
}

// Drafts credit notes for an amount. Credits the latest invoice that still has these rates and amounts. Otherwise
// splits the credit by rate over several invoices, or credits the latest ones line by line.
function draftCredits(
  { language }: ContractToInvoice,
  issuedDocuments: readonly EarlierDocument[],
  items: readonly DocumentItem[],
  cents: Cents,
): DocumentDraft[] {
  const invoices = issuedDocuments.filter(({ type, isTaxTakenBack }) => type === "invoice" && !isTaxTakenBack);
  const large = invoices.filter((invoice) => getUncreditedCents(invoice) >= cents);
  const corrected = large.findLast((invoice) => hasCreditableRates(invoice, items));
  if (corrected) return [createCreditNoteFromItems(corrected, language, cents, items)];
  const byRate = draftCreditNotesByRate(invoices, language, items);
  if (byRate) return byRate;
  const latest = large.at(-1);
  const isOneNote = latest && new Set(items.map(({ vat }) => vat)).size <= MAX_TAX_RATES;
  return isOneNote
    ? [createCreditNoteFromItems(latest, language, cents, items)]
    : draftCreditNotes(issuedDocuments, language, cents);
}

function draftInvoices(
  contract: ContractToInvoice,
  issuedDocuments: readonly EarlierDocument[],
  items: readonly DocumentItem[],
): DocumentDraft[] {
  const isAfterFinal = issuedDocuments.some(
    (earlierDocument) =>
      earlierDocument.mode === "reservation_breakdown" &&
      earlierDocument.type === "invoice" &&
      (getUncreditedCents(earlierDocument) !== 0 || earlierDocument.credited.length === 0),
  );
  const kind = kindFor(contract.customer);
  const title = getDocumentTexts(contract.language).contract;
  const rates = [...new Set(items.map(({ vat }) => vat))].sort((a, b) => b - a);
  const drafts = openDrafts(contract, kind, false);
  const documents = Math.ceil(rates.length / MAX_TAX_RATES);
  return Array.from({ length: documents }, (_, index) => {
    const some = rates.slice(index * MAX_TAX_RATES, (index + 1) * MAX_TAX_RATES);
    const isFirst = index === 0 && !isAfterFinal;
    // In a cancelled contract, the agent owes the kept amount, because the fee is taken from payments to the company.
    const isShared = isFirst && contract.retainedFeeCents === undefined;
    const mode = isFirst || kind === "internal_bond" ? "reservation_breakdown" : "reservation_extra";
    const head = {
      ...buildHead(contract, kind, mode, title),
      draftId: drafts[index]?.id,
      agentPrepaidCents: isShared ? contract.agentPrepaidCents : 0,
    };
    const complete = completeDocumentDraft(
      head,
      items.filter(({ vat }) => some.includes(vat)),
    );
    return assignDocumentForm(complete, contract.simplifiedLimitCents);
  });
}

/** Drafts an invoice of a part of a contract, which its closing invoice deducts. */
export function draftPartialInvoice(
  contract: ContractToInvoice,
  items: readonly DocumentItem[],
  referenceDates: string,
): DocumentDraft {
  const issuedDocuments = contract.earlier.filter(({ isIssued }) => isIssued);
  const kind = kindFor(contract.customer);
  const taxedItems = kind === "invoice" ? items : items.map((item) => calculateItem({ ...item, vat: 0 }));
  const head = {
    ...buildHead(contract, kind, "default", getDocumentTexts(contract.language).contract),
    referenceDates,
    draftId: openDrafts(contract, kind, false)[0]?.id,
  };
  const complete = completeDocumentDraft(
    head,
    assignRateTaxesToItems(taxedItems, getUninvoicedBalances(contract, issuedDocuments)),
  );
  return assignDocumentForm(complete, contract.simplifiedLimitCents);
}

/** Contract's part of a collective invoice, and its drafts, which the invoice makes obsolete. */
export interface UninvoicedContractShare {
  readonly head: DocumentHead;
  readonly items: readonly DocumentItem[];
  readonly obsoleteDrafts: readonly DocumentDraft[];
}

/** Returns the uninvoiced part of a contract for a collective invoice. */
export function draftUninvoicedContractShare(contract: ContractToInvoice): UninvoicedContractShare {
  const issuedDocuments = contract.earlier.filter(({ isIssued }) => isIssued);
  const settled = assignRateTaxesToItems(
    listUninvoicedItems(contract, issuedDocuments),
    getUninvoicedBalances(contract, issuedDocuments),
  );
  const items = addPrintedConcepts(settled, getPrintedConcepts(contract, issuedDocuments));
  const isShared = !isInvoiced(issuedDocuments) && contract.retainedFeeCents === undefined;
  const head = {
    ...buildHead(contract, "invoice", "reservation_breakdown", getDocumentTexts(contract.language).contract),
    agentPrepaidCents: isShared ? contract.agentPrepaidCents : 0,
  };
  return { head, items, obsoleteDrafts: emptiedDrafts(contract, []) };
}

/**
 * Drafts only the document of a surcharge that was added after a contract's completion. Credited amounts stay
 * credited. An open draft includes the surcharge and stays a draft (`isInOpenDraft`). If nothing is invoiced
 * yet, everything remaining is drafted. `contract` is the contract with the surcharge.
 */
export function draftSurchargeDocuments(
  contract: ContractToInvoice,
  terms: NewDocumentItem,
): { readonly drafts: readonly DocumentDraft[]; readonly isInOpenDraft: boolean } {
  const item = calculateItem({ ...terms, vat: taxed(contract, terms.vat) });
  const issuedDocuments = contract.earlier.filter(({ isIssued }) => isIssued);
  const open = openDrafts(contract, kindFor(contract.customer), false).find(
    ({ items }) => items.length > 0 && new Set([...items, item].map(({ vat }) => vat)).size <= MAX_TAX_RATES,
  );
  if (open) {
    const { items, mode, kind, concept, agentPrepaidCents, id: draftId } = open;
    const head = { ...buildHead(contract, kind, mode, concept), concept, draftId, agentPrepaidCents };
    const complete = completeDocumentDraft(head, [...items, item]);
    return { drafts: [assignDocumentForm(complete, contract.simplifiedLimitCents)], isInOpenDraft: true };
  }
  if (!isInvoiced(issuedDocuments)) return { drafts: draftMissingContractDocuments(contract), isInOpenDraft: true };
  // The amount kept by an agent belongs to the agreed price.
  const contractOnly = { ...contract, earlier: issuedDocuments, agentPrepaidCents: 0 };
  return { drafts: draftInvoices(contractOnly, issuedDocuments, [item]), isInOpenDraft: false };
}

/**
 * Drafts the invoice of an advance payment, split over the five largest uninvoiced tax rates of the contract, so that
 * the final invoice can deduct it.
 */
export function draftAdvanceInvoice(contract: ContractToInvoice, cents: Cents): DocumentDraft {
  const texts = getDocumentTexts(contract.language);
  const left = getUninvoicedBalances(
    contract,
    contract.earlier.filter(({ isIssued }) => isIssued),
  );
  const agreed = sumTaxesByRate(createContractItems(contract).map(calculateItem));
  const open = agreed.map((rate) => ({ ...rate, totalCents: Math.max(0, left.get(rate.vat)?.totalCents ?? 0) }));
  const isCovered = sumCents(open.map(({ totalCents }) => totalCents)) >= cents;
  const rates = (isCovered ? open : agreed).toSorted((a, b) => b.totalCents - a.totalCents).slice(0, MAX_TAX_RATES);
  const shares = splitAmount(
    cents,
    rates.map(({ totalCents }) => Math.max(0, totalCents)),
  );
  const items = rates.map(({ vat }, index) => ({
    concept: texts.advance,
    quantity: 1,
    unitCents: shares[index] ?? 0,
    vat,
  }));
  const head = buildHead(contract, "invoice", ADVANCE, texts.advance);
  const complete = completeDocumentDraft(
    { ...head, draftId: openDrafts(contract, "invoice", true)[0]?.id },
    assignRateTaxesToItems(items.filter(({ unitCents }) => unitCents !== 0).map(calculateItem), left),
  );
  return assignDocumentForm(complete, contract.simplifiedLimitCents);
}

/** Drafts the rest of a contract again after an advance is issued, so that an open draft deducts it. */
export function redraftRestAfterAdvance(contract: ContractToInvoice, advance: DocumentDraft): DocumentDraft[] {
  const hasOpenDraft = openDrafts(contract, "invoice", false).some(({ items }) => items.length > 0);
  if (!hasOpenDraft) return [];
  const issued = { ...advance, id: 0, serie: "", number: 0, totalCents: advance.sums.totalCents, credited: [] };
  const earlier = contract.earlier.filter(({ id }) => id !== advance.draftId);
  return draftMissingContractDocuments({ ...contract, earlier: [...earlier, { ...issued, isIssued: true }] });
}

function kindFor({ type }: DocumentCustomer): DocumentKind {
  return type === "internal_department" ? "internal_bond" : "invoice";
}

// Returns the drafts that can be overwritten: those of advances, or all others.
function openDrafts({ earlier }: ContractToInvoice, kind: DocumentKind, isAdvance: boolean): EarlierDocument[] {
  return earlier.filter(
    (earlierDocument) =>
      !earlierDocument.isIssued &&
      earlierDocument.kind === kind &&
      earlierDocument.type === "invoice" &&
      (earlierDocument.mode === ADVANCE) === isAdvance,
  );
}

// `assignDocumentForm` sets the document type once it's complete.
function buildHead(contract: ContractToInvoice, kind: DocumentKind, mode: DocumentMode, title: string): DocumentHead {
  const { dateFrom, timeFrom, dateTo, timeTo } = contract.period;
  return {
    kind,
    type: "invoice",
    mode,
    form: "full",
    missing: [],
    companyId: contract.companyId,
    branchCode: contract.branchCode,
    salesChannelCode: contract.salesChannelCode,
    concept: `${title} ${contract.bookingId}`,
    bookingId: contract.bookingId,
    orderReference: contract.parts ? String(contract.bookingId) : undefined,
    correctsDocumentId: undefined,
    exchangesDocumentId: undefined,
    draftId: undefined,
    customer: contract.customer,
    referenceDetail: contract.lines.flatMap(({ plates }) => plates).join(", ") || undefined,
    referenceDates: `${dateFrom} ${timeFrom} - ${dateTo} ${timeTo}`,
    referenceAgency: contract.agencyName,
    currency: contract.currency,
    discount: 0,
    agentPrepaidCents: 0,
    printedConcepts: getPrintedConcepts(contract, contract.earlier),
  };
}

// Returns the already invoiced part of an amount. For a negative amount, that's all that was invoiced.
function getCoveredCents(cents: Cents, invoicedCents: Cents): Cents {
  return cents < 0 ? invoicedCents : Math.max(0, Math.min(cents, invoicedCents));
}

// Existing reductions in drafts are kept and split over the tax rates.
function reduced(
  { language, earlier }: ContractToInvoice,
  items: readonly DocumentItem[],
  cents: Cents,
): readonly DocumentItem[] {
  const drafted = earlier
    .filter(({ isIssued }) => !isIssued)
    .flatMap((earlierDocument) => earlierDocument.items.filter(isPreInvoiceRefundItem));
  const requiredCents = cents - sumCents(drafted.map(({ totalCents }) => totalCents));
  const rates = sumTaxesByRate(items);
  const maxCents = Math.max(0, sumCents(items.map(({ totalCents }) => totalCents)));
  const shares = splitAmount(
    Math.min(requiredCents, maxCents),
    rates.map(({ totalCents }) => Math.max(0, totalCents)),
  );
  const { reduction } = getDocumentTexts(language);
  const less = rates.map(({ vat }, index) => {
    return { concept: reduction, quantity: 1, unitCents: -(shares[index] ?? 0), vat };
  });
  return [...items, ...less.filter(({ unitCents }) => unitCents !== 0).map(calculateItem)];
}

function taxed({ customer }: ContractToInvoice, vat: BasisPoints): BasisPoints {
  return kindFor(customer) === "invoice" ? vat : 0;
}

// Returns base and total that are left of each tax rate of a contract. After the tax of a debt was credited, its
// documents no longer add up to the contract.
function getUninvoicedBalances(
  contract: ContractToInvoice,
  issuedDocuments: readonly EarlierDocument[],
): TaxRateBalances {
  if (issuedDocuments.some(({ isTaxTakenBack }) => isTaxTakenBack)) return new Map();
  const agreed = createContractItems(contract).map((item) =>
    calculateItem({ ...item, vat: taxed(contract, item.vat) }),
  );
  const invoiced = issuedDocuments
    .flatMap(({ items }) => items)
    .map((item) => ({ ...item, vat: taxed(contract, item.vat) }));
  return getTaxRateBalances([...agreed, ...negateAmounts(invoiced)]);
}

// Deducts invoiced amounts by concept and rate, and an advance as a negative item. Credited amounts are invoiced again,
// but not the credited tax of an unpaid debt, because the sale stays invoiced.
function listUninvoicedItems(contract: ContractToInvoice, issuedDocuments: readonly EarlierDocument[]): DocumentItem[] {
  const amounts = (type: EarlierDocument["type"]) =>
    issuedDocuments
      .filter((earlierDocument) => earlierDocument.type === type && !isTaxOnlyCredit(earlierDocument.creditReason))
      .flatMap(({ items }) => items)
      .map(({ concept, vat, totalCents }) => ({ concept, vat: taxed(contract, vat), totalCents }));
  const invoiced = new Map(
    subtractCreditedConcepts(amounts("invoice"), amounts("payment")).map((conceptAmount) => [
      toConceptAndRateKey(conceptAmount),
      conceptAmount,
    ]),
  );
  const items = createContractItems(contract).map((item): NewDocumentItem => {
    const requiredCents = { ...item, vat: taxed(contract, item.vat) };
    const invoicedCents = invoiced.get(toConceptAndRateKey(requiredCents));
    const cents = requiredCents.unitCents * requiredCents.quantity;
    const covered = getCoveredCents(cents, invoicedCents?.totalCents ?? 0);
    if (!invoicedCents || covered === 0) return requiredCents;
    invoiced.set(toConceptAndRateKey(requiredCents), {
      ...invoicedCents,
      totalCents: invoicedCents.totalCents - covered,
    });
    return { concept: requiredCents.concept, quantity: 1, vat: requiredCents.vat, unitCents: cents - covered };
  });
  // Reductions aren't deducted, because they aren't part of the price. So a refunded amount isn't invoiced
  // again.
  const others = [...invoiced.values()].filter((conceptAmount) => !isPreInvoiceRefundItem(conceptAmount));
  const deductedItems = others.map(({ concept, vat, totalCents }) => {
    return { concept, vat, quantity: 1, unitCents: -totalCents };
  });
  return [...items, ...deductedItems]
    .filter((item) => item.unitCents !== 0 || issuedDocuments.length === 0)
    .map(calculateItem);
}

import type { Period } from "#domain/dates.ts";
import { type BasisPoints, type Cents, shareOut, sumCents } from "#domain/money.ts";
import { contractItems, type PricedContract } from "./contract-items.ts";
import { createCreditNote, draftCreditNotes, type FirmDocument, getUncreditedCents } from "./credit-notes.ts";
import {
  completeDocument,
  type DocumentCustomer,
  type DocumentDraft,
  type DocumentHead,
  type DocumentKind,
  type DocumentMode,
} from "./draft.ts";
import { withForm } from "./form.ts";
import { type DocumentItem, type ItemTerms, itemise, MAX_TAX_RATES, taxesByRate } from "./items.ts";
import { netConcepts, toConceptKey } from "./net-items.ts";
import { documentTexts, isReduction } from "./texts.ts";

const ADVANCE: DocumentMode = "reservation_retainer";

/** A document made earlier about the same contract; a draft has no number yet. */
export type EarlierDocument = FirmDocument & { readonly isFirm: boolean };

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
  /** Up to so much a customer without tax id or address gets a simplified invoice. */
  readonly simplifiedLimitCents: Cents;
  readonly earlier: readonly EarlierDocument[];
}

/**
 * The documents that a contract lacks: what it costs less what its firm documents say already, so that all of them come
 * to the contract's total. An invoice, or the bond of an internal department; more than one where there are more rates
 * than a document has room for; a credit note where it costs less by now. After a final invoice, what came later is a
 * `reservation_extra`. Of a cancelled contract: what is firm is taken back, and the fee that is kept invoiced. None:
 * nothing is left. `reducedCents`: so much less than before is to be invoiced, as its money goes back. A draft that
 * the contract needs no more comes last and without items: extraction tells no removals.
 */
export function draftContractDocuments(contract: ContractToInvoice, reducedCents: Cents = 0): DocumentDraft[] {
  const lacking = lackingDocuments(contract, reducedCents);
  return [...lacking, ...emptiedDrafts(contract, lacking)];
}

function lackingDocuments(contract: ContractToInvoice, reducedCents: Cents): DocumentDraft[] {
  const firm = contract.earlier.filter(({ isFirm }) => isFirm);
  const items = reduced(contract, listUninvoicedItems(contract, firm), reducedCents);
  const cents = sumCents(items.map(({ totalCents }) => totalCents));
  if (cents === 0 && isInvoiced(firm)) return [];
  if (contract.keptFeeCents !== undefined) return [...takeAllBack(contract, firm), ...draftFeeInvoices(contract, firm)];
  return cents < 0 ? draftCredits(contract, firm, items, -cents) : draftInvoices(contract, firm, items);
}

// What changed and comes to nothing needs no paper; an advance that covers all of it needs its closing invoice.
function isInvoiced(firm: readonly EarlierDocument[]): boolean {
  return firm.some(({ mode }) => mode !== ADVANCE);
}

// A fee is kept of what was paid here; what an agent kept is between them and the company.
function draftFeeInvoices(contract: ContractToInvoice, firm: readonly EarlierDocument[]): DocumentDraft[] {
  const items = contractItems(contract).map((item) => itemise({ ...item, vat: taxed(contract, item.vat) }));
  return draftInvoices({ ...contract, agentPrepaidCents: 0 }, firm, items);
}

function takeAllBack({ language }: ContractToInvoice, firm: readonly EarlierDocument[]): DocumentDraft[] {
  return draftCreditNotes(
    firm,
    language,
    sumCents(firm.filter(({ type }) => type === "invoice").map(getUncreditedCents)),
  );
}

// An advance is a plan of its own until the contract is cancelled.
function emptiedDrafts(contract: ContractToInvoice, lacking: readonly DocumentDraft[]): DocumentDraft[] {
  const isCancelled = contract.keptFeeCents !== undefined;
  return contract.earlier
    .filter(({ isFirm, type, totalCents }) => !isFirm && type === "invoice" && totalCents !== 0)
    .filter(({ id, mode }) => (isCancelled || mode !== ADVANCE) && lacking.every(({ draftId }) => draftId !== id))
    .map(({ id, kind, mode, concept }) =>
      completeDocument({ ...buildHead(contract, kind, mode, concept), concept, draftId: id }, []),
    );
}

// By differences, against the latest invoice that has so much left; else line by line of the latest ones.
function draftCredits(
  { language }: ContractToInvoice,
  firm: readonly EarlierDocument[],
  items: readonly DocumentItem[],
  cents: Cents,
): DocumentDraft[] {
  const corrected = firm.findLast(
    (earlierDocument) => earlierDocument.type === "invoice" && getUncreditedCents(earlierDocument) >= cents,
  );
  const rates = new Set(items.map(({ vat }) => vat)).size;
  if (!corrected || rates > MAX_TAX_RATES) return draftCreditNotes(firm, language, cents);
  return [createCreditNote(corrected, language, cents, items)];
}

function draftInvoices(
  contract: ContractToInvoice,
  firm: readonly EarlierDocument[],
  items: readonly DocumentItem[],
): DocumentDraft[] {
  const isAfterFinal = firm.some(
    (earlierDocument) =>
      earlierDocument.mode === "reservation_breakdown" &&
      earlierDocument.type === "invoice" &&
      (getUncreditedCents(earlierDocument) !== 0 || earlierDocument.credited.length === 0),
  );
  const kind = kindFor(contract.customer);
  const title = documentTexts(contract.language).contract;
  const rates = [...new Set(items.map(({ vat }) => vat))].sort((a, b) => b - a);
  const drafts = openDrafts(contract, kind, false);
  const documents = Math.ceil(rates.length / MAX_TAX_RATES);
  return Array.from({ length: documents }, (_, index) => {
    const some = rates.slice(index * MAX_TAX_RATES, (index + 1) * MAX_TAX_RATES);
    const isFirst = index === 0 && !isAfterFinal;
    // Of what was cancelled an agent owes what they kept: the fee is of what was paid here.
    const isShared = isFirst && contract.keptFeeCents === undefined;
    const mode = isFirst || kind === "internal_bond" ? "reservation_breakdown" : "reservation_extra";
    const head = {
      ...buildHead(contract, kind, mode, title),
      draftId: drafts[index]?.id,
      agentPrepaidCents: isShared ? contract.agentPrepaidCents : 0,
    };
    const complete = completeDocument(
      head,
      items.filter(({ vat }) => some.includes(vat)),
    );
    return withForm(complete, contract.simplifiedLimitCents);
  });
}

/**
 * The paper of what is charged after the contract is done, and of nothing else: what was credited of it stays so. A
 * draft that is open takes it in, and stays a draft (`isWaiting`); where nothing is invoiced yet, all that is left is
 * drafted with it. `contract` is as it will stand.
 */
export function draftSurcharge(
  contract: ContractToInvoice,
  terms: ItemTerms,
): { readonly drafts: readonly DocumentDraft[]; readonly isWaiting: boolean } {
  const item = itemise({ ...terms, vat: taxed(contract, terms.vat) });
  const firm = contract.earlier.filter(({ isFirm }) => isFirm);
  const open = openDrafts(contract, kindFor(contract.customer), false).find(
    ({ items }) => items.length > 0 && new Set([...items, item].map(({ vat }) => vat)).size <= MAX_TAX_RATES,
  );
  if (open) {
    const { items, mode, kind, concept, agentPrepaidCents, id: draftId } = open;
    const head = { ...buildHead(contract, kind, mode, concept), concept, draftId, agentPrepaidCents };
    const complete = completeDocument(head, [...items, item]);
    return { drafts: [withForm(complete, contract.simplifiedLimitCents)], isWaiting: true };
  }
  if (!isInvoiced(firm)) return { drafts: draftContractDocuments(contract), isWaiting: true };
  // What an agent kept is of what was agreed.
  const contractOnly = { ...contract, earlier: firm, agentPrepaidCents: 0 };
  return { drafts: draftInvoices(contractOnly, firm, [item]), isWaiting: false };
}

/**
 * The invoice of what was paid in advance, shared out over the contract's tax rates, the five largest, so that the
 * final invoice can take it off.
 */
export function draftAdvance(contract: ContractToInvoice, cents: Cents): DocumentDraft {
  const texts = documentTexts(contract.language);
  const rates = taxesByRate(contractItems(contract).map(itemise))
    .toSorted((a, b) => b.totalCents - a.totalCents)
    .slice(0, MAX_TAX_RATES);
  const shares = shareOut(
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
  const complete = completeDocument(
    { ...head, draftId: openDrafts(contract, "invoice", true)[0]?.id },
    items.filter(({ unitCents }) => unitCents !== 0).map(itemise),
  );
  return withForm(complete, contract.simplifiedLimitCents);
}

function kindFor({ type }: DocumentCustomer): DocumentKind {
  return type === "internal_department" ? "internal_bond" : "invoice";
}

// The drafts that are written anew: those of what is left, or of an advance.
function openDrafts({ earlier }: ContractToInvoice, kind: DocumentKind, isAdvance: boolean): EarlierDocument[] {
  return earlier.filter(
    (earlierDocument) =>
      !earlierDocument.isFirm &&
      earlierDocument.kind === kind &&
      earlierDocument.type === "invoice" &&
      (earlierDocument.mode === ADVANCE) === isAdvance,
  );
}

// What kind of paper it becomes is said when it is complete (`withForm`).
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
  };
}

// What is below zero is taken off once, too.
function getCoveredCents(cents: Cents, invoicedCents: Cents): Cents {
  return cents < 0 ? invoicedCents : Math.max(0, Math.min(cents, invoicedCents));
}

// What the drafts say was given back before stays so when they are written anew; it is shared out over the rates.
function reduced(
  { language, earlier }: ContractToInvoice,
  items: readonly DocumentItem[],
  cents: Cents,
): readonly DocumentItem[] {
  const drafted = earlier
    .filter(({ isFirm }) => !isFirm)
    .flatMap((earlierDocument) => earlierDocument.items.filter(isReduction));
  const requiredCents = cents - sumCents(drafted.map(({ totalCents }) => totalCents));
  const rates = taxesByRate(items);
  const maxCents = Math.max(0, sumCents(items.map(({ totalCents }) => totalCents)));
  const shares = shareOut(
    Math.min(requiredCents, maxCents),
    rates.map(({ totalCents }) => Math.max(0, totalCents)),
  );
  const { reduction } = documentTexts(language);
  const less = rates.map(({ vat }, index) => {
    return { concept: reduction, quantity: 1, unitCents: -(shares[index] ?? 0), vat };
  });
  return [...items, ...less.filter(({ unitCents }) => unitCents !== 0).map(itemise)];
}

function taxed({ customer }: ContractToInvoice, vat: BasisPoints): BasisPoints {
  return kindFor(customer) === "invoice" ? vat : 0;
}

// Concept by concept and rate by rate: what was invoiced already is taken off, an advance as an item below zero; what
// was credited is to be invoiced again.
function listUninvoicedItems(contract: ContractToInvoice, firm: readonly EarlierDocument[]): DocumentItem[] {
  const amounts = (type: EarlierDocument["type"]) =>
    firm
      .filter((earlierDocument) => earlierDocument.type === type)
      .flatMap(({ items }) => items)
      .map(({ concept, vat, totalCents }) => ({ concept, vat: taxed(contract, vat), totalCents }));
  const invoiced = new Map(
    netConcepts(amounts("invoice"), amounts("payment")).map((conceptAmount) => [
      toConceptKey(conceptAmount),
      conceptAmount,
    ]),
  );
  const items = contractItems(contract).map((item): ItemTerms => {
    const requiredCents = { ...item, vat: taxed(contract, item.vat) };
    const invoicedCents = invoiced.get(toConceptKey(requiredCents));
    const cents = requiredCents.unitCents * requiredCents.quantity;
    const covered = getCoveredCents(cents, invoicedCents?.totalCents ?? 0);
    if (!invoicedCents || covered === 0) return requiredCents;
    invoiced.set(toConceptKey(requiredCents), { ...invoicedCents, totalCents: invoicedCents.totalCents - covered });
    return { concept: requiredCents.concept, quantity: 1, vat: requiredCents.vat, unitCents: cents - covered };
  });
  // A reduction is no part of the price: what was given back is not asked for again.
  const others = [...invoiced.values()].filter((conceptAmount) => !isReduction(conceptAmount));
  const deductedItems = others.map(({ concept, vat, totalCents }) => {
    return { concept, vat, quantity: 1, unitCents: -totalCents };
  });
  return [...items, ...deductedItems].filter((item) => item.unitCents !== 0 || firm.length === 0).map(itemise);
}

import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type Cents, shareOut, sumCents } from "#domain/money.ts";
import { type CreditReason, isTaxOnly } from "./credit-reasons.ts";
import { completeDocument, type DocumentCustomer, type DocumentDraft, type DocumentHead } from "./draft.ts";
import { type DocumentItem, itemise, negated } from "./items.ts";
import { type ConceptAmount, netConcepts } from "./net-items.ts";
import { documentTexts } from "./texts.ts";

/** A document as it was issued, and what its credit notes have taken back of it, below zero. */
export interface FirmDocument extends DocumentHead {
  readonly id: number;
  readonly serie: string;
  readonly number: number;
  readonly totalCents: Cents;
  readonly items: readonly DocumentItem[];
  readonly credited: readonly ConceptAmount[];
  /** A note of a debt that is not paid took its tax back: nothing more of it is credited. */
  readonly isTaxTakenBack?: boolean;
  /** A full invoice stands in its place: it is not credited. */
  readonly isReplaced?: boolean;
}

/** What is left of a firm document after its credit notes. */
export function getUncreditedCents({ totalCents, credited }: Pick<FirmDocument, "totalCents" | "credited">): Cents {
  return totalCents + sumCents(credited.map((conceptAmount) => conceptAmount.totalCents));
}

/** What a note for a reason can take back of a firm document: all that is left of it, or the tax in that. */
export function getCreditableCents(document: FirmDocument, reason: CreditReason): Cents {
  if (document.isTaxTakenBack) return 0;
  return isTaxOnly(reason)
    ? sumCents(listUncreditedTaxes(document).map(({ taxesCents }) => taxesCents))
    : getUncreditedCents(document);
}

// Of a document of which nothing was credited, what it says itself: made anew of its lines, tax might be a cent off.
function listUncreditedTaxes({ items, credited }: FirmDocument): readonly DocumentItem[] {
  if (credited.length === 0) return items;
  return netConcepts(items, credited).map(({ concept, vat, totalCents }) =>
    itemise({ concept, quantity: 1, unitCents: totalCents, vat }),
  );
}

/**
 * Takes back the tax of a firm document whose customer does not pay, or so much of it, shared out over its lines: what
 * was sold stays owed (art. 80.3 and 80.4 of the law on VAT).
 */
export function draftTaxNote(
  document: FirmDocument,
  language: PlatformLanguage,
  { cents, reason }: { readonly cents: Cents; readonly reason: CreditReason },
): DocumentDraft {
  const lines = listUncreditedTaxes(document).filter(({ taxesCents }) => taxesCents > 0);
  const shares = shareOut(
    cents,
    lines.map(({ taxesCents }) => taxesCents),
  );
  const items = lines.map((line, index) => taxItem(line, -(shares[index] ?? 0)));
  const note = createCreditNote(
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
 * Takes back a firm document, or so much of it, line by line of its own, shared out over what is left of them; so that
 * what was credited can be invoiced again at its own lines. `language` is the account's.
 */
export function draftCreditNote(document: FirmDocument, language: PlatformLanguage, cents?: Cents): DocumentDraft {
  const uncreditedCents = getUncreditedCents(document);
  const creditCents = cents ?? uncreditedCents;
  const nets = netConcepts(document.items, document.credited);
  if (creditCents !== uncreditedCents)
    return createCreditNote(document, language, creditCents, splitByShares(nets, creditCents));
  if (document.credited.length === 0)
    return createCreditNote(document, language, creditCents, document.items.map(negated), true);
  return createCreditNote(document, language, creditCents, nets.map(negateItem));
}

function splitByShares(nets: readonly ConceptAmount[], cents: Cents): DocumentItem[] {
  const sign = Math.sign(cents);
  const weights = nets.map(({ totalCents }) => Math.max(0, totalCents * sign));
  const shares = shareOut(Math.abs(cents), weights);
  return nets
    .map((net, index) => negateItem({ ...net, totalCents: sign * (shares[index] ?? 0) }))
    .filter(({ totalCents }) => totalCents !== 0);
}

function negateItem({ concept, vat, totalCents }: ConceptAmount): DocumentItem {
  return itemise({ concept, quantity: 1, unitCents: -totalCents, vat });
}

/** A credit note with items of its own: what a contract costs less than its documents say. */
export function createCreditNote(
  document: FirmDocument,
  language: PlatformLanguage,
  cents: Cents,
  items: readonly DocumentItem[],
  isUncredited = false,
): DocumentDraft {
  const { id, serie, number, credited } = document;
  const concept = `${documentTexts(language).creditNote} ${serie}/${number}`;
  return completeDocument(
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

// What a document says of itself that one made of it says too.
function buildHead(document: FirmDocument): DocumentHead {
  const { id: _, serie: __, number: ___, totalCents: ____, items: _____, credited: ______, ...rest } = document;
  const { isTaxTakenBack: _______, isReplaced: ________, ...head } = rest;
  return { ...head, replaces: undefined };
}

// What an agent kept of it comes back last: only what the customer owed is settled with the customer.
function prepaidBack(
  { totalCents, agentPrepaidCents }: FirmDocument,
  credited: readonly ConceptAmount[],
  cents: Cents,
): Cents {
  const before = -sumCents(credited.map((conceptAmount) => conceptAmount.totalCents));
  const beyond = (all: Cents) => Math.max(0, all - (totalCents - agentPrepaidCents));
  return agentPrepaidCents === 0 ? 0 : beyond(before) - beyond(before + cents);
}

/** The credit notes that give so much back of a contract's firm invoices, the latest first. */
export function draftCreditNotes(
  documents: readonly FirmDocument[],
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
 * A simplified invoice becomes a full one of the same lines: the note that takes it back, and the invoice that names
 * it, made out to a customer who has all that it needs.
 */
export function draftExchange(
  document: FirmDocument,
  customer: DocumentCustomer,
  language: PlatformLanguage,
): readonly [note: DocumentDraft, invoice: DocumentDraft] {
  const { id, items, credited, discount } = document;
  const isUncredited = credited.length === 0;
  const lines = isUncredited
    ? items
    : netConcepts(items, credited).map(({ concept, vat, totalCents }) =>
        itemise({ concept, quantity: 1, unitCents: totalCents, vat }),
      );
  const invoice = completeDocument(
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

/** Whether a document is a simplified invoice of which nothing was taken back: one that a full one may replace. */
export function isReplaceable({ form, credited, isReplaced }: FirmDocument): boolean {
  return form === "simplified" && credited.length === 0 && !isReplaced;
}

/**
 * The full invoice in place of simplified ones of one contract and branch, of all their lines, made out to a customer
 * who has all that it needs. No note takes them back: they are named by it, and count no more. Throws `TooManyRates`.
 */
export function draftReplacement(
  [first, ...others]: readonly [FirmDocument, ...FirmDocument[]],
  customer: DocumentCustomer,
): DocumentDraft {
  const all = [first, ...others];
  // Beside an advance, what was invoiced at the end says what the contract is about.
  const head = buildHead(all.find(({ mode }) => mode !== "reservation_retainer") ?? first);
  return completeDocument(
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

import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import { type Cents, shareOut, sumOf } from "#domain/money.ts";
import { completeDocument, type DocumentCustomer, type DocumentDraft, type DocumentHead } from "./draft.ts";
import { type DocumentItem, itemise, negated } from "./items.ts";
import { type ConceptAmount, netOf } from "./net-items.ts";
import { documentTexts } from "./texts.ts";

/** A document as it was issued, and what its credit notes have taken back of it, below zero. */
export interface FirmDocument extends DocumentHead {
  readonly id: number;
  readonly serie: string;
  readonly number: number;
  readonly totalCents: Cents;
  readonly items: readonly DocumentItem[];
  readonly credited: readonly ConceptAmount[];
}

/** What is left of a firm document after its credit notes. */
export function leftOf({ totalCents, credited }: Pick<FirmDocument, "totalCents" | "credited">): Cents {
  return totalCents + sumOf(credited.map((one) => one.totalCents));
}

/**
 * Takes back a firm document, or so much of it, line by line of its own, shared out over what is left of them; so that
 * what was credited can be invoiced again at its own lines. `language` is the account's.
 */
export function draftCreditNote(document: FirmDocument, language: SpokenLanguage, cents?: Cents): DocumentDraft {
  const left = leftOf(document);
  const taken = cents ?? left;
  const nets = netOf(document.items, document.credited);
  if (taken !== left) return noteOf(document, language, taken, sharesOf(nets, taken));
  if (document.credited.length === 0) return noteOf(document, language, taken, document.items.map(negated), true);
  return noteOf(document, language, taken, nets.map(takenBack));
}

function sharesOf(nets: readonly ConceptAmount[], cents: Cents): DocumentItem[] {
  const sign = Math.sign(cents);
  const weights = nets.map(({ totalCents }) => Math.max(0, totalCents * sign));
  const shares = shareOut(Math.abs(cents), weights);
  return nets
    .map((net, index) => takenBack({ ...net, totalCents: sign * (shares[index] ?? 0) }))
    .filter(({ totalCents }) => totalCents !== 0);
}

function takenBack({ concept, vat, totalCents }: ConceptAmount): DocumentItem {
  return itemise({ concept, quantity: 1, unitCents: -totalCents, vat });
}

/** A credit note with items of its own: what a contract costs less than its documents say. */
export function noteOf(
  document: FirmDocument,
  language: SpokenLanguage,
  cents: Cents,
  items: readonly DocumentItem[],
  isWhole = false,
): DocumentDraft {
  const { id, serie, number, totalCents: _, items: __, credited, ...head } = document;
  const concept = `${documentTexts(language).creditNote} ${serie}/${number}`;
  return completeDocument(
    {
      ...head,
      type: "payment",
      form: "credit_note",
      missing: [],
      concept,
      discount: isWhole ? head.discount : 0,
      agentPrepaidCents: prepaidBack(document, credited, cents),
      draftId: undefined,
      correctsDocumentId: id,
      exchangesDocumentId: undefined,
    },
    items,
  );
}

// What an agent kept of it comes back last: only what the customer owed is settled with the customer.
function prepaidBack(
  { totalCents, agentPrepaidCents }: FirmDocument,
  credited: readonly ConceptAmount[],
  cents: Cents,
): Cents {
  const before = -sumOf(credited.map((one) => one.totalCents));
  const beyond = (all: Cents) => Math.max(0, all - (totalCents - agentPrepaidCents));
  return agentPrepaidCents === 0 ? 0 : beyond(before) - beyond(before + cents);
}

/** The credit notes that give so much back of a contract's firm invoices, the latest first. */
export function draftCreditNotes(
  documents: readonly FirmDocument[],
  language: SpokenLanguage,
  cents: Cents,
): DocumentDraft[] {
  const notes: DocumentDraft[] = [];
  let left = cents;
  for (const document of documents.filter(({ type }) => type === "invoice").toReversed()) {
    const part = Math.min(left, Math.max(0, leftOf(document)));
    if (part > 0) notes.push(draftCreditNote(document, language, part));
    left -= part;
  }
  return notes;
}

/**
 * A simplified invoice becomes a full one of the same lines: the note that takes it back, and the invoice that names it,
 * made out to a customer who has all that it needs.
 */
export function draftExchange(
  document: FirmDocument,
  customer: DocumentCustomer,
  language: SpokenLanguage,
): readonly [note: DocumentDraft, invoice: DocumentDraft] {
  const { id, serie: _, number: __, totalCents: ___, items, credited, ...head } = document;
  const isWhole = credited.length === 0;
  const lines = isWhole
    ? items
    : netOf(items, credited).map(({ concept, vat, totalCents }) =>
        itemise({ concept, quantity: 1, unitCents: totalCents, vat }),
      );
  const invoice = completeDocument(
    { ...head, customer, form: "full", missing: [], discount: isWhole ? head.discount : 0, exchangesDocumentId: id },
    lines,
  );
  return [draftCreditNote(document, language), invoice];
}

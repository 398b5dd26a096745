import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import { type Cents, shareOut } from "#domain/money.ts";
import { completeDocument, type DocumentDraft, type DocumentHead, SERIES } from "./invoicing.ts";
import { addUpItems, type DocumentItem, itemise, negated, taxesByRate } from "./items.ts";
import { documentTexts } from "./texts.ts";

/** A document as it was issued. */
export interface FirmDocument extends DocumentHead {
  readonly id: number;
  readonly number: number;
  readonly items: readonly DocumentItem[];
}

/** Takes back a firm document, or so much of it, shared out over its rates; `language` is the account's. */
export function draftCreditNote(document: FirmDocument, language: SpokenLanguage, cents?: Cents): DocumentDraft {
  const concept = `${documentTexts(language).creditNote} ${document.serie}/${document.number}`;
  const { id, number: _, items, ...head } = document;
  const note = {
    ...head,
    type: "payment",
    serie: SERIES.credit,
    concept,
    agentPrepaidCents: 0,
    draftId: undefined,
  } as const;
  const all = addUpItems(items).totalCents;
  if (cents === undefined || cents === all)
    return completeDocument({ ...note, correctsDocumentId: id }, items.map(negated));
  const rates = taxesByRate(items).filter(({ totalCents }) => totalCents > 0);
  const shares = shareOut(
    cents,
    rates.map(({ totalCents }) => totalCents),
  );
  const parts = rates.map(({ vat }, index) => itemise({ concept, quantity: 1, unitCents: -(shares[index] ?? 0), vat }));
  return completeDocument(
    { ...note, discount: 0, correctsDocumentId: id },
    parts.filter(({ totalCents }) => totalCents !== 0),
  );
}

/** A firm document and how much of it credit notes have taken back, below zero. */
export interface CreditableDocument extends FirmDocument {
  readonly totalCents: Cents;
  readonly creditedCents: Cents;
}

/** The credit notes that give so much back of a contract's firm invoices, the latest first. */
export function draftCreditNotes(
  documents: readonly CreditableDocument[],
  language: SpokenLanguage,
  cents: Cents,
): DocumentDraft[] {
  const notes: DocumentDraft[] = [];
  let left = cents;
  for (const document of documents.filter(({ type }) => type === "invoice").toReversed()) {
    const part = Math.min(left, Math.max(0, document.totalCents + document.creditedCents));
    if (part > 0) notes.push(draftCreditNote(document, language, part));
    left -= part;
  }
  return notes;
}

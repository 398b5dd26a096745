import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BasisPoints, type Cents, sumCents } from "#domain/money.ts";
import { createCreditNoteFromItems, type IssuedDocumentWithCredits, splitCreditOverConcepts } from "./credit-notes.ts";
import type { DocumentDraft } from "./draft.ts";
import type { DocumentItem } from "./items.ts";
import { subtractCreditedConcepts } from "./net-items.ts";
import { assignRateTaxesToItems, getTaxRateBalances } from "./rate-balances.ts";

interface Note {
  readonly document: IssuedDocumentWithCredits;
  readonly items: readonly DocumentItem[];
}

/**
 * Drafts credit notes for the tax rates at which a contract costs less, newest document first, up to the
 * uncredited amount of each rate. Their base and tax add up to those of `items`. A rate that costs more
 * reduces the largest note. Undefined if the documents don't contain enough of a rate.
 */
export function draftCreditNotesByRate(
  documents: readonly IssuedDocumentWithCredits[],
  language: PlatformLanguage,
  items: readonly DocumentItem[],
): DocumentDraft[] | undefined {
  const targetBalances = getTaxRateBalances(items);
  const open = new Map([...targetBalances].map(([vat, { totalCents }]) => [vat, -totalCents]));
  const notes: Note[] = [];
  for (const document of documents.filter(({ isTaxTakenBack }) => !isTaxTakenBack).toReversed()) {
    const creditItems = takeByRate(document, open);
    if (creditItems.length > 0) notes.push({ document, items: creditItems });
  }
  if ([...open.values()].some((cents) => cents > 0)) return undefined;
  const dearer = items.filter(({ vat }) => (targetBalances.get(vat)?.totalCents ?? 0) > 0);
  let settled = addToLargest(notes, dearer);
  if (!settled) return undefined;
  for (const [vat, { subtotalCents }] of targetBalances) settled = settleLast(settled, vat, subtotalCents);
  return settled.map(({ document, items: own }) => createCreditNoteFromItems(document, language, -sumTotals(own), own));
}

/** Whether a document has enough left of each rate for a credit of these items. */
export function hasCreditableRates(
  { items, credited }: IssuedDocumentWithCredits,
  reduced: readonly DocumentItem[],
): boolean {
  const left = getTaxRateBalances([...items, ...credited]);
  return [...getTaxRateBalances(reduced)].every(
    ([vat, { totalCents }]) => -totalCents <= (left.get(vat)?.totalCents ?? 0),
  );
}

// Returns items that credit what is left of the document's tax rates, and reduces the open amounts by them.
function takeByRate(document: IssuedDocumentWithCredits, open: Map<BasisPoints, Cents>): readonly DocumentItem[] {
  const balances = getTaxRateBalances([...document.items, ...document.credited]);
  const nets = subtractCreditedConcepts(document.items, document.credited);
  const creditItems = [...open].flatMap(([vat, openCents]) => {
    const rateNets = nets.filter((net) => net.vat === vat);
    const leftCents = sumCents(rateNets.map(({ totalCents }) => Math.max(0, totalCents)));
    const cents = Math.min(openCents, leftCents, balances.get(vat)?.totalCents ?? 0);
    if (cents <= 0) return [];
    open.set(vat, openCents - cents);
    return splitCreditOverConcepts(rateNets, cents);
  });
  return assignRateTaxesToItems(creditItems, balances);
}

const sumTotals = (items: readonly DocumentItem[]) => sumCents(items.map(({ totalCents }) => totalCents));

// Adds tax rates whose price rose to the largest credit note, which then credits less. Undefined if the rise exceeds
// the note.
function addToLargest(notes: readonly Note[], dearer: readonly DocumentItem[]): readonly Note[] | undefined {
  if (dearer.length === 0) return notes;
  const [largest] = notes.toSorted((a, b) => sumTotals(a.items) - sumTotals(b.items));
  if (!largest || sumTotals([...largest.items, ...dearer]) >= 0) return undefined;
  return notes.map((note) => (note === largest ? { ...note, items: [...note.items, ...dearer] } : note));
}

// Adjusts the last credit note with a tax rate, so that all notes together credit the base exactly.
function settleLast(notes: readonly Note[], vat: BasisPoints, baseCents: Cents): readonly Note[] {
  const isRate = (item: DocumentItem) => item.vat === vat;
  const last = notes.findLastIndex(({ items }) => items.some(isRate));
  const others = notes.flatMap(({ items }, index) => (index === last ? [] : items.filter(isRate)));
  const subtotalCents = baseCents - sumCents(others.map((item) => item.subtotalCents));
  return notes.map((note, index) => {
    if (index !== last) return note;
    const totalCents = sumTotals(note.items.filter(isRate));
    return { ...note, items: assignRateTaxesToItems(note.items, new Map([[vat, { subtotalCents, totalCents }]])) };
  });
}

import { type Cents, sumCents } from "#domain/money.ts";

/** A firm paper of a contract, the oldest first. */
export interface FirmPaper {
  readonly id: number;
  /** Its total less what an agent kept of it; below zero for a credit note. */
  readonly dueCents: Cents;
  /** The invoice that it takes back. */
  readonly correctsId: number | undefined;
  /** A full invoice stands in its place, which asks for the money now. */
  readonly isReplaced?: boolean;
}

/** Money of a contract that moved, in the order of entry; what goes back is below zero. Deposits are not among it. */
export interface MoneyMoved {
  readonly id: number;
  readonly cents: Cents;
  /** The document that it was entered for: a refund with its credit note. */
  readonly documentId: number | undefined;
}

/** So much of a charge counts towards a document; below zero where it goes back. */
export interface Allocation {
  readonly chargeId: number;
  readonly documentId: number;
  readonly cents: Cents;
}

/** Where all money of a contract is, and what of each paper is paid, in minor units. */
export interface AllocatedContract {
  readonly allocations: readonly Allocation[];
  /** What is settled of each paper, by money or by its credit notes. */
  readonly paidCents: ReadonlyMap<number, Cents>;
  /** Money that no document asks for: the customer's, while it is above zero. */
  readonly balanceCents: Cents;
}

/**
 * Spreads the money of a contract over its firm papers (docs/interfaces/rules.md#charges). A credit note settles
 * against its invoice; what the invoices still ask for is filled oldest first, by charges in the order of entry, split
 * where one ends within another. What was credited and went back in money counts as just that: the charge stays with
 * its invoice, the refund with the note. Always: sum of the money = sum of the allocations + balance.
 */
export function allocateContract(papers: readonly FirmPaper[], money: readonly MoneyMoved[]): AllocatedContract {
  const claims = buildClaims(papers);
  const filled = fill(claims, money);
  const rests = money.map((moneyMoved) => ({
    ...moneyMoved,
    cents: moneyMoved.cents - sumChargeAllocations(filled, moneyMoved.id),
  }));
  const returned = settleReturned(papers, rests);
  const allocations = mergeParts([...filled, ...returned]);
  const paidCents = new Map(papers.map((paper) => [paper.id, getPaidCents(paper, papers, allocations)]));
  const balanceCents = sumCents(money.map(({ cents }) => cents)) - sumCents(allocations.map(({ cents }) => cents));
  return { allocations, paidCents, balanceCents };
}

/** A stretch on the line from nothing to all of it. */
type Stretch<T> = T & { readonly from: Cents; readonly to: Cents };

function inARow<T extends { readonly cents: Cents }>(parts: readonly T[]): Stretch<T>[] {
  let at = 0;
  return parts.map((part) => {
    const from = at;
    at += part.cents;
    return { ...part, from, to: at };
  });
}

interface Part {
  readonly id: number;
  readonly cents: Cents;
}

// What each paper asks for once its credit notes are taken off; a note asks for nothing.
function buildClaims(papers: readonly FirmPaper[]): Stretch<Part>[] {
  const asking = papers.filter(({ isReplaced }) => !isReplaced);
  return inARow(
    asking.map((firmPaper) => ({
      id: firmPaper.id,
      cents: Math.max(0, firmPaper.dueCents - sumCredited(firmPaper, papers)),
    })),
  );
}

function sumCredited({ id }: FirmPaper, papers: readonly FirmPaper[]): Cents {
  return -sumCents(papers.filter(({ correctsId }) => correctsId === id).map(({ dueCents }) => dueCents));
}

// Each charge moves the level along the line of claims; what it passes of a claim is that claim's.
function fill(claims: readonly Stretch<Part>[], money: readonly MoneyMoved[]): Allocation[] {
  return inARow(money).flatMap(({ id: chargeId, from, to }) =>
    claims.map((claim) => ({ chargeId, documentId: claim.id, cents: within(to, claim) - within(from, claim) })),
  );
}

function within(level: Cents, { from, to }: Stretch<Part>): Cents {
  return Math.max(from, Math.min(to, level));
}

// Of what no claim took: what came in and went back again belongs to the invoice that was credited, and to its note.
function settleReturned(papers: readonly FirmPaper[], rests: readonly MoneyMoved[]): Allocation[] {
  const notes = papers.flatMap(({ id, correctsId, dueCents }) =>
    correctsId === undefined ? [] : [{ id, correctsId, cents: -dueCents }],
  );
  const isNamed = ({ id }: Part) => rests.some(({ documentId }) => documentId === id);
  const credited = inARow([...notes.filter(isNamed), ...notes.filter((note) => !isNamed(note))]);
  // What went back for a note before what names none, in the order of the notes.
  const findDocumentClaim = ({ documentId }: MoneyMoved) => {
    const place = notes.findIndex(({ id }) => id === documentId);
    return place < 0 ? notes.length : place;
  };
  const backwards = rests.toSorted((a, b) => findDocumentClaim(a) - findDocumentClaim(b));
  const ups = inARow(rests.map(({ id, cents }) => ({ id, cents: Math.max(0, cents) })));
  const downs = inARow(backwards.map(({ id, cents }) => ({ id, cents: Math.max(0, -cents) })));
  const maxEnd = Math.min(ups.at(-1)?.to ?? 0, downs.at(-1)?.to ?? 0);
  return credited.flatMap((note) => [
    ...sharedBy(ups, note, maxEnd).map(({ id, cents }) => ({ chargeId: id, documentId: note.correctsId, cents })),
    ...sharedBy(downs, note, maxEnd).map(({ id, cents }) => ({ chargeId: id, documentId: note.id, cents: -cents })),
  ]);
}

function sharedBy(stretches: readonly Stretch<Part>[], other: Stretch<Part>, maxEnd: Cents): Part[] {
  return stretches.map(({ id, from, to }) => ({
    id,
    cents: Math.max(0, Math.min(to, other.to, maxEnd) - Math.max(from, other.from)),
  }));
}

// What several ways led from a charge to a document is one, and what came to nothing is none.
function mergeParts(parts: readonly Allocation[]): Allocation[] {
  return [...Map.groupBy(parts, ({ chargeId, documentId }) => `${chargeId} ${documentId}`).values()]
    .map((same) => ({ ...(same[0] as Allocation), cents: sumCents(same.map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents !== 0);
}

function sumChargeAllocations(allocations: readonly Allocation[], chargeId: number): Cents {
  return sumCents(allocations.filter((allocation) => allocation.chargeId === chargeId).map(({ cents }) => cents));
}

// A credit note is settled as it is issued, a replaced one by the one in its place; an invoice by money, and by its
// notes as far as no money went back for them.
function getPaidCents(paper: FirmPaper, papers: readonly FirmPaper[], allocations: readonly Allocation[]): Cents {
  if (paper.correctsId !== undefined || paper.isReplaced) return paper.dueCents;
  const listDocumentAllocations = (id: number) =>
    sumCents(allocations.filter((allocation) => allocation.documentId === id).map(({ cents }) => cents));
  const notes = papers.filter(({ correctsId }) => correctsId === paper.id);
  return (
    listDocumentAllocations(paper.id) +
    sumCredited(paper, papers) +
    sumCents(notes.map(({ id }) => listDocumentAllocations(id)))
  );
}

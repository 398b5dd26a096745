import { type Cents, sumOf } from "#domain/money.ts";

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
  const claims = claimsOf(papers);
  const filled = fill(claims, money);
  const rests = money.map((one) => ({ ...one, cents: one.cents - sumOfCharge(filled, one.id) }));
  const returned = settleReturned(papers, rests);
  const allocations = mergeParts([...filled, ...returned]);
  const paidCents = new Map(papers.map((paper) => [paper.id, paidOf(paper, papers, allocations)]));
  const balanceCents = sumOf(money.map(({ cents }) => cents)) - sumOf(allocations.map(({ cents }) => cents));
  return { allocations, paidCents, balanceCents };
}

/** A stretch on the line from nothing to all of it. */
interface Stretch {
  readonly id: number;
  readonly from: Cents;
  readonly to: Cents;
}

function inARow(parts: readonly { readonly id: number; readonly cents: Cents }[]): Stretch[] {
  let at = 0;
  return parts.map(({ id, cents }) => {
    const from = at;
    at += cents;
    return { id, from, to: at };
  });
}

// What each invoice asks for once its credit notes are taken off.
function claimsOf(papers: readonly FirmPaper[]): Stretch[] {
  const invoices = papers.filter(({ correctsId, isReplaced }) => correctsId === undefined && !isReplaced);
  return inARow(invoices.map((one) => ({ id: one.id, cents: Math.max(0, one.dueCents - creditedOf(one, papers)) })));
}

function creditedOf({ id }: FirmPaper, papers: readonly FirmPaper[]): Cents {
  return -sumOf(papers.filter(({ correctsId }) => correctsId === id).map(({ dueCents }) => dueCents));
}

// Each charge moves the level along the line of claims; what it passes of a claim is that claim's.
function fill(claims: readonly Stretch[], money: readonly MoneyMoved[]): Allocation[] {
  return inARow(money).flatMap(({ id: chargeId, from, to }) =>
    claims.flatMap((claim) => {
      const cents = within(to, claim) - within(from, claim);
      return cents === 0 ? [] : [{ chargeId, documentId: claim.id, cents }];
    }),
  );
}

function within(level: Cents, { from, to }: Stretch): Cents {
  return Math.max(from, Math.min(to, level));
}

// Of what no claim took: what came in and went back again belongs to the invoice that was credited, and to its note.
function settleReturned(papers: readonly FirmPaper[], rests: readonly MoneyMoved[]): Allocation[] {
  const isNote = (id: number | undefined) => papers.some((one) => one.id === id && one.correctsId !== undefined);
  const named = (id: number) => rests.some(({ documentId }) => documentId === id);
  const notes = papers.filter(({ correctsId, dueCents }) => correctsId !== undefined && dueCents < 0);
  const inOrder = [...notes.filter(({ id }) => named(id)), ...notes.filter(({ id }) => !named(id))];
  const byName = (one: MoneyMoved) =>
    isNote(one.documentId) ? notes.findIndex(({ id }) => id === one.documentId) : Infinity;
  const backwards = rests.filter(({ cents }) => cents < 0).toSorted((a, b) => compare(byName(a), byName(b)));
  const ups = inARow(rests.filter(({ cents }) => cents > 0));
  const downs = inARow(backwards.map(({ id, cents }) => ({ id, cents: -cents })));
  const most = Math.min(ups.at(-1)?.to ?? 0, downs.at(-1)?.to ?? 0);
  const credited = inARow(inOrder.map(({ id, dueCents }) => ({ id, cents: -dueCents })));
  return credited.flatMap((note) => {
    const invoiceId = papers.find(({ id }) => id === note.id)?.correctsId ?? note.id;
    return [
      ...sharedBy(ups, note, most).map(({ id, cents }) => ({ chargeId: id, documentId: invoiceId, cents })),
      ...sharedBy(downs, note, most).map(({ id, cents }) => ({ chargeId: id, documentId: note.id, cents: -cents })),
    ];
  });
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

function sharedBy(stretches: readonly Stretch[], other: Stretch, most: Cents) {
  return stretches
    .map(({ id, from, to }) => ({ id, cents: Math.min(to, other.to, most) - Math.max(from, other.from) }))
    .filter(({ cents }) => cents > 0);
}

function mergeParts(parts: readonly Allocation[]): Allocation[] {
  return [...Map.groupBy(parts, ({ chargeId, documentId }) => `${chargeId} ${documentId}`).values()]
    .map((same) => ({ ...(same[0] as Allocation), cents: sumOf(same.map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents !== 0);
}

function sumOfCharge(allocations: readonly Allocation[], chargeId: number): Cents {
  return sumOf(allocations.filter((one) => one.chargeId === chargeId).map(({ cents }) => cents));
}

// A credit note is settled as it is issued, a replaced one by the one in its place; an invoice by money, and by its
// notes as far as no money went back for them.
function paidOf(paper: FirmPaper, papers: readonly FirmPaper[], allocations: readonly Allocation[]): Cents {
  if (paper.correctsId !== undefined || paper.isReplaced) return paper.dueCents;
  const ofDocument = (id: number) =>
    sumOf(allocations.filter((one) => one.documentId === id).map(({ cents }) => cents));
  const notes = papers.filter(({ correctsId }) => correctsId === paper.id);
  return ofDocument(paper.id) + creditedOf(paper, papers) + sumOf(notes.map(({ id }) => ofDocument(id)));
}

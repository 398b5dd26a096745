import { type Cents, sumCents } from "#domain/money.ts";

/** Firm document of a contract, oldest first. */
export interface IssuedDocument {
  readonly id: number;
  /** Total minus the amount kept by an agent. Negative for a credit note. */
  readonly dueCents: Cents;
  /** Invoice that it credits. */
  readonly correctsId: number | undefined;
  /** Whether a full invoice has replaced it and now claims the money. */
  readonly isReplaced?: boolean;
}

/** Charges of a contract in order of entry, negative for refunds. Excludes deposits. */
export interface MoneyMovement {
  readonly id: number;
  readonly cents: Cents;
  /** Document for which it was recorded, such as a refund's credit note. */
  readonly documentId: number | undefined;
}

/** Amount of a charge allocated to a document. Negative for a refund. */
export interface Allocation {
  readonly chargeId: number;
  readonly documentId: number;
  readonly cents: Cents;
}

/** Allocation of a contract's money, and the paid amount of each document, in minor units. */
export interface AllocatedContract {
  readonly allocations: readonly Allocation[];
  /** Amount settled per document, by money or credit notes. */
  readonly paidCents: ReadonlyMap<number, Cents>;
  /** Money without a document. If positive, it belongs to the customer. */
  readonly balanceCents: Cents;
}

/**
 * Oracle of `worker/store/documents/allocation.ts`, which does the same in SQL. Only tests run it.
 *
 * Allocates a contract's money to its firm documents (docs/interfaces/rules.md#charges). A credit note settles against
 * its invoice. The remaining claims are filled oldest first by charges in order of entry, split if needed. If a
 * credited amount was refunded, the charge stays with its invoice and the refund with the note. Always: sum of the
 * money = sum of the allocations + balance.
 */
export function allocateContract(
  documents: readonly IssuedDocument[],
  money: readonly MoneyMovement[],
): AllocatedContract {
  const claims = buildClaims(documents);
  const filled = fill(claims, money);
  const rests = money.map((moneyMoved) => ({
    ...moneyMoved,
    cents: moneyMoved.cents - sumChargeAllocations(filled, moneyMoved.id),
  }));
  const returned = settleReturned(documents, rests);
  const allocations = mergeParts([...filled, ...returned]);
  const paidCents = new Map(documents.map((document) => [document.id, getPaidCents(document, documents, allocations)]));
  const balanceCents = sumCents(money.map(({ cents }) => cents)) - sumCents(allocations.map(({ cents }) => cents));
  return { allocations, paidCents, balanceCents };
}

/** Range on a line from zero to the total. */
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

// Returns each document's claim after its credit notes. A credit note has no claim.
function buildClaims(documents: readonly IssuedDocument[]): Stretch<Part>[] {
  const claimingDocuments = documents.filter(({ isReplaced }) => !isReplaced);
  return inARow(
    claimingDocuments.map((issuedDocument) => ({
      id: issuedDocument.id,
      cents: Math.max(0, issuedDocument.dueCents - sumCredited(issuedDocument, documents)),
    })),
  );
}

function sumCredited({ id }: IssuedDocument, documents: readonly IssuedDocument[]): Cents {
  return -sumCents(documents.filter(({ correctsId }) => correctsId === id).map(({ dueCents }) => dueCents));
}

// Charges fill the claims one after the other. A charge is split if it reaches into several claims.
function fill(claims: readonly Stretch<Part>[], money: readonly MoneyMovement[]): Allocation[] {
  return inARow(money).flatMap(({ id: chargeId, from, to }) =>
    claims.map((claim) => ({ chargeId, documentId: claim.id, cents: clampLevel(to, claim) - clampLevel(from, claim) })),
  );
}

function clampLevel(level: Cents, { from, to }: Stretch<Part>): Cents {
  return Math.max(from, Math.min(to, level));
}

// Allocates unclaimed money that was received and refunded to the credited invoice and its note.
function settleReturned(documents: readonly IssuedDocument[], rests: readonly MoneyMovement[]): Allocation[] {
  const notes = documents.flatMap(({ id, correctsId, dueCents }) =>
    correctsId === undefined ? [] : [{ id, correctsId, cents: -dueCents }],
  );
  const isNamed = ({ id }: Part) => rests.some(({ documentId }) => documentId === id);
  const credited = inARow([...notes.filter(isNamed), ...notes.filter((note) => !isNamed(note))]);
  // Refunds that name a note come first, in the order of the notes.
  const findDocumentClaim = ({ documentId }: MoneyMovement) => {
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

// Merges allocations of the same charge and document, and drops zero ones.
function mergeParts(parts: readonly Allocation[]): Allocation[] {
  return [...Map.groupBy(parts, ({ chargeId, documentId }) => `${chargeId} ${documentId}`).values()]
    .map((same) => ({ ...(same[0] as Allocation), cents: sumCents(same.map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents !== 0);
}

function sumChargeAllocations(allocations: readonly Allocation[], chargeId: number): Cents {
  return sumCents(allocations.filter((allocation) => allocation.chargeId === chargeId).map(({ cents }) => cents));
}

// A credit note counts as paid when issued, and a replaced document through its replacement. An invoice is paid by
// money, and by credit notes without a refund.
function getPaidCents(
  document: IssuedDocument,
  documents: readonly IssuedDocument[],
  allocations: readonly Allocation[],
): Cents {
  if (document.correctsId !== undefined || document.isReplaced) return document.dueCents;
  const listDocumentAllocations = (id: number) =>
    sumCents(allocations.filter((allocation) => allocation.documentId === id).map(({ cents }) => cents));
  const notes = documents.filter(({ correctsId }) => correctsId === document.id);
  return (
    listDocumentAllocations(document.id) +
    sumCredited(document, documents) +
    sumCents(notes.map(({ id }) => listDocumentAllocations(id)))
  );
}

import type { BasisPoints, Cents } from "#domain/money.ts";

/** Amount of a concept at a rate. */
export interface ConceptAmount {
  readonly concept: string;
  readonly vat: BasisPoints;
  readonly totalCents: Cents;
}

/**
 * Returns the net amounts of documents by concept and rate, in order of first appearance. Credits without a matching
 * concept, as in older notes, are deducted from the rate's concepts in that order.
 */
export function subtractCreditedConcepts(
  invoiced: readonly ConceptAmount[],
  credited: readonly ConceptAmount[],
): ConceptAmount[] {
  const nets = new Map<string, ConceptAmount>();
  const add = (conceptAmount: ConceptAmount, cents: Cents) => {
    const key = toConceptAndRateKey(conceptAmount);
    nets.set(key, { ...conceptAmount, totalCents: (nets.get(key)?.totalCents ?? 0) + cents });
  };
  for (const item of invoiced) add(item, item.totalCents);
  const matchingItems = credited.filter((item) => nets.has(toConceptAndRateKey(item)));
  const unnamed = credited.filter((item) => !nets.has(toConceptAndRateKey(item)));
  for (const item of matchingItems) add(item, item.totalCents);
  for (const item of unnamed) add(item, takeOff([...nets.values()], item, add));
  return [...nets.values()].filter(({ totalCents }) => totalCents !== 0);
}

// Takes a credited amount off the concepts of its rate. Returns the part that no concept can cover.
function takeOff(
  nets: readonly ConceptAmount[],
  { vat, totalCents }: ConceptAmount,
  add: (conceptAmount: ConceptAmount, cents: Cents) => void,
): Cents {
  let remainingCents = totalCents;
  for (const net of nets.filter((net) => net.vat === vat)) {
    const part = Math.min(0, Math.max(remainingCents, -net.totalCents));
    add(net, part);
    remainingCents -= part;
  }
  return remainingCents;
}

/** Returns a map key for amounts of the same concept and tax rate. */
export function toConceptAndRateKey({ concept, vat }: Pick<ConceptAmount, "concept" | "vat">): string {
  return `${vat} ${concept}`;
}

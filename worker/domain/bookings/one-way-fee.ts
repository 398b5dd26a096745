import type { Branch, Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";

interface End {
  readonly place: Place;
  readonly branch: Branch;
}

/**
 * Returns the one-way fee, in addition to the return place's own price. Looks it up by places, then by branches, then
 * by branch groups. Each direction has a separate fee (docs/interfaces/rules.md#one-way-fees).
 */
export function findOneWayFee({ oneWayFees }: Pick<Catalogue, "oneWayFees">, pickup: End, returned: End): Cents {
  const pairs = [
    ["place", pickup.place.id, returned.place.id],
    ["branch", pickup.branch.code, returned.branch.code],
    ["branchGroup", pickup.branch.branchGroupId, returned.branch.branchGroupId],
  ] as const;
  for (const [kind, from, to] of pairs) {
    const fee = oneWayFees.find(
      (oneWayFee) => oneWayFee.between === kind && oneWayFee.from === from && oneWayFee.to === to,
    );
    if (fee) return fee.priceCents;
  }
  return 0;
}

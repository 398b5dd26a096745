import { MAX_COUNTED_REFERENCES } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { ReferenceCount } from "./resource-refusals.ts";

/** Converts rows to uses. A resource with several references, such as a vehicle's home and owner, counts once. */
export function mergeReferenceCounts(rows: readonly unknown[]): readonly ReferenceCount[] {
  const counted = Map.groupBy(
    (rows as readonly (readonly ReferenceCount[])[]).flat().filter(({ times }) => times > 0),
    ({ by }) => by,
  );
  return [...counted].map(([by, uses]) => {
    const times = Math.max(...uses.map((use) => use.times));
    return { by, times, isMore: times >= MAX_COUNTED_REFERENCES };
  });
}

import { MAX_COUNTED_USES } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { Use } from "./resource-refusals.ts";

/** What names a thing. One may name it in two ways (a vehicle's home and its owner), and is told once. */
export function toUses(rows: readonly unknown[]): readonly Use[] {
  const counted = Map.groupBy(
    (rows as readonly (readonly Use[])[]).flat().filter(({ times }) => times > 0),
    ({ by }) => by,
  );
  return [...counted].map(([by, uses]) => {
    const times = Math.max(...uses.map((use) => use.times));
    return { by, times, isMore: times >= MAX_COUNTED_USES };
  });
}

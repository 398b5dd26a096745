import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import type { Snapshot } from "#worker/store/catalogue/catalogue.ts";
import { isCatalogueChanged } from "#worker/store/catalogue/expected-catalogue.ts";
import type { CachedAccount } from "#worker/store/catalogue/read-fresh.ts";
import { isAnyDuplicate, isDuplicate, isTransient } from "#worker/store/failures.ts";

/** The ways of one booking at once. */
export interface OptimisticBooking<New, Kept> {
  /** All that can be said on the catalogue alone. */
  readonly decide: (catalogue: Catalogue) => Result<New, unknown>;
  /** The one batch; it expects the catalogue's version. */
  readonly save: (decided: New, catalogue: Catalogue) => Promise<Result<Kept, SoldOut>>;
}

type Booked<Kept> = Result<{ readonly booking: Kept; readonly catalogue: Catalogue }, SoldOut>;

/**
 * Books in one round trip: decides on the remembered catalogue, and lets the batch that writes prove that it is
 * today's, that the booking is new and that what it takes is free (decision 0021). A changed catalogue is read and
 * decided on anew. Answers undefined where nothing can be said without reading: what is there already, what a lost
 * answer wrote, and whether a refusal by the remembered catalogue is today's.
 */
export async function bookOptimistically<New, Kept>(
  account: CachedAccount,
  booking: OptimisticBooking<New, Kept>,
): Promise<Booked<Kept> | undefined> {
  const first = await tryOn(await account.snapshot(), booking);
  if (first !== "catalogueChanged") return first;
  const second = await tryOn(await account.freshSnapshot(), booking);
  return second === "catalogueChanged" ? undefined : second;
}

async function tryOn<New, Kept>(
  { catalogue }: Snapshot,
  { decide, save }: OptimisticBooking<New, Kept>,
): Promise<Booked<Kept> | "catalogueChanged" | undefined> {
  const decided = decide(catalogue);
  if (!decided.ok) return undefined;
  try {
    const saved = await save(decided.value, catalogue);
    return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
  } catch (error) {
    if (isCatalogueChanged(error)) return "catalogueChanged";
    if (isTransient(error) || isAnyDuplicate(error)) return undefined;
    throw error;
  }
}

/**
 * Whether a booking that was decided by reading is worth deciding anew: a twin came first, by its id or by the columns
 * that may name one booking only, the catalogue changed, or the database stumbled, perhaps after it had written.
 */
export function isConcurrencyConflict(error: unknown, uniqueColumns: string): boolean {
  return (
    isTransient(error) ||
    isCatalogueChanged(error) ||
    isDuplicate(error, uniqueColumns) ||
    isDuplicate(error, "bookings.free_access_id")
  );
}

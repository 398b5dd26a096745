import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import type { CatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import type { AccountWithCachedCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { isAnyDuplicate, isDuplicateInColumns, isTransientDatabaseError } from "#worker/store/failures.ts";
import { isCatalogueChanged } from "#worker/store/guards/catalogue-version.ts";

/** Steps of an optimistic booking. */
export interface OptimisticBooking<New, Stored> {
  /** Decides with the catalogue alone. */
  readonly decide: (catalogue: Catalogue) => Result<New, unknown>;
  /** Saves in a single batch that expects the catalogue's version. */
  readonly save: (decided: New, catalogue: Catalogue) => Promise<Result<Stored, SoldOut>>;
}

type Booked<Stored> = Result<{ readonly booking: Stored; readonly catalogue: Catalogue }, SoldOut>;

/**
 * Books in one round trip. Decides with the cached catalogue, and the batch verifies that it's current, that the
 * booking is new and that its units are free (decision 0021). If the catalogue has changed, reads it and decides again.
 * Returns undefined if a read is required: for an existing booking, a lost answer, or a refusal by the cached
 * catalogue.
 */
export async function bookOptimistically<New, Stored>(
  account: AccountWithCachedCatalogue,
  booking: OptimisticBooking<New, Stored>,
): Promise<Booked<Stored> | undefined> {
  const first = await tryOn(await account.snapshot(), booking);
  if (first !== "catalogueChanged") return first;
  const second = await tryOn(await account.freshSnapshot(), booking);
  return second === "catalogueChanged" ? undefined : second;
}

async function tryOn<New, Stored>(
  { catalogue }: CatalogueSnapshot,
  { decide, save }: OptimisticBooking<New, Stored>,
): Promise<Booked<Stored> | "catalogueChanged" | undefined> {
  const decided = decide(catalogue);
  if (!decided.ok) return undefined;
  try {
    const saveResult = await save(decided.value, catalogue);
    return saveResult.ok ? ok({ booking: saveResult.value, catalogue }) : saveResult;
  } catch (error) {
    if (isCatalogueChanged(error)) return "catalogueChanged";
    if (isTransientDatabaseError(error) || isAnyDuplicate(error)) return undefined;
    throw error;
  }
}

/**
 * Whether to decide a booking again. A duplicate came first, by its id or unique columns, the catalogue changed, or the
 * database failed, perhaps after the write.
 */
export function isConcurrencyConflict(error: unknown, uniqueColumns: string): boolean {
  return (
    isTransientDatabaseError(error) ||
    isCatalogueChanged(error) ||
    isDuplicateInColumns(error, uniqueColumns) ||
    isDuplicateInColumns(error, "bookings.free_access_id")
  );
}

import type { CivilDate } from "#domain/dates.ts";
import { buildLedgerEntries, type LedgerEntry } from "#domain/reporting/ledger.ts";
import { toLedgerContract } from "#domain/reporting/ledger-source.ts";
import type { Database } from "#worker/store/database.ts";
import {
  countWrongLedgerSums,
  readContractsForLedger,
  rewriteLedgerEntries,
  type StoredLedgerEntry,
} from "#worker/store/reporting/ledger.ts";

/** Result of comparing the ledger with the contracts. */
export interface LedgerCheck {
  readonly contracts: number;
  /** Bookings with entries that differ from the contract. */
  readonly different: readonly number[];
  /** Sums that differ from their entries. */
  readonly wrongSums: number;
}

const CHUNK = 500;

/**
 * Recalculates the ledger from every contract and compares it. With `repairs` it also corrects differences.
 * `toCivilDate` returns dates in the account's calendar. Differences indicate a defect, because every contract change
 * updates the ledger.
 */
export async function compareOrRepairLedger(
  db: Database,
  toCivilDate: (at: number) => CivilDate,
  { repairs }: { readonly repairs: boolean },
): Promise<LedgerCheck> {
  const different: number[] = [];
  let contracts = 0;
  for (let afterId = 0; ; ) {
    const { sources, kept } = await readContractsForLedger(db, afterId, CHUNK);
    const last = sources.at(-1);
    if (!last) break;
    const entriesByBooking = Map.groupBy(kept, ({ bookingId }) => bookingId);
    const wrongContracts = sources.flatMap((source) => {
      const contract = toLedgerContract(source, toCivilDate);
      const entries = contract ? buildLedgerEntries(contract) : [];
      const isSame = toComparableText(entries) === toComparableText(entriesByBooking.get(source.bookingId) ?? []);
      return isSame ? [] : [{ bookingId: source.bookingId, entries }];
    });
    if (repairs && wrongContracts.length > 0) {
      await rewriteLedgerEntries(
        db,
        wrongContracts.flatMap(({ bookingId, entries }) => entries.map((entry) => ({ ...entry, bookingId }))),
        wrongContracts.map(({ bookingId }) => bookingId),
      );
    }
    different.push(...wrongContracts.map(({ bookingId }) => bookingId));
    contracts += sources.length;
    afterId = last.bookingId;
  }
  return { contracts, different, wrongSums: await countWrongLedgerSums(db) };
}

function toComparableText(entries: readonly (LedgerEntry | StoredLedgerEntry)[]): string {
  return entries
    .map((entry) =>
      [
        entry.kind,
        entry.code,
        entry.year,
        entry.month,
        entry.branchCode,
        entry.customerClass,
        entry.cents,
        entry.centsWithoutTaxes,
        entry.days,
        entry.firstDay,
        entry.lastDay,
        entry.contracts,
        entry.usageUnits,
      ].join(" "),
    )
    .sort()
    .join("\n");
}

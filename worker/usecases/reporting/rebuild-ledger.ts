import type { CivilDate } from "#domain/dates.ts";
import { buildLedgerEntries, type LedgerEntry } from "#domain/reporting/ledger.ts";
import { toLedgerContract } from "#domain/reporting/ledger-source.ts";
import type { Database } from "#worker/store/database.ts";
import {
  findWrongSums,
  readLedgerChunk,
  type StoredLedgerEntry,
  saveLedgerChunk,
} from "#worker/store/reporting/ledger.ts";

/** What comparing the ledger with the contracts found. */
export interface LedgerCheck {
  readonly contracts: number;
  /** Bookings whose entries are not what the contract says. */
  readonly different: readonly number[];
  /** Sums that are not what their entries come to. */
  readonly wrongSums: number;
}

const CHUNK = 500;

/**
 * Computes the ledger anew from every contract and compares; with `repairs` it also writes what is different. `dateOf`
 * is the account's own calendar. There must be nothing to repair: the ledger moves with the contracts.
 */
export async function rebuildLedger(
  db: Database,
  toCivilDate: (at: number) => CivilDate,
  { repairs }: { readonly repairs: boolean },
): Promise<LedgerCheck> {
  const different: number[] = [];
  let contracts = 0;
  for (let afterId = 0; ; ) {
    const { sources, kept } = await readLedgerChunk(db, afterId, CHUNK);
    const last = sources.at(-1);
    if (!last) break;
    const entriesByBooking = Map.groupBy(kept, ({ bookingId }) => bookingId);
    const wrong = sources.flatMap((source) => {
      const contract = toLedgerContract(source, toCivilDate);
      const entries = contract ? buildLedgerEntries(contract) : [];
      const isSame = toComparableText(entries) === toComparableText(entriesByBooking.get(source.bookingId) ?? []);
      return isSame ? [] : [{ bookingId: source.bookingId, entries }];
    });
    if (repairs && wrong.length > 0) {
      await saveLedgerChunk(
        db,
        wrong.flatMap(({ bookingId, entries }) => entries.map((entry) => ({ ...entry, bookingId }))),
        wrong.map(({ bookingId }) => bookingId),
      );
    }
    different.push(...wrong.map(({ bookingId }) => bookingId));
    contracts += sources.length;
    afterId = last.bookingId;
  }
  return { contracts, different, wrongSums: await findWrongSums(db) };
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

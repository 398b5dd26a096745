import { newMeter, openDatabase } from "#worker/store/database.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { type LedgerCheck, rebuildLedger } from "#worker/usecases/reporting/rebuild-ledger.ts";

/**
 * Computes an account's ledger anew and compares it with what is kept; with `repairs` it also writes what is different.
 */
export async function checkLedger(db: D1Database, repairs: boolean): Promise<LedgerCheck> {
  const settings = await db.prepare("SELECT timezone FROM settings").first<{ timezone: string }>();
  if (!settings) return { contracts: 0, different: [], wrongSums: 0 };
  const toCivilDate = (at: number) => civilNow(settings.timezone, at).date;
  return rebuildLedger(openDatabase(db, newMeter()), toCivilDate, { repairs });
}

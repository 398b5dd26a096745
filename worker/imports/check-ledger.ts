import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { compareOrRepairLedger, type LedgerCheck } from "#worker/usecases/reporting/rebuild-ledger.ts";

/**
 * Recalculates an account's ledger and compares it with the stored one. With `repairs` it also corrects differences.
 */
export async function checkOrRepairLedger(db: D1Database, repairs: boolean): Promise<LedgerCheck> {
  const settings = await db.prepare("SELECT timezone FROM settings").first<{ timezone: string }>();
  if (!settings) return { contracts: 0, different: [], wrongSums: 0 };
  const toCivilDate = (at: number) => toCivilNow(settings.timezone, at).date;
  return compareOrRepairLedger(openDatabase(db, createUsageMeter()), toCivilDate, { repairs });
}

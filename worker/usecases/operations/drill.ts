import { listBackupTables } from "#worker/store/operations/backup.ts";
import { acquireDrillLock, recordDrillProblem, saveDrill } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { LEASE_MILLISECONDS } from "./back-up.ts";
import { readBackupValue, type VerifiedBackup } from "./read-back.ts";

/** Rows of a backup that the clock restores: more are read through, and restored by `npm run restore`. */
const MAX_RESTORED_ROWS = 300_000;

/**
 * Examines an account's last backup where none was since a moment: read through, every table by its count and hash, of
 * this account, and nothing in it that today's schema has no place for; then restored into a database of its own that
 * is thrown away. Answers how many rows it holds.
 */
export async function verifyLatestBackup(
  tenant: Tenant,
  { since, now }: { readonly since: number; readonly now: number },
) {
  if (!(await acquireDrillLock(tenant.db, { since, now, until: now + LEASE_MILLISECONDS }))) return 0;
  try {
    const rows = await examineLast(tenant);
    await saveDrill(tenant.db, now);
    return rows;
  } catch (error) {
    await recordDrillProblem(tenant.db, `drill: ${error instanceof Error ? error.name : "unknown"}`);
    throw error;
  }
}

async function examineLast({ name, copies, db, scratch }: Tenant): Promise<number> {
  const last = (await copies?.rows.list(""))?.filter((path) => path.endsWith(".ndjson.gz")).at(-1);
  const packed = last === undefined ? undefined : await copies?.rows.get(last);
  if (last === undefined || !packed) throw new Error("there is no backup to examine");
  const backup = await readBackupValue(packed);
  if (backup.account !== name) throw new Error("the backup is another account's");
  const { tables } = await listBackupTables(db);
  const known = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  const homeless = backup.tables.find(({ table, columns }) => !hasPlace(known.get(table), columns));
  if (homeless) throw new Error("today's schema has no place for a table of the backup");
  if (scratch && backup.rows <= MAX_RESTORED_ROWS) {
    const restored = await scratch.restore(last);
    if (restored && (!restored.isWhole || restored.rows !== backup.rows || restored.brokenReferences > 0))
      throw new Error("what was restored is not what was backed up");
  }
  return backup.rows;
}

function hasPlace(
  known: ReadonlySet<string> | undefined,
  columns: VerifiedBackup["tables"][number]["columns"],
): boolean {
  return known !== undefined && columns.every((column) => known.has(column));
}

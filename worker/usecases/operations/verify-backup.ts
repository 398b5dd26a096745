import { MAX_RESTORED_ROWS } from "#domain/operations/imports.ts";
import { listBackupTables } from "#worker/store/operations/backup.ts";
import { leaseBackupCheck, saveBackupCheck, saveBackupCheckProblem } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { BACKUP_LEASE_MILLISECONDS } from "./back-up.ts";
import { readBackupRows, type VerifiedBackup } from "./read-backup.ts";

/**
 * Verifies an account's last backup if it's due. Checks every table's count and hash, the account, and that the current
 * schema fits all content. Then restores it into a temporary database. Returns the number of rows.
 */
export async function verifyLatestBackupIfDue(
  tenant: Tenant,
  { since, now }: { readonly since: number; readonly now: number },
) {
  if (!(await leaseBackupCheck(tenant.db, { since, now, until: now + BACKUP_LEASE_MILLISECONDS }))) return 0;
  try {
    const rows = await examineLast(tenant);
    await saveBackupCheck(tenant.db, now);
    return rows;
  } catch (error) {
    await saveBackupCheckProblem(tenant.db, `drill: ${error instanceof Error ? error.name : "unknown"}`);
    throw error;
  }
}

async function examineLast({ name, copies, db, scratch }: Tenant): Promise<number> {
  const last = (await copies?.rows.list(""))?.filter((path) => path.endsWith(".ndjson.gz")).at(-1);
  const packed = last === undefined ? undefined : await copies?.rows.get(last);
  if (last === undefined || !packed) throw new Error("there is no backup to examine");
  const backup = await readBackupRows(packed);
  if (backup.account !== name) throw new Error("the backup is another account's");
  const { tables } = await listBackupTables(db);
  const known = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  const homeless = backup.tables.find(({ table, columns }) => !hasPlace(known.get(table), columns));
  if (homeless) throw new Error("today's schema has no place for a table of the backup");
  if (scratch && backup.rows <= MAX_RESTORED_ROWS) {
    const restored = await scratch.restore(last);
    if (restored && (!restored.isWhole || restored.rows !== backup.rows || restored.brokenReferences > 0))
      throw new Error("the restored data differs from the backup");
  }
  return backup.rows;
}

function hasPlace(
  known: ReadonlySet<string> | undefined,
  columns: VerifiedBackup["tables"][number]["columns"],
): boolean {
  return known !== undefined && columns.every((column) => known.has(column));
}

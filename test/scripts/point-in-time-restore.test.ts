import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  advanceInvoiceSeries,
  formatRestoreReport,
  listActiveKeysUsersAndWebhooks,
  listLastNumbersBySeries,
  parseLastInvoiceNumbers,
  reconcileWithLaterBackup,
  resetAfterRestore,
} from "#scripts/data/point-in-time-restore.ts";
import { type BackupFile, readBackupFile, restoreIntoAccount } from "#scripts/data/restore.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backUpAccountInOneRun } from "#worker/usecases/operations/back-up.ts";

const BACKUP_TIME = Date.parse("2026-11-20T03:17:00Z");
const TODAY = BACKUP_TIME + 24 * 3_600_000;

let folder: string;
let earlierBackup: BackupFile;
let today: BackupFile;
let lived: SqliteD1;

async function createBackup(company: SqliteD1, at: number): Promise<BackupFile> {
  const file = join(folder, `${at}.ndjson.gz`);
  const rows = {
    putStream: (_: string, stream: ReadableStream<Uint8Array>) => writeFile(file, stream),
    get: async () => new Blob([await readFile(file)]).stream(),
  };
  await backUpAccountInOneRun(
    { name: "globex", db: openDatabase(company.db, createUsageMeter()), copies: { rows } } as unknown as Tenant,
    at,
  );
  return readBackupFile(file);
}

/** Restores the account to the previous day. */
async function restoreEarlier(): Promise<SqliteD1> {
  const back = createSqliteD1();
  await restoreIntoAccount(back.db, earlierBackup, () => undefined);
  // Time Travel restores keys themselves, while backups contain hashes.
  back.rows("UPDATE partner_keys SET api_key = 'by-its-name-alone', hashed = 0 WHERE name = 'Books'");
  return back;
}

const item = <T = number>({ rows }: SqliteD1, sql: string): T | undefined =>
  Object.values(rows<Record<string, T>>(sql)[0] ?? {})[0];

/** Copies a table row with changed values. */
function copyRow({ rows }: SqliteD1, table: string, where: string, changes: Record<string, string | number | null>) {
  const [row] = rows(`SELECT * FROM ${table} WHERE ${where} LIMIT 1`);
  const stored = rows<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
  const rowValues: Record<string, string | number | null> = { ...row, ...changes };
  const columns = stored.filter((name) => name in rowValues);
  const values = columns.map((name) => rowValues[name] ?? null);
  rows(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`, ...values);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gone-back-"));
  lived = await openCopiedDemo("globex");
  const { rows } = lived;
  rows(
    "INSERT OR REPLACE INTO number_series (company_id, serie, last_number, last_date) VALUES (1, 'T-26', 56, '2026-11-19')",
  );
  copyRow(lived, "users", "kind = 'staff'", { id: null, username: "left", email: "left@globex.test" });
  rows(
    "INSERT INTO user_sessions (id, user_id, created_at, expires_at) SELECT 'lost-phone', id, 1, 9e15 FROM users WHERE username = 'left'",
  );
  rows(
    "INSERT INTO password_resets (token_hash, user_id, expires_at) SELECT 'used-since', id, 9e15 FROM users WHERE username = 'left'",
  );
  copyRow(lived, "partner_keys", "1", {
    api_key: "by-its-name-alone",
    name: "Books",
    key_only: 1,
    agency_id: null,
    scope_ota: 0,
  });
  earlierBackup = await createBackup(lived, BACKUP_TIME);
  // The day that is lost.
  rows("UPDATE number_series SET last_number = 57, last_date = '2026-11-20' WHERE serie = 'T-26'");
  rows("UPDATE partner_keys SET active = 0 WHERE key_only = 0");
  rows("UPDATE users SET password_hash = 'chosen since' WHERE username <> 'left' AND kind = 'staff'");
  rows("DELETE FROM users WHERE username = 'left'");
  rows("UPDATE customers SET last_update = ? WHERE id = (SELECT min(id) FROM customers)", TODAY - 1000);
  copyRow(lived, "customers", "1", { id: null, name: "Since" });
  today = await createBackup(lived, TODAY);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("an account restored to an earlier time", () => {
  test("assigns new catalogue versions, stock versions and ids after a restore, and never reuses earlier ones", async () => {
    const back = await restoreEarlier();
    const before = {
      catalogue: item(back, "SELECT version FROM catalogue_version") ?? 0,
      stock: item(back, "SELECT version FROM stock_version") ?? 0,
      booking: item(back, "SELECT max(id) FROM bookings") ?? 0,
    };
    await resetAfterRestore(back.db, TODAY);
    expect(item(back, "SELECT version FROM catalogue_version")).toBeGreaterThan(before.catalogue + 100_000);
    expect(item(back, "SELECT version FROM stock_version")).toBeGreaterThan(before.stock + 100_000);
    for (const table of ["bookings", "charges", "documents", "webhook_events", "tax_records", "ministry_reports"]) {
      const sequence = item(back, `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`);
      const last = item(back, `SELECT coalesce(max(id), 0) FROM ${table}`) ?? 0;
      expect({ table, sequence }).toEqual({ table, sequence: expect.any(Number) });
      expect(sequence).toBeGreaterThanOrEqual(last + 10_000);
    }
    copyRow(back, "bookings", "1", { id: null, free_access_id: "f".repeat(32), cart_id: null, uid: null });
    expect(item(back, "SELECT max(id) FROM bookings")).toBeGreaterThan(before.booking + 10_000);
  });

  test("gets a new installation number for tax records after a restore, and ends sessions and password links", async () => {
    const back = await restoreEarlier();
    const installation = item<string>(back, "SELECT number FROM tax_installation");
    expect(item(back, "SELECT count(*) FROM user_sessions")).toBeGreaterThan(0);
    await resetAfterRestore(back.db, TODAY);
    expect(item<string>(back, "SELECT number FROM tax_installation")).toMatch(/^[0-9a-f]{16}$/);
    expect(item<string>(back, "SELECT number FROM tax_installation")).not.toBe(installation);
    expect(item(back, "SELECT count(*) FROM user_sessions")).toBe(0);
    expect(item(back, "SELECT count(*) FROM password_resets")).toBe(0);
    // Administrators see it in the office, also if it happens twice.
    await resetAfterRestore(back.db, TODAY + 1000);
    expect(back.rows("SELECT at, count FROM security_events WHERE kind = 'database_restored'")).toEqual([
      { at: TODAY, count: 2 },
    ]);
  });

  test("continues invoice numbers after a restore from the specified last one, and rejects an unknown series", async () => {
    const back = await restoreEarlier();
    await advanceInvoiceSeries(back.db, parseLastInvoiceNumbers(" T-26 = 60 "));
    expect(await listLastNumbersBySeries(back.db)).toContainEqual(
      expect.objectContaining({ serie: "T-26", last_number: 60 }),
    );
    await advanceInvoiceSeries(back.db, parseLastInvoiceNumbers("T-26=12"));
    expect(await listLastNumbersBySeries(back.db)).toContainEqual(
      expect.objectContaining({ serie: "T-26", last_number: 60 }),
    );
    await expect(advanceInvoiceSeries(back.db, parseLastInvoiceNumbers("X-1=3"))).rejects.toThrow(
      "There is no serie X-1",
    );
    expect(() => parseLastInvoiceNumbers("T-26:60")).toThrow("--last-numbers expects");
  });

  test("deactivates keys and users again after a restore by a later backup, and restores invoice numbers", async () => {
    const back = await restoreEarlier();
    await resetAfterRestore(back.db, TODAY);
    const lossReport = await reconcileWithLaterBackup(back.db, today, TODAY);
    expect(await listLastNumbersBySeries(back.db)).toContainEqual(
      expect.objectContaining({ serie: "T-26", last_number: 57 }),
    );
    expect(back.rows("SELECT name FROM partner_keys WHERE active = 1")).toEqual([{ name: "Books" }]);
    expect(item(back, "SELECT active FROM users WHERE username = 'left'")).toBe(0);
    expect(item(back, "SELECT count(*) FROM users WHERE password_hash = 'chosen since'")).toBe(
      item(lived, "SELECT count(*) FROM users WHERE password_hash = 'chosen since'"),
    );
    expect(lossReport.deactivatedAccess).toContain("user left@globex.test");
    expect(lossReport.lostRecordTexts).toEqual([expect.stringMatching(/^1 customers: \d+$/)]);
    // The restored value is reported again to extracting systems.
    expect(item(back, "SELECT last_update FROM customers ORDER BY id LIMIT 1")).toBe(TODAY);
    expect(item(back, `SELECT count(*) FROM customers WHERE last_update = ${TODAY}`)).toBe(1);
    const reportText = formatRestoreReport(lossReport, {
      series: await listLastNumbersBySeries(back.db),
      open: [],
    }).join("\n");
    expect(reportText).toContain("lost: 1 customers");
    expect(reportText).toContain("closed again: user left@globex.test");
  });

  test("lists active keys, users and last invoice numbers after a restore if there is no later backup", async () => {
    const back = await restoreEarlier();
    const reportText = formatRestoreReport(undefined, {
      series: await listLastNumbersBySeries(back.db),
      open: await listActiveKeysUsersAndWebhooks(back.db),
    }).join("\n");
    expect(reportText).toContain("left@globex.test");
    expect(reportText).toContain("T-26 56 of 2026-11-19");
    expect(reportText).toContain("--last-numbers");
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { insertPersonInAllTables, listTablesContaining, NAME_TO_ERASE } from "#support/person-to-erase.ts";
import { createInsertStatement, createTriggerSuspension, splitRowsIntoJson } from "#worker/imports/write-rows.ts";
import { backUpAccountInOneRun, getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { type BackupTableHead, readBackupRows } from "#worker/usecases/operations/read-backup.ts";
import { runCronTick } from "#worker/usecases/operations/scheduled.ts";

const { TENANT_ACME: acme, TENANT_GLOBEX: globex } = env;
// A night with a backup stored for a year: the first of the month before last.
const [YEAR = 0, MONTH = 0] = new Date().toISOString().split("-").map(Number);
const LONG_AGO = Date.UTC(YEAR, MONTH - 2, 1, 3);
const WITH_PERSON = ["documents"];
let boss = "";

beforeEach(async () => {
  boss = await insertPersonInAllTables();
  await backUpAccountInOneRun(openTestTenant(env), LONG_AGO);
});

const erase = () => callOffice("POST", "/customers/1/erase", { token: boss, body: { reason: "asked for" } });

/** Runs the cron job once for each of five minutes, after deactivating both accounts' webhooks. */
async function runFiveCronTicks(): Promise<void> {
  for (const db of [acme, globex]) await db.prepare("DELETE FROM webhook_deliveries").run();
  for (const db of [acme, globex]) await db.prepare("UPDATE webhooks SET active = 0").run();
  for (let minute = 0; minute < 5; minute++) await runCronTick(env, Date.now() + minute * 60_000);
}

/** Reads a backup of acme table by table. */
async function readBackupTable(
  at: number,
): Promise<Map<string, { readonly columns: readonly string[]; readonly rows: unknown[] }>> {
  const tables = new Map<string, { columns: readonly string[]; rows: unknown[] }>();
  const packed = await openTestTenant(env).copies?.rows.get(getBackupPath(at));
  if (!packed) throw new Error("no backup");
  await readBackupRows(packed, {
    begin: ({ table, columns }: BackupTableHead) => tables.set(table, { columns, rows: [] }),
    row: (line, { table }) => tables.get(table)?.rows.push(JSON.parse(line)),
    end: () => undefined,
  });
  return tables;
}

/** Replaces a database's content with the old backup. */
async function restoreInto(db: D1Database): Promise<void> {
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(db);
  const tables = [...(await readBackupTable(LONG_AGO))].map(([name, table]) => ({ name, ...table }));
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...dropTriggers,
    ...tables.map(({ name }) => db.prepare(`DELETE FROM ${name}`)),
    ...tables.flatMap((table) =>
      [...splitRowsIntoJson(table.rows, 40_000)].map((text) => createInsertStatement(db, table, text)),
    ),
    ...recreateTriggers,
  ]);
}

describe("a person who was erased", () => {
  // Proves "security, privacy and operation": Earlier backups contain the person until they expire, later ones don't
  test("keeps an erased person in earlier backups until they expire, and in later ones only on issued documents", async () => {
    const namedIn = async (at: number) =>
      [...(await readBackupTable(at))]
        .filter(([, { rows }]) => JSON.stringify(rows).includes(NAME_TO_ERASE))
        .map(([name]) => name);
    await erase();
    expect(await namedIn(LONG_AGO)).toContain("customers");
    await backUpAccountInOneRun(openTestTenant(env), Date.now());
    expect(await namedIn(Date.now())).toEqual(WITH_PERSON);
  });

  // Proves "security, privacy and operation": A restored older backup doesn't bring an erased person back
  test("erases a person again after an older backup is restored, with contracts linked since", async () => {
    await acme.prepare("UPDATE bookings SET customer_id = NULL, customer_email = NULL WHERE id = 48").run();
    await backUpAccountInOneRun(openTestTenant(env), LONG_AGO);
    await acme.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 48").run();
    expect((await erase()).status).toBe(200);
    await restoreInto(acme);
    expect(await listTablesContaining(NAME_TO_ERASE)).toContain("customers");
    await runFiveCronTicks();
    expect(await listTablesContaining(NAME_TO_ERASE)).toEqual(WITH_PERSON);
    expect(await listTablesContaining("zacarias@example.com")).toEqual([]);
    await acme.prepare("UPDATE upkeep SET purged_at = NULL").run();
    await runFiveCronTicks();
    const { results } = await acme.prepare("SELECT customer_id, actor, reason FROM erasures").all();
    expect(results).toEqual([{ customer_id: 1, actor: "restore", reason: "reapplied_after_restore" }]);
  });

  test("keeps an erased person's restored data while a later contract isn't finished", async () => {
    await erase();
    await restoreInto(acme);
    await insertCheckInRental({ id: 99, status: "confirmed" });
    await acme
      .prepare("UPDATE bookings SET customer_id = 1, created_at = ? WHERE id = 99")
      .bind(Date.now() + 1)
      .run();
    await runFiveCronTicks();
    expect(await listTablesContaining(NAME_TO_ERASE)).toContain("customers");
    await acme.batch([
      acme.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = 99"),
      acme.prepare("UPDATE upkeep SET purged_at = NULL"),
    ]);
    await runFiveCronTicks();
    expect(await listTablesContaining(NAME_TO_ERASE)).toEqual(WITH_PERSON);
  });

  test("doesn't erase a new customer who got the erased person's ID after the restore", async () => {
    await erase();
    await restoreInto(acme);
    await acme.batch([
      acme.prepare("UPDATE customers SET name = 'Olga', created_at = ? WHERE id = 1").bind(Date.now() + 1),
      acme.prepare("UPDATE bookings SET customer_name = 'Olga', customer_id = 1, created_at = ?").bind(Date.now() + 1),
    ]);
    await runFiveCronTicks();
    expect(await acme.prepare("SELECT name FROM customers WHERE id = 1").first("name")).toBe("Olga");
    expect(await acme.prepare("SELECT count(*) AS n FROM bookings WHERE customer_name <> 'Olga'").first("n")).toBe(0);
  });

  // Proves "security, privacy and operation": Nor in an account of another name
  test("erases a person also in an account restored from another account's backup", async () => {
    await setUpCompany("globex");
    const restored = async (at: number) => {
      await restoreInto(globex);
      await env.BACKUPS?.put(`erasures/globex/from-acme-${at}.json`, "{}");
      await runFiveCronTicks();
      return listTablesContaining(NAME_TO_ERASE, globex);
    };
    const before = Date.now();
    await erase();
    expect(await restored(before - 1)).toContain("customers");
    expect(await restored(Date.now() + 1)).toEqual(WITH_PERSON);
  });
});

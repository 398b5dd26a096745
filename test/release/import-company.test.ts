import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importDataFolder, undoLastImport } from "#scripts/data/import-folder.ts";
import { createOtherSystemExport, OTHER_SYSTEM_MAPPING, type OtherSystemExport } from "#support/other-system.ts";
import { openOrCreateSqliteFile, type SqliteD1 } from "#support/sqlite-d1.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";

const migrationsFolder = resolve("migrations");
const NOW = Date.parse("2026-07-01T08:00:00Z");
const SEED = 20_260_701;
let folder: string;
let account: SqliteD1;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "moving-in-"));
  file = join(folder, "account.sqlite");
  account = openOrCreateSqliteFile(file);
  openAccount(account);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// As created by npm run account.
function openAccount({ rows }: SqliteD1): void {
  rows(`INSERT INTO settings (id, account_name, country_code, currency, timezone, languages, default_language)
    VALUES (1, 'Illes', 'ES', 'EUR', 'Europe/Madrid', '["es"]', 'es')`);
}

async function writeExportFiles(name: string, { files }: Pick<OtherSystemExport, "files">): Promise<string> {
  const to = await mkdtemp(join(folder, `${name}-`));
  for (const [file, bytes] of files) await writeFile(join(to, file), bytes);
  return to;
}

const options = (from: string, changes: object = {}) => ({
  folder: from,
  migrationsFolder,
  isDry: false,
  statementCharacters: 100_000,
  progress: () => undefined,
  mapping: OTHER_SYSTEM_MAPPING,
  now: NOW,
  ...changes,
});

/** Reads all rows except an import's own records. */
function dump({ rows }: SqliteD1): Record<string, string[]> {
  const names = rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'import*' AND name NOT IN ('catalogue_version', 'stock_version', 'search_blocks', 'ledger_products', 'ledger_branch_products', 'list_totals')",
  );
  return Object.fromEntries(
    names.map(({ name }) => [
      name,
      rows(`SELECT * FROM ${name}`)
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  );
}

const cleanExport = createOtherSystemExport(SEED, { messy: false });

// Proves "security, privacy and operation": Every mistake of another system's files is reported with line and column,
//   and nothing else
test("reports exactly the mistakes in another system's files by line and field in a dry run", async () => {
  const messy = createOtherSystemExport(SEED, { messy: true });
  expect(messy.files.size).toBeGreaterThanOrEqual(30);
  const { bad } = await importDataFolder(account.db, options(await writeExportFiles("messy", messy), { isDry: true }));
  expect(bad.map(({ file, line, field }) => `${file}:${line} ${field}`).sort()).toEqual(
    messy.faults.map(({ file, line, field }) => `${file}:${line} ${field}`).sort(),
  );
  expect(account.rows("SELECT count(*) AS n FROM branches")).toEqual([{ n: 0 }]);
});

// Proves "security, privacy and operation": An import is all or nothing, even when it is killed
test("changes nothing in the account if an import is killed while writing, early or late", async () => {
  const before = dump(account);
  const from = await writeExportFiles("killed", cleanExport);
  await writeFile(join(from, "mapping.json"), JSON.stringify(OTHER_SYSTEM_MAPPING));
  for (const sign of ["vehicles", "written some"]) {
    await killedAt(sign, file, from);
    account = openOrCreateSqliteFile(file);
    expect(dump(account)).toEqual(before);
  }
});

function killedAt(sign: string, database: string, from: string): Promise<void> {
  const child = spawn(process.execPath, ["test/support/import-child.ts", database, from, migrationsFolder]);
  return new Promise((done, fail) => {
    let errors = "";
    child.stdout.on("data", (text: Buffer) => String(text).includes(sign) && child.kill("SIGKILL"));
    child.stderr.on("data", (text: Buffer) => {
      errors += String(text);
    });
    child.on("exit", (_, signal) =>
      signal === "SIGKILL" ? done() : fail(new Error(`it ended before it was killed: ${errors}`)),
    );
  });
}

// Proves "security, privacy and operation": A company moves in mid-year: open contracts, deposits held, numbers that go
//   on; and back out by an undo
test("imports the corrected files with accented names, open contracts, held deposits and next numbers", async () => {
  const before = dump(account);
  const from = await writeExportFiles("mended", cleanExport);
  const { bad, files } = await importDataFolder(account.db, options(from));
  expect(bad).toEqual([]);
  const { counts, paid } = cleanExport;
  expect(
    account.rows(
      "SELECT (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM vehicles) AS vehicles, (SELECT count(*) FROM bookings) AS contracts, (SELECT count(*) FROM documents) AS invoices",
    ),
  ).toEqual([counts]);
  expect(
    account.rows(
      "SELECT count(*) AS n FROM customers WHERE surname = 'Muñoz' OR surname = 'García Peña' OR surname = 'Ibáñez'",
    )[0]?.["n"],
  ).toBeGreaterThan(0);
  expect(account.rows("SELECT total(amount_cents) AS paid FROM charges WHERE virtual = 0")).toEqual([{ paid }]);
  expect(account.rows("SELECT total(amount_cents) AS held FROM charges WHERE source_doc = 'deposit_received'")).toEqual(
    [{ held: 20 * 30_000 }],
  );
  expect(
    account.rows(
      "SELECT count(*) AS n FROM bookings JOIN booking_units ON booking_id = bookings.id WHERE status = 'in_progress' AND delivered_at IS NOT NULL AND collected_at IS NULL AND vehicle_reference IS NOT NULL",
    ),
  ).toEqual([{ n: 20 }]);
  expect(account.rows("SELECT serie, last_number FROM number_series")).toEqual([
    { serie: "F-PMI-26", last_number: counts.invoices },
    { serie: "R-PMI-26", last_number: 12 },
  ]);
  expect(account.rows("SELECT name, value FROM offers ORDER BY id")).toEqual([
    { name: "Otoño", value: 1500 },
    { name: "Fijo", value: 2000 },
  ]);
  expect(
    account.rows(
      "SELECT count(*) AS n FROM bookings WHERE total_paid_cents <> total_cents OR length(free_access_id) < 16",
    ),
  ).toEqual([{ n: 0 }]);
  expect(account.rows("PRAGMA foreign_key_check")).toEqual([]);
  expect(await checkOrRepairLedger(account.db, false)).toMatchObject({ different: [], wrongSums: 0 });
  // Import the same files again, as a company does weekly before it moves.
  const again = await importDataFolder(account.db, options(from));
  expect(again.bad).toEqual([]);
  expect(again.files.filter(({ added, changed }) => added + changed > 0)).toEqual([]);
  expect(files.reduce((sum, { added }) => sum + added, 0)).toBeGreaterThan(200);
  // Undo it, as if it had never happened.
  expect(await undoLastImport(account.db, { migrationsFolder, statementCharacters: 100_000, now: NOW })).toMatchObject({
    problems: [],
  });
  expect(dump(account)).toEqual(before);
  // After the import is undone, no sums are left.
  expect(await checkOrRepairLedger(account.db, false)).toMatchObject({ contracts: 0, wrongSums: 0 });
  expect(account.rows("SELECT list FROM list_totals WHERE total <> 0")).toEqual([]);
  expect((await importDataFolder(account.db, options(from))).bad).toEqual([]);
});

// Proves "security, privacy and operation": The other system's own key finds a row again
test("updates a name corrected in the file by the other system's customer key, visible in extracted changes", async () => {
  const from = await writeExportFiles("mended", {
    files: new Map([
      ["clientes.csv", new TextEncoder().encode("Clave;Nombre;Apellidos\nC-3;Eva;Sol\nC-900;Neu;Kunde\n")],
    ]),
  });
  const later = NOW + 3_600_000;
  const { files } = await importDataFolder(account.db, options(from, { now: later }));
  expect(files).toMatchObject([{ added: 1, changed: 1, unchanged: 0 }]);
  expect(
    account.rows(
      "SELECT name, surname, document_id, last_update FROM customers WHERE last_update >= ? ORDER BY id",
      later,
    ),
  ).toEqual([
    { name: "Eva", surname: "Sol", document_id: "10000003X", last_update: later },
    { name: "Neu", surname: "Kunde", document_id: null, last_update: later },
  ]);
});

// Proves "security, privacy and operation": An import is not taken back over what others have done since
test("rejects reverting an import whose rows others changed since", async () => {
  account.rows("UPDATE customers SET email = 'eva@example.com' WHERE name = 'Eva'");
  const refused = await undoLastImport(account.db, { migrationsFolder, statementCharacters: 100_000, now: NOW });
  expect(refused.problems).toEqual([{ code: "row_changed", params: { table: "customers", row: expect.any(String) } }]);
  expect(account.rows("SELECT count(*) AS n FROM customers WHERE name = 'Neu'")).toEqual([{ n: 1 }]);
});

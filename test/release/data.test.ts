import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { formatImportProblem } from "#domain/operations/import-problems.ts";
import { exportAccountData } from "#scripts/data/export.ts";
import { importDataFolder } from "#scripts/data/import-folder.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { readImportExportTables } from "#worker/store/operations/file-tables.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { continueAccountExport } from "#worker/usecases/operations/export-account.ts";

const migrationsFolder = resolve("migrations");
const quiet = () => undefined;
// Starts with the hardest formats: decimal commas, day before month.
const WAYS = [
  ["csv", "de"],
  ["csv", "en"],
  ["json", "en"],
] as const;
let company: SqliteD1;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "data-"));
  company = await openCopiedDemo("globex");
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const options = (from: string, changes: object = {}) => ({
  folder: from,
  migrationsFolder,
  isDry: false,
  statementCharacters: 100_000,
  progress: quiet,
  ...changes,
});

/** Reads all exported rows as text. */
async function dump({ db, rows }: SqliteD1): Promise<Record<string, string[]>> {
  const tables = await readImportExportTables(db);
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      rows(`SELECT ${columns.map(({ column }) => column).join(", ")} FROM ${name}`)
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  );
}

describe("a company's data", () => {
  // Proves "security, privacy and operation": CSV in a language's style comes in without loss
  test.each(inject("isThorough") ? WAYS : WAYS.slice(0, 1))(
    "exports a company as %s with the formats of the language %s, and imports it into a new account unchanged",
    async (format, language) => {
      // Values that look like formulas or numbers.
      company.rows(
        "UPDATE customers SET name = ?, surname = ? WHERE id = (SELECT min(id) FROM customers)",
        "'=1,5",
        "1.50",
      );
      const files = join(folder, language === "en" ? format : `${format}-${language}`);
      await exportAccountData(company.db, files, format, quiet, language);
      const fresh = createSqliteD1();
      expect((await importDataFolder(fresh.db, options(files))).bad.slice(0, 3)).toEqual([]);
      expect(await dump(fresh)).toEqual(await dump(company));
      // Data derived by triggers and the ledger is equal too.
      for (const derived of [
        "SELECT kind, code, starts_at, ends_at, sum(quantity) AS q FROM stock_allocations GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
        "SELECT * FROM list_totals ORDER BY 1",
        "SELECT * FROM ledger_products ORDER BY 1, 2, 3, 4",
        "SELECT * FROM ledger_branch_products ORDER BY 1, 2, 3, 4, 5",
      ]) {
        expect(fresh.rows(derived)).toEqual(company.rows(derived));
      }
      expect(await checkOrRepairLedger(fresh.db, false)).toMatchObject({ different: [], wrongSums: 0 });
    },
    120_000,
  );

  test("exports CSV files in the number and date format of a language's spreadsheets", async () => {
    const bookings = await readFile(join(folder, "csv-de", "bookings.csv"), "utf8");
    expect(bookings.startsWith("\uFEFF")).toBe(true);
    expect(bookings).toMatch(/;\d\d\.\d\d\.\d{4};/);
    expect(bookings).toMatch(/;\d+,\d\d;/);
    expect(await readFile(join(folder, "csv-de", "settings.csv"), "utf8")).toMatch(/;ja/);
  });

  // Proves "security, privacy and operation": An account is exported once a week, and the export comes in whole
  test("stores a weekly export as an archive of JSON lines that imports completely", async () => {
    const archive = join(folder, "archive.zip");
    const storedFiles = new Map<string, Uint8Array>();
    const exports = {
      putStream: async (path: string, stream: ReadableStream<Uint8Array>) =>
        void storedFiles.set(path, new Uint8Array(await new Response(stream).arrayBuffer())),
      get: async (path: string) => new Response(storedFiles.get(path)).body ?? undefined,
      delete: async (path: string) => void storedFiles.delete(path),
      list: async () => [...storedFiles.keys()],
    };
    const tenant = { db: openDatabase(company.db, createUsageMeter()), copies: { exports } } as unknown as Tenant;
    const now = Date.parse("2027-01-10T03:00:00Z");
    await company.db.prepare(`UPDATE upkeep SET export_progress = '{"at":${now}}'`).run();
    let rows = 0;
    for (let attempt = 0; rows === 0; attempt++)
      rows = await continueAccountExport(tenant, { now: now + attempt, budget: { calls: 30, bytes: 1_000_000 } });
    expect([...storedFiles.keys()]).toEqual(["2027-01-10.zip"]);
    await writeFile(archive, storedFiles.get("2027-01-10.zip") ?? new Uint8Array());
    // Verify with an independent program, if installed.
    const { error, status } = spawnSync("python3", ["-m", "zipfile", "-t", archive]);
    expect(error ?? status).toBe(error ?? 0);
    const files = await mkdtemp(join(folder, "unpacked-"));
    let lines = 0;
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(archive)))) {
      await writeFile(join(files, name), bytes);
      lines += strFromU8(bytes).split("\n").length - 1;
    }
    expect(lines).toBe(rows);
    const fresh = createSqliteD1();
    expect((await importDataFolder(fresh.db, options(files))).bad.slice(0, 3)).toEqual([]);
    expect(await dump(fresh)).toEqual(await dump(company));
  }, 120_000);

  test("exports amounts, percentages, times and booleans in a readable form, and no tables with secrets", async () => {
    const files = join(folder, "read");
    await exportAccountData(company.db, files, "csv", quiet, "en");
    expect((await readFile(join(files, "categories.csv"), "utf8")).split("\r\n")[0]).toContain(
      "vat_percent,deposit,guarantee",
    );
    expect(await readFile(join(files, "settings.csv"), "utf8")).toMatch(/,yes/);
    expect(await readFile(join(files, "bookings.csv"), "utf8")).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
    const names = await readdir(files);
    for (const secret of ["users.csv", "partner_keys.csv", "payment_gateways.csv", "user_sessions.csv"])
      expect(names).not.toContain(secret);
  });
});

describe("an import", () => {
  const spreadsheet = async (files: Readonly<Record<string, string>>) => {
    const to = await mkdtemp(join(folder, "sheet-"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(to, name), text);
    return to;
  };

  test("reports every invalid line by number and field at once, and writes nothing", async () => {
    const before = await dump(company);
    const files = await spreadsheet({
      "customers.csv":
        "name,surname,customer_type,language,created_at,last_update\nAna,Ruiz,individual,es,2026-01-01,2026-01-01\nEva,Sol,martian,es,2026-01-01,2026-01-01\nIan,Lee,individual,english,2026-01-01,2026-01-01\n",
      "expenses.csv":
        "vehicle_reference,expense_concept_id,date,branch_code,branch_group_id,total_without_taxes,subtotal,taxes,total\nNONE,1,2026-01-05,NOWHERE,1,100.00,100.00,21.00,121.00\n,1,2026-02-30,,1,1.234,100.00,21.00,121.00\n",
      "sales_channels.csv": 'code,colour\n"A,red\n',
      "unknown.csv": "a\n1\n",
    });
    const { bad } = await importDataFolder(company.db, options(files));
    expect(bad.map(({ file, line, field, value }) => `${file}:${line} ${field} ${value ?? ""}`.trim()).sort()).toEqual([
      "customers.csv:3 customer_type martian",
      "customers.csv:4 language english",
      "expenses.csv:2 branch_code NOWHERE",
      "expenses.csv:2 vehicle_reference NONE",
      "expenses.csv:3 date 2026-02-30",
      "expenses.csv:3 total_without_taxes 1.234",
      "sales_channels.csv:2",
      "unknown.csv:1",
    ]);
    expect(bad.every((badLine) => formatImportProblem(badLine) !== "")).toBe(true);
    expect(bad.find(({ field }) => field === "customer_type")).toMatchObject({
      code: "value_unknown",
      remedy: { code: "one_of", params: { values: expect.stringContaining("individual") } },
    });
    expect(await dump(company)).toEqual(before);
  });

  test("adds the rows of a valid spreadsheet, only previews in a dry run, and changes nothing when repeated", async () => {
    const files = await spreadsheet({
      "customers.csv": "name,surname,document_id,created_at,last_update\n'=Ana,Ruiz,X1,2026-01-01,2026-01-01\n",
    });
    const count = () =>
      company.rows<{ n: number }>("SELECT count(*) AS n FROM customers WHERE document_id = 'X1' AND name = '=Ana'")[0]
        ?.n;
    expect((await importDataFolder(company.db, options(files, { isDry: true }))).counts).toEqual(
      new Map([["customers", 1]]),
    );
    expect(count()).toBe(0);
    await importDataFolder(company.db, options(files));
    expect(count()).toBe(1);
    const before = await dump(company);
    const again = await importDataFolder(company.db, options(files));
    expect(again.files).toMatchObject([{ added: 0, changed: 0, unchanged: 1 }]);
    expect(await dump(company)).toEqual(before);
  });

  test("changes nothing if all rows of an import exist already", async () => {
    const files = join(folder, "again");
    await exportAccountData(company.db, files, "csv", quiet);
    const before = await dump(company);
    const again = await importDataFolder(company.db, options(files));
    expect(again.bad).toEqual([]);
    expect(again.files.filter(({ added, changed }) => added + changed > 0)).toEqual([]);
    expect(await dump(company)).toEqual(before);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type FolderOptions, importDataFolder } from "#scripts/data/import-folder.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";

export const migrationsFolder = resolve("migrations");
export const IMPORT_TIME = Date.parse("2026-07-01T08:00:00Z");

export const IMPORTING_COMPANY_STATEMENTS = [
  `INSERT INTO settings (id, account_name, country_code, currency, timezone, languages, default_language)
    VALUES (1, 'Illes', 'ES', 'EUR', 'Europe/Madrid', '["es"]', 'es')`,
  "INSERT INTO branch_groups (id, name, timezone, created_at, last_update) VALUES (1, 'Mallorca', 'Europe/Madrid', 0, 0)",
  `INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update)
    VALUES ('PMI', 1, 'Palma', 'airport', 'Europe/Madrid', 'EUR', 0, 0)`,
  "INSERT INTO categories (code, name, vat_basis_points, created_at, last_update) VALUES ('A', 'Small', 2100, 0, 0)",
  "INSERT INTO seasons (id, name) VALUES (1, 'High')",
  "INSERT INTO season_periods (id, season_id, date_from, date_to) VALUES (1, 1, '2026-06-01', '2026-08-31')",
];

/** Default import options. */
export const IMPORT_OPTIONS = {
  migrationsFolder,
  isDry: false,
  statementCharacters: 100_000,
  progress: () => undefined,
  now: IMPORT_TIME,
};

export type FilesByName = Readonly<Record<string, string | Uint8Array>>;

/** Provides a new small company for each test, with imports in July 2026. */
export function useImportTestCompany() {
  const opened = { folder: "", account: undefined as unknown as SqliteD1 };
  beforeAll(async () => {
    opened.folder = await mkdtemp(join(tmpdir(), "import-"));
  });
  afterAll(() => rm(opened.folder, { recursive: true, force: true }));
  beforeEach(() => {
    opened.account = createSqliteD1();
    for (const sql of IMPORTING_COMPANY_STATEMENTS) opened.account.rows(sql);
  });
  const writeFiles = async (files: FilesByName): Promise<string> => {
    const to = await mkdtemp(join(opened.folder, "files-"));
    for (const [name, content] of Object.entries(files)) await writeFile(join(to, name), content);
    return to;
  };
  const take = async (files: FilesByName, changes: Partial<FolderOptions> = {}) => {
    return importDataFolder(opened.account.db, { ...IMPORT_OPTIONS, folder: await writeFiles(files), ...changes });
  };
  /** Lists problems as `file:line field value`. */
  const problems = async (files: FilesByName, changes: Partial<FolderOptions> = {}) =>
    (await take(files, changes)).bad.map(({ file, line, field, value }) =>
      `${file}:${line} ${field} ${value ?? ""}`.trim(),
    );
  const rows: SqliteD1["rows"] = <T>(...queryArguments: Parameters<SqliteD1["rows"]>) =>
    opened.account.rows<T>(...queryArguments);
  return { opened, put: writeFiles, take, problems, rows };
}

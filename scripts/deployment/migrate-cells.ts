import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { callDirectory, type Directory } from "../accounts/directory.ts";
import type { DeploymentTarget } from "../accounts/target.ts";
import { listMigrationFiles } from "../migrations.ts";
import { PROJECT_ROOT } from "../processes.ts";
import { splitStatements } from "../sql-statements.ts";
import { groupIntoWaves } from "./cell-rollout.ts";

interface MigrationProgress {
  readonly done: readonly number[];
  readonly failed: readonly { readonly slot: number; readonly error: string }[];
  readonly remaining: number;
}

const FOLDER = join(PROJECT_ROOT, "migrations");

/** Cells migrated at the same time. A cell works on six databases at once. */
const CELLS_AT_ONCE = 8;

/**
 * Adds the databases of cells to the directory and migrates them: one database first, then 25 of a cell at a time.
 * Stops at the first failure: migrated databases stay, the others continue unchanged, and the next run resumes. It
 * migrates databases that failed last, so that one of them doesn't hold up the others, and throws if it fails again.
 */
export async function migrateCells(target: DeploymentTarget, onlyCell?: string, folder = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  const { cells } = await callDirectory<Directory>(target, "GET", "");
  const known = cells.map(({ cell }) => cell);
  const names = onlyCell ? [onlyCell] : known.length > 0 ? known : ["01"];
  let hasMigratedEarlier = false;
  let failedCount = 0;
  for (const wave of groupIntoWaves(names, CELLS_AT_ONCE)) {
    const migrateOne = async (cell: string) => {
      await registerCell(target, cell);
      return migrateCell(target, { cell, migrations, hasMigratedEarlier });
    };
    const results = await Promise.allSettled(wave.map(migrateOne));
    for (const result of results) {
      if (result.status === "rejected") throw result.reason;
      hasMigratedEarlier ||= result.value.hasMigratedAny;
      failedCount += result.value.failedCount;
    }
  }
  if (failedCount > 0)
    throw new Error(`All other databases are migrated, ${failedCount} are held. Fix the error, then repeat.`);
}

interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Reads migrations with their statements. */
export function readMigrations(folder = FOLDER): Promise<readonly Migration[]> {
  const read = async (name: string) => ({
    name,
    statements: splitStatements(await readFile(join(folder, name), "utf8")),
  });
  return Promise.all(listMigrationFiles(folder).map(read));
}

interface CellMigration {
  readonly cell: string;
  readonly migrations: readonly Migration[];
  /** Whether a database was migrated already, so that others may follow together. */
  readonly hasMigratedEarlier: boolean;
}

interface MigratedCell {
  /** Whether a database of this cell or of an earlier one was migrated. */
  readonly hasMigratedAny: boolean;
  /** Number of databases that failed while all others were migrated. */
  readonly failedCount: number;
}

async function migrateCell(
  target: DeploymentTarget,
  { cell, migrations, hasMigratedEarlier }: CellMigration,
): Promise<MigratedCell> {
  let hasMigratedAny = hasMigratedEarlier;
  for (;;) {
    const body = { migrations, limit: hasMigratedAny ? 25 : 1 };
    const { done, failed, remaining } = await callDirectory<MigrationProgress>(
      target,
      "POST",
      `/cells/${cell}/migrate`,
      body,
    );
    for (const { slot, error } of failed) console.log(`cell ${cell}, database ${slot}: ${error}`);
    if (hasMigratedAny && failed.length > 0 && failed.length === remaining)
      return { hasMigratedAny, failedCount: failed.length };
    if (failed.length > 0)
      throw new Error(`${done.length} databases were migrated, ${remaining} wait. Fix the error, then repeat.`);
    if (done.length === 0) return { hasMigratedAny, failedCount: 0 };
    hasMigratedAny = true;
    console.log(`cell ${cell}: ${done.length} databases migrated, ${remaining} wait`);
  }
}

async function registerCell(target: DeploymentTarget, cell: string): Promise<void> {
  const { missing } = await callDirectory<{ missing: readonly number[] }>(target, "POST", `/cells/${cell}/register`);
  if (missing.length > 0)
    throw new Error(
      `The directory has databases that cell ${cell} doesn't bind: ${missing.join(", ")}. Bind them again in its ` +
        "configuration and deploy it, or correct the directory.",
    );
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../file-lock.ts";
import { writeAtomically } from "../files.ts";
import {
  describeOlderCode,
  listMigrationFiles,
  listNewerMigrations,
  migrateAccount,
  readAppliedMigrations,
} from "../migrations.ts";
import { createWranglerCommand, PROJECT_ROOT, runOrThrow } from "../processes.ts";
import { getLocalMigrationJournal } from "../state-folder.ts";
import { describeAccountError, getErrorMessage } from "../steps.ts";
import { type ConfiguredAccount, readAccounts } from "../wrangler-toml.ts";
import { type DeploymentTarget, runForEachAccount, withDatabase } from "./target.ts";

/** Migration state of an account. */
interface AccountState {
  readonly account: string;
  readonly state: "done" | "failed";
  /** Latest applied migration. */
  readonly version: string | undefined;
  /** Time Travel bookmark before this run. On Cloudflare only. */
  readonly bookmark: string | undefined;
  readonly error: string | undefined;
  readonly at: string;
}

/** Migrations that an account lacks. */
export interface PendingMigrations {
  readonly account: ConfiguredAccount;
  readonly pending: readonly string[];
  /** Applied migrations without a file, from a newer version or another branch of the code. */
  readonly unknown: readonly string[];
  /** Error if the database couldn't be read. */
  readonly problem: string | undefined;
}

/** Lists the pending migrations of all accounts, in the order of wrangler.toml. */
export async function listPendingMigrations(target: DeploymentTarget): Promise<readonly PendingMigrations[]> {
  const accountResults = await runForEachAccount(readAccounts(target.environment), target, readAppliedMigrations);
  return accountResults.map(({ account, ...one }) => {
    if (!("answer" in one)) return { account, pending: [], unknown: [], problem: describeAccountError(one.error) };
    const files = listMigrationFiles(account.migrationsFolder);
    const pending = files.filter((file) => !one.answer.has(file));
    const unknown = listNewerMigrations(one.answer, account.migrationsFolder);
    return { account, pending, unknown, problem: undefined };
  });
}

/** Default number of accounts migrated between two health checks. */
export const DEFAULT_WAVE_SIZE = 10;

interface Rollout {
  /** Account to migrate first, alone. Defaults to the first account with pending migrations. */
  readonly canary: string | undefined;
  /** Number of accounts per wave after the canary. */
  readonly waveSize?: number;
  /** File that stores the state of each account. */
  readonly journal?: string;
}

/** Returns the journal path of a target. */
export function getMigrationJournalPath({ isRemote, environment, stateDir }: DeploymentTarget): string {
  if (!isRemote) return getLocalMigrationJournal(stateDir, environment);
  return join(PROJECT_ROOT, ".wrangler", `migrations-${environment ?? "default"}-remote.json`);
}

/** Orders the accounts. Those that failed last time come last, so that they don't block others. */
export function orderFailedAccountsLast<T extends { readonly account: { readonly name: string } }>(
  pending: readonly T[],
  states: ReadonlyMap<string, Pick<AccountState, "state">>,
): readonly T[] {
  const hasFailed = ({ account }: T) => states.get(account.name)?.state === "failed";
  return [...pending.filter((item) => !hasFailed(item)), ...pending.filter(hasFailed)];
}

/** Orders the rollout: the canary alone, then waves. */
export function toRolloutWaves<T extends { readonly account: { readonly name: string } }>(
  pending: readonly T[],
  canary: string | undefined,
  waveSize: number,
): readonly (readonly T[])[] {
  const first = pending.find(({ account }) => account.name === canary) ?? pending[0];
  if (!first) return [];
  const rest = pending.filter((item) => item !== first);
  const waves = [[first]];
  for (let start = 0; start < rest.length; start += waveSize) waves.push(rest.slice(start, start + waveSize));
  return waves;
}

/**
 * Applies pending migrations, first to the canary, then in waves. Stops at the first failure: earlier accounts are
 * done, later ones continue unchanged, and the next run resumes with the failed one last. Accounts with an unreadable
 * database are skipped and listed. Returns whether all are done. A second run on this machine is rejected, because it
 * would overwrite the journal.
 */
export async function rollOutMigrations(
  target: DeploymentTarget,
  { canary, waveSize = DEFAULT_WAVE_SIZE, journal = getMigrationJournalPath(target) }: Rollout,
): Promise<boolean> {
  if (canary !== undefined && !readAccounts(target.environment).some(({ name }) => name === canary))
    throw new Error(`--canary: wrangler.toml binds no account "${canary}".`);
  return withFileLock(journal, "These accounts are migrated", () =>
    rollOutLocked(target, { canary, waveSize, journal }),
  );
}

async function rollOutLocked(target: DeploymentTarget, how: Required<Rollout>): Promise<boolean> {
  const { canary } = how;
  const all = await listPendingMigrations(target);
  const skippedAccounts = all.filter(({ problem }) => problem !== undefined);
  const unable = skippedAccounts.find(({ account }) => account.name === canary);
  if (unable) throw new Error(`--canary: ${canary} ${unable.problem}`);
  for (const { account, unknown } of all)
    if (unknown.length > 0) console.log(`${account.name}: ${describeOlderCode(unknown)}`);
  if (all.every(({ pending: waiting, problem }) => waiting.length === 0 && problem === undefined))
    console.log("Nothing to do: no account waits for a migration.");
  const areAllMigrated = await migrateInWaves(all, target, how);
  for (const { account, problem } of skippedAccounts) console.log(`${account.name} is left out: it ${problem}`);
  return areAllMigrated && skippedAccounts.length === 0;
}

async function migrateInWaves(
  all: readonly PendingMigrations[],
  target: DeploymentTarget,
  { canary, waveSize, journal }: Required<Rollout>,
): Promise<boolean> {
  const states = await readMigrationJournal(journal);
  const pending = orderFailedAccountsLast(
    all.filter(({ pending: waiting }) => waiting.length > 0),
    states,
  );
  let migratedCount = 0;
  for (const [index, wave] of toRolloutWaves(pending, canary, waveSize).entries()) {
    console.log(`${index === 0 ? "canary" : `wave ${index}`}: ${wave.map(({ account }) => account.name).join(", ")}`);
    for (const item of wave) {
      const state = await migrateOne(item, target);
      const { account, error } = state;
      states.set(account, state);
      // Print before saving, because a full disk may be the cause and also prevent saving the journal.
      if (state.state === "failed") {
        const after = `${pending.length - migratedCount - 1} after it serve on as they were`;
        console.log(`${account} failed; ${migratedCount} of ${pending.length} are done, ${after}.\n${error}`);
      } else {
        migratedCount += 1;
        console.log(`${account}: ${item.pending.length} applied (${migratedCount} of ${pending.length})`);
      }
      await writeAtomically(journal, `${JSON.stringify([...states.values()], null, 2)}\n`);
      if (state.state === "failed") return false;
    }
  }
  return true;
}

async function migrateOne(
  { account, pending: waiting }: PendingMigrations,
  target: DeploymentTarget,
): Promise<AccountState> {
  const common = { account: account.name, at: new Date().toISOString() };
  const bookmark = target.isRemote ? await readBookmark(account.databaseName, target) : undefined;
  try {
    await migrateAccount(account, target);
    await withDatabase(account, target, (db) => isServing(db, waiting));
    return { ...common, state: "done", version: waiting.at(-1), bookmark, error: undefined };
  } catch (error) {
    const applied = await withDatabase(account, target, readAppliedMigrations).catch(() => new Set<string>());
    return { ...common, state: "failed", version: [...applied].sort().at(-1), bookmark, error: getErrorMessage(error) };
  }
}

// Verifies that the canary has all migrations and valid foreign keys, because wrangler's success alone isn't a proof.
async function isServing(db: D1Database, pendingMigrations: readonly string[]): Promise<void> {
  const applied = await readAppliedMigrations(db);
  const missing = pendingMigrations.find((file) => !applied.has(file));
  if (missing) throw new Error(`${missing} was not applied.`);
  const broken = await db.prepare("PRAGMA foreign_key_check").all();
  if (broken.results.length > 0) throw new Error(`${broken.results.length} rows name rows that are not there.`);
}

async function readBookmark(databaseName: string, { environment }: DeploymentTarget): Promise<string | undefined> {
  const env = environment === undefined ? [] : ["--env", environment];
  const output = await runOrThrow(
    ...createWranglerCommand("d1", "time-travel", "info", databaseName, "--json", ...env),
  );
  return /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
}

/** Reads the states of earlier runs by account. Empty if there was none. */
export async function readMigrationJournal(file: string): Promise<Map<string, AccountState>> {
  const text = await readFile(file, "utf8").catch(() => "[]");
  return new Map((JSON.parse(text) as AccountState[]).map((state) => [state.account, state]));
}

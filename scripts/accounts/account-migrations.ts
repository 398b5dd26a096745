import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Account, readAccounts } from "../local-runtime.ts";
import { appliedMigrations, migrateAccount, migrationFiles } from "../migrations.ts";
import { projectRoot, runOrThrow, wrangler } from "../processes.ts";
import { type Target, withDatabase } from "./target.ts";

/** What is known of one account's migrations. */
export interface AccountState {
  readonly account: string;
  readonly state: "done" | "failed";
  /** The newest migration that is applied. */
  readonly version: string | undefined;
  /** Where Time Travel goes back to before this run; at Cloudflare only. */
  readonly bookmark: string | undefined;
  readonly error: string | undefined;
  readonly at: string;
}

export interface Pending {
  readonly account: Account;
  readonly waiting: readonly string[];
  /** What was applied and is none of the account's files: of another branch of the code. */
  readonly unknown: readonly string[];
}

/** How each account's migrations stand, in the order of wrangler.toml. */
export async function listPending(target: Target): Promise<readonly Pending[]> {
  const pending: Pending[] = [];
  for (const account of readAccounts(target.environment)) {
    const applied = await withDatabase(account, target, appliedMigrations);
    const files = migrationFiles(account.migrationsFolder);
    const known = new Set(files);
    pending.push({
      account,
      waiting: files.filter((file) => !applied.has(file)),
      unknown: [...applied].filter((file) => !known.has(file)),
    });
  }
  return pending;
}

/** How many accounts are migrated between two looks, where nothing else is said. */
export const WAVE = 10;

export interface Rollout {
  /** Whose turn is first, alone: the first account that has anything waiting, where none is named. */
  readonly canary: string | undefined;
  /** How many at a time after it. */
  readonly waveSize: number;
  /** Where the state of each account is kept. */
  readonly journal: string;
  readonly log: (line: string) => void;
}

/** Where the states of a target's migrations are kept. */
export function journalOf({ isRemote, environment, stateDir }: Target): string {
  const name = `migrations-${environment ?? "default"}-${isRemote ? "remote" : "local"}.json`;
  return isRemote ? join(projectRoot, ".wrangler", name) : join(stateDir, "..", name);
}

/** Migrates every account of a target as `rollOut` does, with its usual journal and waves; throws where one fails. */
export async function migrateAll(target: Target, { canary, log }: Pick<Rollout, "canary" | "log">): Promise<void> {
  if (!(await rollOut(target, { canary, waveSize: WAVE, journal: journalOf(target), log })))
    throw new Error("Not every account is migrated. npm run migrate shows which; the next run goes on from there.");
}

/** The order of a rollout: the canary alone, then waves. */
export function wavesOf<T extends { readonly account: { readonly name: string } }>(
  pending: readonly T[],
  canary: string | undefined,
  waveSize: number,
): readonly (readonly T[])[] {
  const first = pending.find(({ account }) => account.name === canary) ?? pending[0];
  if (!first) return [];
  const rest = pending.filter((one) => one !== first);
  return [
    [first],
    ...Array.from({ length: Math.ceil(rest.length / waveSize) }, (_, index) =>
      rest.slice(index * waveSize, (index + 1) * waveSize),
    ),
  ];
}

/**
 * Applies what waits, the canary first, then wave by wave. Stops at the first account that fails: those before it are
 * done, those after it serve on as they were, and the next run goes on from there. Answers whether all are done.
 */
export async function rollOut(target: Target, { canary, waveSize, journal, log }: Rollout): Promise<boolean> {
  await mkdir(dirname(journal), { recursive: true });
  const pending = (await listPending(target)).filter(({ waiting }) => waiting.length > 0);
  const states = new Map((await readJournal(journal)).map((state) => [state.account, state]));
  let done = 0;
  for (const [index, wave] of wavesOf(pending, canary, waveSize).entries()) {
    log(
      index === 0
        ? `canary: ${wave[0]?.account.name}`
        : `wave ${index}: ${wave.map(({ account }) => account.name).join(", ")}`,
    );
    for (const one of wave) {
      const state = await migrateOne(one, target);
      states.set(state.account, state);
      await writeJournal(journal, [...states.values()]);
      if (state.state === "failed") {
        log(
          `${state.account} failed; ${done} of ${pending.length} are done, ${pending.length - done - 1} after it serve on as they were.\n${state.error}`,
        );
        return false;
      }
      done += 1;
      log(`${state.account}: ${one.waiting.length} applied (${done} of ${pending.length})`);
    }
  }
  return true;
}

async function migrateOne({ account, waiting }: Pending, target: Target): Promise<AccountState> {
  const common = { account: account.name, at: new Date().toISOString() };
  const bookmark = target.isRemote ? await bookmarkOf(account.databaseName, target) : undefined;
  try {
    await migrateAccount(account, target);
    await withDatabase(account, target, (db) => isServing(db, waiting));
    return { ...common, state: "done", version: waiting.at(-1), bookmark, error: undefined };
  } catch (error) {
    const version = await withDatabase(account, target, appliedMigrations)
      .then((applied) => [...applied].sort().at(-1))
      .catch(() => undefined);
    return {
      ...common,
      state: "failed",
      version,
      bookmark,
      error: error instanceof Error ? error.message : String(error),
    };
  }
}

// wrangler's word is not enough for a canary: the migrations are there, and the database is whole.
async function isServing(db: D1Database, waiting: readonly string[]): Promise<void> {
  const applied = await appliedMigrations(db);
  const missing = waiting.find((file) => !applied.has(file));
  if (missing) throw new Error(`${missing} was not applied.`);
  const broken = await db.prepare("PRAGMA foreign_key_check").all();
  if (broken.results.length > 0) throw new Error(`${broken.results.length} rows name rows that are not there.`);
}

async function bookmarkOf(databaseName: string, { environment }: Target): Promise<string | undefined> {
  const env = environment === undefined ? [] : ["--env", environment];
  const output = await runOrThrow(...wrangler("d1", "time-travel", "info", databaseName, "--json", ...env));
  return /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
}

/** The states that earlier runs left; none where there was no run. */
export async function readJournal(file: string): Promise<readonly AccountState[]> {
  const text = await readFile(file, "utf8").catch(() => "[]");
  return JSON.parse(text) as AccountState[];
}

async function writeJournal(file: string, states: readonly AccountState[]): Promise<void> {
  await writeFile(`${file}.unfinished`, `${JSON.stringify(states, null, 2)}\n`, { flush: true });
  await rename(`${file}.unfinished`, file);
}

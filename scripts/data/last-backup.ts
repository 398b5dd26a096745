import { join } from "node:path";
import type { Target } from "../accounts/target.ts";
import { projectRoot } from "../processes.ts";
import { backupFolder } from "../state-folder.ts";

/** Nights that are looked at where no day is named: before this night's backup, yesterday's is the last. */
const NIGHTS = 3;
const DAY_MILLISECONDS = 86_400_000;

/** The days (UTC, yyyy-mm-dd) whose backup may be meant, the one named or the last ones, the newest first. */
export function listBackupDays(date: string | undefined, now: number): readonly string[] {
  if (date === undefined)
    return Array.from({ length: NIGHTS }, (_, night) => formatDay(now - night * DAY_MILLISECONDS));
  const moment = Date.parse(date);
  if (Number.isNaN(moment) || formatDay(moment) !== date) {
    throw new Error(`--date must be a day as 2026-11-20, not "${date}".`);
  }
  return [date];
}

/**
 * The file of the first of these days whose backup `fetch` gets; undefined where none has one. What `fetch` says is
 * thrown as it is, unless it says that there is none: that nobody is signed in, or that the network is gone, is no
 * missing backup.
 */
export async function findBackup(days: readonly string[], fetch: (day: string) => Promise<string>) {
  for (const day of days) {
    try {
      return await fetch(day);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("key does not exist"))) throw error;
    }
  }
  return undefined;
}

/**
 * Where `npm run backup` keeps a copy of an account's rows of a day, as the bucket of copies does. What is copied from
 * Cloudflare is of an environment, whose accounts are not those of this machine, and outlives `npm run reset`.
 */
export function getLocalBackupPath(target: Target, account: string, day: string): string {
  const { isRemote, environment = "default", stateDir } = target;
  return join(isRemote ? join(projectRoot, "backups", environment) : backupFolder(stateDir), account, day);
}

function formatDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

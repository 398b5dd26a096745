import { join } from "node:path";
import type { DeploymentTarget } from "../accounts/target.ts";
import { PROJECT_ROOT } from "../processes.ts";
import { getBackupFolder } from "../state-folder.ts";

/** Nights checked if no day is specified. Before tonight's backup, yesterday's is the latest. */
const NIGHTS = 3;
const DAY_MILLISECONDS = 86_400_000;

/** Lists the candidate days of a backup (UTC, yyyy-mm-dd): the specified one, or the last ones, newest first. */
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
 * Returns the backup file of the first day that `fetch` finds, or undefined. Errors other than a missing backup, such
 * as a missing sign-in or network, are rethrown.
 */
export async function findLastBackup(days: readonly string[], fetch: (day: string) => Promise<string>) {
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
 * Returns the local path of an account's backup of a day, structured like the backup bucket. Backups from Cloudflare
 * belong to an environment, whose accounts differ from local ones, and survive `npm run reset`.
 */
export function getLocalBackupPath(target: DeploymentTarget, account: string, day: string): string {
  const { isRemote, environment = "default", stateDir } = target;
  return join(isRemote ? join(PROJECT_ROOT, "backups", environment) : getBackupFolder(stateDir), account, day);
}

function formatDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

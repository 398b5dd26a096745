import { findAccountAlerts } from "#domain/operations/alerts.ts";
import { saveCronRun } from "#worker/directory/cron-runs.ts";
import { getCellName, getDirectory } from "#worker/tenancy/deployment.ts";
import type { HealthByAccount } from "./send-alerts.ts";

/** Stores in the directory when the cron job processed each account, and the account's problems, for the operator. */
export async function recordCronRun(env: Cloudflare.Env, health: HealthByAccount, startedAt: number): Promise<number> {
  const directory = getDirectory(env);
  if (!directory) return 0;
  const accounts = [...health].map(([name, state]) => ({
    name,
    backupAt: state?.backedUpAt ?? null,
    sizeBytes: state?.sizeBytes ?? null,
    error:
      findAccountAlerts(name, state, startedAt)
        .map(({ kind }) => kind)
        .join(", ") || null,
  }));
  await saveCronRun(directory, {
    cell: getCellName(env),
    at: startedAt,
    milliseconds: Date.now() - startedAt,
    accounts,
  });
  return 0;
}

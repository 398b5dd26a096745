import type { DueJobs, NightlyPeriodStarts } from "#worker/store/operations/due-jobs.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { resendMails } from "#worker/usecases/mails/send-mails.ts";
import { reportRentalsToMinistry } from "#worker/usecases/ministry-reports/report-rentals.ts";
import { sendDueHoldActionsToGateways } from "#worker/usecases/payments/send-hold-actions.ts";
import { sendDueGatewayRefunds } from "#worker/usecases/payments/send-refunds.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { runWithJobLog } from "#worker/usecases/shared/job-log.ts";
import { sendTaxRecords } from "#worker/usecases/tax-records/send-records.ts";
import { sendWebhooks } from "#worker/usecases/webhooks/send-webhooks.ts";
import { continueBackup } from "./back-up.ts";
import { copyFilesToBackup } from "./copy-files.ts";
import { continueAccountExport } from "./export-account.ts";
import { verifyLatestBackupIfDue } from "./verify-backup.ts";
import type { BackupBudget } from "./write-backup.ts";

/** Long work of a company. `notify` calls authorities, gateways and partners. */
export type JobKind = "back_up" | "export" | "verify_backup" | "copy_photos" | "resend_mails" | "notify";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Backups start between 01:00 and 05:00 UTC, in a minute derived from the account, and are retried until done. */
const NIGHT_BEGINS = 60 * MINUTE;
const NIGHT_TURNS = 240;
/** Each account's last backup is verified once per period. */
const DRILLED_EACH = 28 * DAY;

/**
 * Budget of backups and exports in one invocation. The invocation has a total of a thousand round trips and 30 seconds
 * of CPU time. Unfinished work continues at the next run.
 */
export const BACKUP_RUN_BUDGET: BackupBudget = { calls: 600, bytes: 150_000_000 };

/** Time, gateway access and budget of a run of the jobs. */
export interface JobOptions {
  readonly now: number;
  readonly sendToGateway: SendToGateway;
  /** Budget of a backup or export, which they use up. */
  readonly budget: BackupBudget;
}

/** Lists the long work that is due. Each account does one kind of backup, export and verification at a time. */
export function listDueJobs(due: DueJobs): readonly JobKind[] {
  const isExternalDue = due.taxRecords || due.ministryReports || due.refunds || due.webhooks;
  return [
    ...(due.backup ? (["back_up"] as const) : []),
    ...(due.export && !due.backup ? (["export"] as const) : []),
    ...(due.backupCheck && !due.backup && !due.export ? (["verify_backup"] as const) : []),
    ...(due.fileCopies ? (["copy_photos"] as const) : []),
    ...(due.mails ? (["resend_mails"] as const) : []),
    ...(isExternalDue ? (["notify"] as const) : []),
  ];
}

/** Does the work of a kind. Returns its amount. Work that was done in the meantime isn't repeated. */
export function runJob(tenant: Tenant, kind: JobKind, due: DueJobs, options: JobOptions): Promise<number> {
  const { now, budget } = options;
  const { backupSince, backupCheckSince } = getNightlySchedule(tenant.name, now);
  switch (kind) {
    case "back_up":
      return continueBackup(tenant, { since: backupSince, now, budget });
    case "export":
      return continueAccountExport(tenant, { now, budget });
    case "verify_backup":
      return verifyLatestBackupIfDue(tenant, { since: backupCheckSince, now });
    case "copy_photos":
      return copyFilesToBackup(tenant);
    case "resend_mails":
      return resendMails(tenant, now);
    case "notify":
      return notifyExternalSystems(tenant, due, options);
  }
}

// Calls each system, even if another one doesn't answer. Throws afterwards if any call failed.
async function notifyExternalSystems(
  tenant: Tenant,
  due: DueJobs,
  { now, sendToGateway }: JobOptions,
): Promise<number> {
  const results = await Promise.allSettled([
    due.taxRecords && runWithJobLog(tenant, "send_tax_records", () => sendTaxRecords(tenant, now)),
    due.ministryReports && runWithJobLog(tenant, "report_rentals", () => reportRentalsToMinistry(tenant, now)),
    due.refunds && runWithJobLog(tenant, "send_refunds", () => sendDueGatewayRefunds(tenant, { now, sendToGateway })),
    due.refunds &&
      runWithJobLog(tenant, "send_hold_actions", () => sendDueHoldActionsToGateways(tenant, { now, sendToGateway })),
    due.webhooks && runWithJobLog(tenant, "send_webhooks", () => sendWebhooks(tenant, now)),
  ]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return 0;
}

/** Returns the last time at which the account's nightly backup was due, and the start of other periods. */
export function getNightlySchedule(name: string, now: number): NightlyPeriodStarts {
  const begins = NIGHT_BEGINS + getShardIndex(name, NIGHT_TURNS) * MINUTE;
  return {
    backupSince: Math.floor((now - begins) / DAY) * DAY + begins,
    purgeSince: now - DAY,
    backupCheckSince: now - DRILLED_EACH,
  };
}

/**
 * Assigns an account to one of several shards. Depends on the name only, so that adding or removing accounts doesn't
 * change other accounts' shards (FNV-1a).
 */
export function getShardIndex(name: string, shardCount: number): number {
  let hash = 2_166_136_261;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
  return hash % shardCount;
}

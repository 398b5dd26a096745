import type { AccountHealth } from "#domain/operations/alerts.ts";
import { type DueJobs, findDueJobs } from "#worker/store/operations/due-jobs.ts";
import { type CellAccounts, openCellAccounts } from "#worker/tenancy/accounts.ts";
import { yieldToRuntime } from "#worker/tenancy/deployment.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { applyDueHeldOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { invoiceCompletedRentalMonths } from "#worker/usecases/documents/invoice-months.ts";
import { ERASURE_BATCH_SIZE, reapplyErasuresAfterRestore } from "#worker/usecases/privacy/erase-person.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { ConcurrencyLimiter } from "#worker/usecases/shared/concurrency-limiter.ts";
import { runWithJobLogIgnoringErrors } from "#worker/usecases/shared/job-log.ts";
import { auditTaxRecordsNightly } from "#worker/usecases/tax-records/audit-records.ts";
import { auditContractBalances } from "./audit-money.ts";
import { type AttachInvoice, enqueueDueBookingMails } from "./booking-mails.ts";
import { openJobDispatch } from "./job-queue.ts";
import {
  BACKUP_RUN_BUDGET,
  getNightlySchedule,
  getShardIndex,
  type JobKind,
  type JobOptions,
  listDueJobs,
  runJob,
} from "./jobs.ts";
import { purgeExpiredDataIfDue } from "./purge-expired-data.ts";
import { recordCronRun } from "./record-cron-run.ts";
import { canOpenSecret, reencryptSecrets } from "./reencrypt-secrets.ts";
import { notifyOperatorAboutAlerts } from "./send-alerts.ts";

/** Cron expression of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";

/** Sends a request to a gateway's server. A simulator answers in development. */
const postToGateway: SendToGateway = (url, init) => fetch(url, init);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Each account is processed once in this many minutes. */
const DUE_TURNS = 5;
/** Backups per invocation. They take long, and other accounts also need their turn. */
const BACKUPS_PER_RUN = 10;
/** Verifications per invocation, while no backup is running. */
const BACKUP_CHECKS_PER_RUN = 3;
/** Maximum time of one company's backup, export or verification. Then the next company's begins. */
const COPY_LIMIT_MS = 2 * MINUTE;

/** Subset of the accounts, selected by a hash of their names. */
export interface ScheduleShard {
  readonly index: number;
  readonly count: number;
}

/**
 * Slots for the work of one invocation, by the service that it waits for. A slow service or company then only delays
 * work of its kind.
 */
interface Lanes {
  readonly database: ConcurrencyLimiter;
  readonly mails: ConcurrencyLimiter;
  readonly external: ConcurrencyLimiter;
}

// A Worker has six connections at once.
const newLanes = (milliseconds: number): Lanes => ({
  database: new ConcurrencyLimiter(6, milliseconds),
  mails: new ConcurrencyLimiter(2, milliseconds),
  external: new ConcurrencyLimiter(3, milliseconds),
});

/** Maximum time of one company. Then others use its slot while its work continues. */
const ACCOUNT_LIMIT_MS = 10_000;
/** Maximum additional time for work that exceeded its limit. An invocation has 15 minutes. */
const LATE_LIMIT_MS = 5 * MINUTE;

interface CronOptions {
  readonly attachInvoice?: AttachInvoice | undefined;
  /** Checks the electronic invoices of issued documents. */
  readonly checkEInvoices?: ((tenant: Tenant, now: number) => Promise<number>) | undefined;
  readonly sendToGateway?: SendToGateway;
  readonly accountLimitMs?: number;
  readonly lateLimitMs?: number;
}

/**
 * Runs the work of one minute. An invocation is limited to a thousand database calls, so each minute processes a fifth
 * of the accounts, several at once. The starting account rotates.
 */
export async function runCronTick(
  env: Cloudflare.Env,
  scheduledAt: number,
  {
    sendToGateway = postToGateway,
    accountLimitMs = ACCOUNT_LIMIT_MS,
    lateLimitMs = LATE_LIMIT_MS,
    ...printing
  }: CronOptions = {},
): Promise<void> {
  const minute = Math.floor(scheduledAt / MINUTE);
  const copying: Copying = { nightly: [], exports: [], backupChecks: [] };
  const accountHealth = new Map<string, AccountHealth | undefined>();
  const lanes = newLanes(accountLimitMs);
  const notifications: Promise<void>[] = [];
  const dispatch = await openJobDispatch(env, scheduledAt);
  const shard = await openShardAccounts(env, scheduledAt, { index: minute % DUE_TURNS, count: DUE_TURNS });
  const work = async (tenant: Tenant) => {
    await yieldToRuntime(env);
    const due = await doDueWork(tenant, scheduledAt, printing);
    if (!due) return void accountHealth.set(tenant.name, undefined);
    const jobs = listDueJobs(due);
    const failedJobs = dispatch?.countFailed(tenant.name, jobs) ?? 0;
    accountHealth.set(tenant.name, { ...(await getAccountHealth(tenant, due)), failedJobs });
    if (dispatch) await dispatch.send(tenant.name, jobs);
    else notifications.push(notify(tenant, due, { now: scheduledAt, sendToGateway, lanes }));
    if (!dispatch && due.fileCopies)
      await runLoggedJob(tenant, "copy_photos", due, { now: scheduledAt, sendToGateway });
    await doUpkeep(tenant, due, scheduledAt);
    if (!dispatch) copyLater(copying, tenant, due);
  };
  for (const { name } of shard.unavailable) accountHealth.set(name, undefined);
  const rotated = rotate(shard.tenants, Math.floor(minute / DUE_TURNS));
  await Promise.all(rotated.map((tenant) => inSlot(lanes.database, tenant, "run_minute", () => work(tenant))));
  await runWithJobLogIgnoringErrors({ name: "-" }, "send_alerts", () =>
    notifyOperatorAboutAlerts(env, {
      healthByAccount: accountHealth,
      names: shard.names,
      checksRequests: minute % DUE_TURNS === 0,
      now: scheduledAt,
    }),
  );
  await runWithJobLogIgnoringErrors({ name: "-" }, "record_cron_run", () =>
    recordCronRun(env, accountHealth, scheduledAt),
  );
  await copyAndCheck(copying, { now: scheduledAt, sendToGateway });
  await settle(notifications, lanes, lateLimitMs);
}

// Waits for everything that was started. Work that exceeded its time may have started more.
async function settle(notifications: readonly Promise<void>[], lanes: Lanes, limitMs: number): Promise<void> {
  await lanes.database.settle(limitMs);
  await Promise.all(notifications);
  await Promise.all([lanes.mails.settle(limitMs), lanes.external.settle(limitMs)]);
}

// Logs a job that took too long or failed, so that its error doesn't stop other jobs.
async function inSlot(
  slots: ConcurrencyLimiter,
  { name }: Tenant,
  operation: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const defect = await slots.run(work).then(
    (ended) => (ended === "late" ? "late" : undefined),
    (error: unknown) => (error instanceof Error ? error.name : "unknown"),
  );
  if (defect) console.log(JSON.stringify({ level: "error", account: name, operation, defect }));
}

async function doUpkeep(tenant: Tenant, due: DueJobs, scheduledAt: number): Promise<void> {
  if (!due.expiredDataPurge) return;
  // Nightly work continues only once no erased person from a restored backup remains.
  const erased = await runWithJobLogIgnoringErrors(tenant, "reapply_erasures", () =>
    reapplyErasuresAfterRestore(tenant, scheduledAt),
  );
  if (erased >= ERASURE_BATCH_SIZE) return;
  await runWithJobLogIgnoringErrors(tenant, "purge_expired_data", () =>
    purgeExpiredDataIfDue(tenant, scheduledAt - DAY, scheduledAt),
  );
  await runWithJobLogIgnoringErrors(tenant, "audit_money", () => auditContractBalances(tenant));
  await runWithJobLogIgnoringErrors(tenant, "audit_tax_records", () => auditTaxRecordsNightly(tenant));
}

async function getAccountHealth(
  tenant: Tenant,
  { maintenance: { sealed, ...maintenance } }: DueJobs,
): Promise<AccountHealth> {
  return { ...maintenance, canDecryptSecrets: await canOpenSecret(tenant, sealed) };
}

type InlineOptions = Omit<JobOptions, "budget">;

function runLoggedJob(
  tenant: Tenant,
  kind: JobKind,
  due: DueJobs,
  options: InlineOptions,
  budget = { ...BACKUP_RUN_BUDGET },
): Promise<number> {
  return runWithJobLogIgnoringErrors(tenant, kind, () => runJob(tenant, kind, due, { ...options, budget }));
}

/** Due copying of an account. */
interface DueCopy {
  readonly tenant: Tenant;
  readonly due: DueJobs;
}

/** Accounts with pending backups, exports or verifications, in a deployment without a queue. */
interface Copying {
  readonly nightly: DueCopy[];
  readonly exports: DueCopy[];
  readonly backupChecks: DueCopy[];
}

function copyLater({ nightly, exports, backupChecks }: Copying, tenant: Tenant, due: DueJobs): void {
  const jobs = listDueJobs(due);
  if (jobs.includes("back_up")) nightly.push({ tenant, due });
  else if (jobs.includes("export")) exports.push({ tenant, due });
  else if (jobs.includes("verify_backup")) backupChecks.push({ tenant, due });
}

// Runs after the work that customers wait for. The starting account rotates. One backup at a time, because each needs
// memory. One that takes too long gives way to the next. All share one budget.
async function copyAndCheck({ nightly, exports, backupChecks }: Copying, options: InlineOptions): Promise<void> {
  const budget = { ...BACKUP_RUN_BUDGET };
  const isSpent = () => budget.calls <= 0 || budget.bytes <= 0;
  const minute = Math.floor(options.now / MINUTE);
  const slot = new ConcurrencyLimiter(1, COPY_LIMIT_MS);
  const backedUp: DueCopy[] = [];
  for (const copy of rotate(nightly, minute).slice(0, BACKUPS_PER_RUN)) {
    if (isSpent()) break;
    await inSlot(slot, copy.tenant, "back_up", async () => {
      if ((await runLoggedJob(copy.tenant, "back_up", copy.due, options, budget)) > 0) backedUp.push(copy);
    });
  }
  // A backup may have requested an export.
  for (const { tenant, due } of [...backedUp, ...rotate(exports, minute)]) {
    if (isSpent()) break;
    await inSlot(slot, tenant, "export", () => runLoggedJob(tenant, "export", due, options, budget));
  }
  if (nightly.length + exports.length === 0)
    for (const { tenant, due } of rotate(backupChecks, minute).slice(0, BACKUP_CHECKS_PER_RUN))
      await inSlot(slot, tenant, "verify_backup", () => runLoggedJob(tenant, "verify_backup", due, options));
  await slot.settle(LATE_LIMIT_MS);
}

function rotate<T>(items: readonly T[], turn: number): readonly T[] {
  const first = turn % Math.max(1, items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Runs the due work of each account: expires unpaid holds, retries mails, and applies held collections. */
export async function runScheduledJobs(
  env: Cloudflare.Env,
  now: number,
  {
    sendToGateway = postToGateway,
    accountLimitMs = ACCOUNT_LIMIT_MS,
    lateLimitMs = LATE_LIMIT_MS,
    ...printing
  }: CronOptions = {},
): Promise<void> {
  const lanes = newLanes(accountLimitMs);
  const notifications: Promise<void>[] = [];
  const work = async (tenant: Tenant) => {
    await yieldToRuntime(env);
    const due = await doDueWork(tenant, now, printing);
    if (due) notifications.push(notify(tenant, due, { now, sendToGateway, lanes }));
  };
  const all = await openShardAccounts(env, now, undefined);
  await Promise.all(all.tenants.map((tenant) => inSlot(lanes.database, tenant, "run_jobs", () => work(tenant))));
  await settle(notifications, lanes, lateLimitMs);
}

// The mail service, authorities, gateways and partners can take half a minute to time out. They have their own slots,
// so that they don't delay the database work of other accounts.
async function notify(
  tenant: Tenant,
  due: DueJobs,
  { now, sendToGateway, lanes }: { readonly now: number; readonly sendToGateway: SendToGateway; readonly lanes: Lanes },
): Promise<void> {
  const { mails, external } = lanes;
  const jobs = listDueJobs(due);
  const run = (kind: JobKind) => () => runJob(tenant, kind, due, { now, sendToGateway, budget: BACKUP_RUN_BUDGET });
  await Promise.all([
    jobs.includes("resend_mails") &&
      inSlot(mails, tenant, "resend_mails", () =>
        runWithJobLogIgnoringErrors(tenant, "resend_mails", run("resend_mails")),
      ),
    // This job logs its own errors.
    jobs.includes("notify") && inSlot(external, tenant, "notify", () => run("notify")().catch(() => 0)),
  ]);
}

// Returns the remaining due work, if the database answered.
async function doDueWork(
  tenant: Tenant,
  now: number,
  { attachInvoice, checkEInvoices }: Pick<CronOptions, "attachInvoice" | "checkEInvoices">,
): Promise<DueJobs | undefined> {
  let dueWork: DueJobs | undefined;
  await runWithJobLogIgnoringErrors(tenant, "run_scheduled_jobs", async () => {
    const due = await findDueJobs(tenant.db, now, getNightlySchedule(tenant.name, now));
    if (due.holds) await runWithJobLogIgnoringErrors(tenant, "expire_holds", () => expireUnpaidStockHolds(tenant, now));
    if (due.monthlyInvoices)
      await runWithJobLogIgnoringErrors(tenant, "invoice_months", () => invoiceCompletedRentalMonths(tenant, now));
    const writeMails = () => enqueueDueBookingMails(tenant, now, attachInvoice);
    const mailCount = due.pendingNotifications
      ? await runWithJobLogIgnoringErrors(tenant, "write_mails", writeMails)
      : 0;
    dueWork = { ...due, mails: due.mails || mailCount > 0 };
    if (due.eInvoiceChecks && checkEInvoices)
      await runWithJobLogIgnoringErrors(tenant, "check_einvoices", () => checkEInvoices(tenant, now));
    if (due.heldOperations)
      await runWithJobLogIgnoringErrors(tenant, "apply_held_operations", () => applyDueHeldOperations(tenant, now));
    return 0;
  });
  if (tenant.secondMasterKey !== undefined) {
    await runWithJobLogIgnoringErrors(tenant, "reencrypt_secrets", () => reencryptSecrets(tenant.db, tenant));
  }
  return dueWork;
}

async function openShardAccounts(
  env: Cloudflare.Env,
  now: number,
  turn: ScheduleShard | undefined,
): Promise<CellAccounts> {
  return openCellAccounts(env, now, (name) => !turn || getShardIndex(name, turn.count) === turn.index);
}

import type { AccountHealth } from "#domain/operations/alarms.ts";
import { type DueWork, findDueWork, type Nightly } from "#worker/store/operations/due-work.ts";
import { type CellAccounts, openCellAccounts } from "#worker/tenancy/accounts.ts";
import { yieldToRuntime } from "#worker/tenancy/deployment.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { expireHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { applyDueOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { communicate } from "#worker/usecases/communications/communicate.ts";
import { invoiceMonths } from "#worker/usecases/documents/invoice-months.ts";
import { resendMails } from "#worker/usecases/mails/send-mails.ts";
import { sendDueHoldActions } from "#worker/usecases/payments/send-hold-actions.ts";
import { sendDueRefunds } from "#worker/usecases/payments/send-refunds.ts";
import { ERASURE_BATCH_SIZE, reapplyErasures } from "#worker/usecases/privacy/erase-person.ts";
import type { PostBack } from "#worker/usecases/shared/call-gateway.ts";
import { Slots } from "#worker/usecases/shared/slots.ts";
import { auditTaxRecords } from "#worker/usecases/tax-records/audit-records.ts";
import { sendTaxRecords } from "#worker/usecases/tax-records/send-records.ts";
import { sendWebhooks } from "#worker/usecases/webhooks/send-webhooks.ts";
import { auditMoney } from "./audit-money.ts";
import { runBackup } from "./back-up.ts";
import { type AttachInvoice, writeBookingMails } from "./booking-mails.ts";
import { copyPhotos } from "./copy-photos.ts";
import { runExport } from "./export-account.ts";
import { purgeExpiredData } from "./purge-expired-data.ts";
import { recordClock } from "./record-clock.ts";
import { isOpened, resealSecrets } from "./reseal-secrets.ts";
import { sendAlerts } from "./send-alerts.ts";
import { verifyLatestBackup } from "./verify-backup.ts";
import type { BackupBudget } from "./write-backup.ts";

/** Cron expression of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";

/** Sends a request to a gateway's server. A simulator answers in development. */
const postToGateway: PostBack = (url, init) => fetch(url, init);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Each account is processed once in this many minutes. */
const DUE_TURNS = 5;
/** Backups start between 01:00 and 05:00 UTC, in a minute derived from the account, and are retried until done. */
const NIGHT_BEGINS = 60 * MINUTE;
const NIGHT_TURNS = 240;
/** Backups per invocation. They take long, and other accounts also need their turn. */
const BACKUPS_PER_RUN = 10;
/**
 * Shared budget of backups and exports in one invocation. The invocation has a total of a thousand round trips and 30
 * seconds of CPU time. Unfinished work continues at the next run.
 */
const BACKUP_RUN_BUDGET: BackupBudget = { calls: 600, bytes: 150_000_000 };
/** Each account's last backup is verified once per period, a few at a time, while no backup is running. */
const DRILLED_EACH = 28 * DAY;
const DRILLS_PER_RUN = 3;
/** Time of one company's backup, export or verification before the next begins. */
const COPY_LIMIT_MS = 2 * MINUTE;

/** Subset of the accounts, selected by a hash of their names. */
export interface Shard {
  readonly turn: number;
  readonly of: number;
}

/** Work of one invocation by what it waits for, so that a slow service or company delays only its own kind. */
interface Queues {
  readonly database: Slots;
  readonly mails: Slots;
  readonly external: Slots;
}

// A Worker has six connections at once.
const newQueues = (milliseconds: number): Queues => ({
  database: new Slots(6, milliseconds),
  mails: new Slots(2, milliseconds),
  external: new Slots(3, milliseconds),
});

/** Time of one company before others take its place. Its work continues. */
const ACCOUNT_LIMIT_MS = 10_000;
/** Time for work that exceeded its limit. An invocation has 15 minutes. */
const LATE_LIMIT_MS = 5 * MINUTE;

interface CronOptions {
  readonly attachInvoice?: AttachInvoice | undefined;
  readonly postBack?: PostBack;
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
    postBack = postToGateway,
    accountLimitMs = ACCOUNT_LIMIT_MS,
    lateLimitMs = LATE_LIMIT_MS,
    attachInvoice,
  }: CronOptions = {},
): Promise<void> {
  const minute = Math.floor(scheduledAt / MINUTE);
  const copying: Copying = { nightly: [], exports: [], drills: [] };
  const accountHealth = new Map<string, AccountHealth | undefined>();
  const queues = newQueues(accountLimitMs);
  const telling: Promise<void>[] = [];
  const shard = await openShardAccounts(env, scheduledAt, { turn: minute % DUE_TURNS, of: DUE_TURNS });
  const work = async (tenant: Tenant) => {
    await yieldToRuntime(env);
    const due = await doDueWork(tenant, scheduledAt, attachInvoice);
    accountHealth.set(tenant.name, due && (await getAccountHealth(tenant, due)));
    if (!due) return;
    telling.push(notify(tenant, due, { now: scheduledAt, postBack, queues }));
    await doUpkeep(tenant, due, scheduledAt);
    copyLater(copying, tenant, due);
  };
  for (const { name } of shard.unavailable) accountHealth.set(name, undefined);
  const rotated = rotateTenants(shard.tenants, Math.floor(minute / DUE_TURNS));
  await Promise.all(rotated.map((tenant) => inSlot(queues.database, tenant, "run_minute", () => work(tenant))));
  await logged({ name: "-" }, "send_alerts", () =>
    sendAlerts(env, { looks: accountHealth, looksAtRequests: minute % DUE_TURNS === 0, now: scheduledAt }),
  );
  await logged({ name: "-" }, "record_clock", () => recordClock(env, accountHealth, scheduledAt));
  await copyAndExamine(copying, scheduledAt);
  await settle(telling, queues, lateLimitMs);
}

// Waits for everything that was started. Work that exceeded its time may have started more.
async function settle(telling: readonly Promise<void>[], queues: Queues, limitMs: number): Promise<void> {
  await queues.database.settle(limitMs);
  await Promise.all(telling);
  await Promise.all([queues.mails.settle(limitMs), queues.external.settle(limitMs)]);
}

// Logs a job that took too long or failed, so that its error doesn't stop other jobs.
async function inSlot(slots: Slots, { name }: Tenant, operation: string, work: () => Promise<unknown>): Promise<void> {
  const defect = await slots.run(work).then(
    (ended) => (ended === "late" ? "late" : undefined),
    (error: unknown) => (error instanceof Error ? error.name : "unknown"),
  );
  if (defect) console.log(JSON.stringify({ level: "error", account: name, operation, defect }));
}

async function doUpkeep(tenant: Tenant, due: DueWork, scheduledAt: number): Promise<void> {
  if (due.photos) await logged(tenant, "copy_photos", () => copyPhotos(tenant));
  if (!due.sweep) return;
  // Nightly work continues only once no erased person from a restored backup remains.
  const erased = await logged(tenant, "reapply_erasures", () => reapplyErasures(tenant, scheduledAt));
  if (erased >= ERASURE_BATCH_SIZE) return;
  await logged(tenant, "purge_expired_data", () => purgeExpiredData(tenant, scheduledAt - DAY, scheduledAt));
  await logged(tenant, "audit_money", () => auditMoney(tenant));
  await logged(tenant, "audit_tax_records", () => auditTaxRecords(tenant));
}

async function getAccountHealth(tenant: Tenant, { keeping: { sealed, ...keeping } }: DueWork): Promise<AccountHealth> {
  return { ...keeping, isOpened: await isOpened(tenant, sealed) };
}

/** Accounts with pending backups, exports or verifications. Each account does one kind of work at a time. */
interface Copying {
  readonly nightly: Tenant[];
  readonly exports: Tenant[];
  readonly drills: Tenant[];
}

function copyLater({ nightly, exports, drills }: Copying, tenant: Tenant, due: DueWork): void {
  if (due.backup) nightly.push(tenant);
  else if (due.export) exports.push(tenant);
  else if (due.drill) drills.push(tenant);
}

// Runs after the work that customers wait for. The starting account rotates. One backup at a time, because each needs
// memory. One that takes too long gives way to the next.
async function copyAndExamine({ nightly, exports, drills }: Copying, at: number): Promise<void> {
  const budget = { ...BACKUP_RUN_BUDGET };
  const isSpent = () => budget.calls <= 0 || budget.bytes <= 0;
  const minute = Math.floor(at / MINUTE);
  const slot = new Slots(1, COPY_LIMIT_MS);
  const backedUp: Tenant[] = [];
  for (const tenant of rotateTenants(nightly, minute).slice(0, BACKUPS_PER_RUN)) {
    if (isSpent()) break;
    const since = getNightlySchedule(tenant.name, at).backupSince;
    await inSlot(slot, tenant, "back_up", async () => {
      const rows = await logged(tenant, "back_up", () => runBackup(tenant, { since, now: at, budget }));
      if (rows > 0) backedUp.push(tenant);
    });
  }
  // A backup may have requested an export.
  for (const tenant of [...backedUp, ...rotateTenants(exports, minute)]) {
    if (isSpent()) break;
    await inSlot(slot, tenant, "export", () => logged(tenant, "export", () => runExport(tenant, { now: at, budget })));
  }
  if (nightly.length + exports.length === 0)
    for (const tenant of rotateTenants(drills, minute).slice(0, DRILLS_PER_RUN)) {
      const since = getNightlySchedule(tenant.name, at).drillSince;
      const verify = () => verifyLatestBackup(tenant, { since, now: at });
      await inSlot(slot, tenant, "verify_backup", () => logged(tenant, "verify_backup", verify));
    }
  await slot.settle(LATE_LIMIT_MS);
}

function rotateTenants(tenants: readonly Tenant[], turn: number): readonly Tenant[] {
  const first = turn % Math.max(1, tenants.length);
  return [...tenants.slice(first), ...tenants.slice(0, first)];
}

/** Runs the due work of each account: expires unpaid holds, retries mails, and applies waiting collections. */
export async function runScheduledJobs(
  env: Cloudflare.Env,
  now: number,
  {
    postBack = postToGateway,
    accountLimitMs = ACCOUNT_LIMIT_MS,
    lateLimitMs = LATE_LIMIT_MS,
    attachInvoice,
  }: CronOptions = {},
): Promise<void> {
  const queues = newQueues(accountLimitMs);
  const telling: Promise<void>[] = [];
  const work = async (tenant: Tenant) => {
    await yieldToRuntime(env);
    const due = await doDueWork(tenant, now, attachInvoice);
    if (due) telling.push(notify(tenant, due, { now, postBack, queues }));
  };
  const all = await openShardAccounts(env, now, undefined);
  await Promise.all(all.tenants.map((tenant) => inSlot(queues.database, tenant, "run_jobs", () => work(tenant))));
  await settle(telling, queues, lateLimitMs);
}

// The mail service, authorities, gateways and partners can take half a minute to time out. They have their own slots,
// so that they don't delay the database work of other accounts.
async function notify(
  tenant: Tenant,
  due: DueWork,
  { now, postBack, queues }: { readonly now: number; readonly postBack: PostBack; readonly queues: Queues },
): Promise<void> {
  const { mails, external } = queues;
  const isExternalDue = due.taxRecords || due.communications || due.refunds || due.webhooks;
  await Promise.all([
    due.mails &&
      inSlot(mails, tenant, "resend_mails", () => logged(tenant, "resend_mails", () => resendMails(tenant, now))),
    isExternalDue && inSlot(external, tenant, "notify", () => notifyExternalSystems(tenant, due, { now, postBack })),
  ]);
}

async function notifyExternalSystems(
  tenant: Tenant,
  due: DueWork,
  { now, postBack }: { readonly now: number; readonly postBack: PostBack },
): Promise<void> {
  await Promise.all([
    due.taxRecords && logged(tenant, "send_tax_records", () => sendTaxRecords(tenant, now)),
    due.communications && logged(tenant, "communicate", () => communicate(tenant, now)),
    due.refunds && logged(tenant, "send_refunds", () => sendDueRefunds(tenant, { now, postBack })),
    due.refunds && logged(tenant, "send_hold_actions", () => sendDueHoldActions(tenant, { now, postBack })),
    due.webhooks && logged(tenant, "send_webhooks", () => sendWebhooks(tenant, now)),
  ]);
}

// Returns the remaining due work, if the database answered.
async function doDueWork(
  tenant: Tenant,
  now: number,
  attachInvoice: AttachInvoice | undefined,
): Promise<DueWork | undefined> {
  let dueWork: DueWork | undefined;
  await logged(tenant, "run_scheduled_jobs", async () => {
    const due = await findDueWork(tenant.db, now, getNightlySchedule(tenant.name, now));
    if (due.holds) await logged(tenant, "expire_holds", () => expireHolds(tenant, now));
    if (due.months) await logged(tenant, "invoice_months", () => invoiceMonths(tenant, now));
    const writeMails = () => writeBookingMails(tenant, now, attachInvoice);
    const written = due.news ? await logged(tenant, "write_mails", writeMails) : 0;
    dueWork = { ...due, mails: due.mails || written > 0 };
    if (due.heldOperations) await logged(tenant, "apply_held_operations", () => applyDueOperations(tenant, now));
    return 0;
  });
  if (tenant.secondMasterKey !== undefined) {
    await logged(tenant, "reseal_secrets", () => resealSecrets(tenant.db, tenant));
  }
  return dueWork;
}

// Returns the last time at which the account's nightly backup was due.
function getNightlySchedule(name: string, now: number): Nightly {
  const begins = NIGHT_BEGINS + getShardIndex(name, NIGHT_TURNS) * MINUTE;
  return {
    backupSince: Math.floor((now - begins) / DAY) * DAY + begins,
    sweepSince: now - DAY,
    drillSince: now - DRILLED_EACH,
  };
}

async function openShardAccounts(env: Cloudflare.Env, now: number, turn: Shard | undefined): Promise<CellAccounts> {
  return openCellAccounts(env, now, (name) => !turn || getShardIndex(name, turn.of) === turn.turn);
}

// Depends on the name only, so that adding or removing accounts doesn't change other accounts' slots (FNV-1a).
function getShardIndex(name: string, shardCount: number): number {
  let hash = 2_166_136_261;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
  return hash % shardCount;
}

// Runs and logs work. Errors don't affect other accounts or other kinds of work. Returns the amount of work done.
async function logged({ name }: Pick<Tenant, "name">, operation: string, work: () => Promise<number>): Promise<number> {
  const line = { account: name, operation };
  try {
    const count = await work();
    if (count > 0) console.log(JSON.stringify({ level: "info", ...line, count }));
    return count;
  } catch (error) {
    // Without the message, because it may contain data.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", ...line, defect }));
    return 0;
  }
}

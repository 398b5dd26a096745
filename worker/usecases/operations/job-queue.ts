import {
  type CompanyJob,
  clearFailedJobs,
  type FailedJob,
  listFailedJobs,
  postponeFailedJobs,
  recordFailedJobs,
} from "#worker/directory/failed-jobs.ts";
import { findDueJobs } from "#worker/store/operations/due-jobs.ts";
import { openServedAccount } from "#worker/tenancy/accounts.ts";
import { getCellName, getDirectory, getJobQueue } from "#worker/tenancy/deployment.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { runWithJobLog, runWithJobLogIgnoringErrors } from "#worker/usecases/shared/job-log.ts";
import { BACKUP_RUN_BUDGET, getNightlySchedule, type JobKind, type JobOptions, listDueJobs, runJob } from "./jobs.ts";

/** Messages that a queue accepts at once. */
const MAX_SENT_TOGETHER = 100;
/** Maximum time to process one message. An invocation has 15 minutes. */
const JOB_LIMIT_MS = 10 * 60_000;
/** End of the name of a queue with the messages whose attempts are exhausted (wrangler.toml). */
const DEAD_LETTERS = /-dead$/;

/** Access to the queue, to which a cron run sends long work. */
export interface JobDispatch {
  /** Sends a company's due work, except work that is held back after it failed. */
  send(account: string, due: readonly JobKind[]): Promise<void>;
  /** Counts the failed work of a company that is still due. */
  countFailed(account: string, due: readonly JobKind[]): number;
}

/**
 * Opens the queue for long work and sends what an operator retries. Undefined if the deployment has no queue or no
 * directory. Long work then runs in the cron job.
 */
export async function openJobDispatch(env: Cloudflare.Env, now: number): Promise<JobDispatch | undefined> {
  const [queue, directory] = [getJobQueue(env), getDirectory(env)];
  if (!queue || !directory) return undefined;
  let failedJobs: readonly FailedJob[] = [];
  await runWithJobLogIgnoringErrors({ name: "-" }, "retry_failed_jobs", async () => {
    failedJobs = await listFailedJobs(directory, getCellName(env));
    const retried = failedJobs.filter((job) => job.held_until === 0);
    await sendJobs(queue, retried);
    if (retried.length > 0) await postponeFailedJobs(directory, retried, now);
    return retried.length;
  });
  const listFailed = (account: string) => failedJobs.filter((job) => job.account === account);
  const isDue = (due: readonly JobKind[]) => (job: CompanyJob) => due.some((kind) => kind === job.kind);
  return {
    send: async (account, due) => {
      const failed = listFailed(account);
      const isHeld = (kind: JobKind) => failed.some((job) => job.kind === kind && isHeldBack(job, now));
      const dueJobs = due.filter((kind) => !isHeld(kind)).map((kind) => ({ account, kind }));
      await sendJobs(queue, dueJobs);
      const settled = failed.filter((job) => !isDue(due)(job));
      if (settled.length > 0) await clearFailedJobs(directory, settled);
      const resent = failed.filter((job) => isDue(due)(job) && !isHeldBack(job, now));
      if (resent.length > 0) await postponeFailedJobs(directory, resent, now);
    },
    countFailed: (account, due) => listFailed(account).filter(isDue(due)).length,
  };
}

// Whether failed work isn't sent with the due work: it's held back, or an operator's retry of it was already sent when
// the run began.
const isHeldBack = ({ held_until }: FailedJob, now: number) => held_until === 0 || held_until > now;

async function sendJobs(queue: Queue<CompanyJob>, jobs: readonly CompanyJob[]): Promise<void> {
  for (let start = 0; start < jobs.length; start += MAX_SENT_TOGETHER) {
    const part = jobs.slice(start, start + MAX_SENT_TOGETHER);
    await queue.sendBatch(part.map(({ account, kind }) => ({ body: { account, kind } })));
  }
}

interface ConsumerOptions {
  readonly sendToGateway: SendToGateway;
  readonly now?: () => number;
  readonly limitMs?: number;
}

/**
 * Does the work of the queue's messages. One that fails is delivered again, and finally recorded for the operator. A
 * message contains only company and kind, so whether the work is due is read from the company's database: a repeated
 * message does nothing twice.
 */
export async function runQueuedJobs(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  { sendToGateway, now = Date.now, limitMs = JOB_LIMIT_MS }: ConsumerOptions,
): Promise<void> {
  const directory = getDirectory(env);
  if (DEAD_LETTERS.test(batch.queue)) {
    const jobs = batch.messages.map(({ body }) => body).filter(isJob);
    for (const { account, kind } of jobs)
      console.log(JSON.stringify({ level: "error", account, operation: kind, defect: "AttemptsExhausted" }));
    if (directory) await recordFailedJobs(directory, jobs, now());
    return;
  }
  await Promise.all(
    batch.messages.map(async (message) => {
      const work = isJob(message.body) ? doJob(env, message.body, { now: now(), sendToGateway }) : Promise.resolve();
      await withinLimit(work, limitMs).then(
        () => message.ack(),
        () => message.retry(),
      );
    }),
  );
}

const KINDS: Readonly<Record<JobKind, true>> = {
  back_up: true,
  export: true,
  verify_backup: true,
  copy_photos: true,
  resend_mails: true,
  notify: true,
};

function isJob(body: unknown): body is { readonly account: string; readonly kind: JobKind } {
  if (typeof body !== "object" || body === null) return false;
  const { account, kind } = body as Readonly<Record<string, unknown>>;
  return typeof account === "string" && typeof kind === "string" && Object.hasOwn(KINDS, kind);
}

async function doJob(
  env: Cloudflare.Env,
  job: { readonly account: string; readonly kind: JobKind },
  { now, sendToGateway }: Omit<JobOptions, "budget">,
): Promise<void> {
  const { account, kind } = job;
  await runWithJobLog({ name: account }, kind, async () => {
    // A company that moved away gets its work from its new cell's cron job.
    const tenant = await openServedAccount(env, account, now);
    const count = tenant ? await runIfDue(env, tenant, kind, { now, sendToGateway }) : 0;
    await forgetFailure(env, job);
    return count;
  });
}

async function runIfDue(
  env: Cloudflare.Env,
  tenant: Tenant,
  kind: JobKind,
  options: Omit<JobOptions, "budget">,
): Promise<number> {
  const readDue = () => findDueJobs(tenant.db, options.now, getNightlySchedule(tenant.name, options.now));
  const due = await readDue();
  if (!listDueJobs(due).includes(kind)) return 0;
  const count = await runJob(tenant, kind, due, { ...options, budget: { ...BACKUP_RUN_BUDGET } });
  await continueLater(env, tenant, kind, { count, readDue });
  return count;
}

interface Progress {
  readonly count: number;
  readonly readDue: () => ReturnType<typeof findDueJobs>;
}

// A backup may have further parts, and may have requested an export. Only work with progress continues at once.
async function continueLater(env: Cloudflare.Env, tenant: Tenant, kind: JobKind, { count, readDue }: Progress) {
  const isCopy = kind === "back_up" || kind === "export";
  if (kind === "notify" || (!isCopy && count === 0)) return;
  const next = listDueJobs(await readDue()).filter((due) => due === kind || (isCopy && due === "export"));
  const queue = getJobQueue(env);
  if (queue)
    await sendJobs(
      queue,
      next.map((due) => ({ account: tenant.name, kind: due })),
    );
}

// The work is done, so a failure to clear its error must not repeat it.
async function forgetFailure(env: Cloudflare.Env, job: CompanyJob): Promise<void> {
  const directory = getDirectory(env);
  if (!directory) return;
  await runWithJobLogIgnoringErrors({ name: job.account }, "clear_failed_job", async () => {
    await clearFailedJobs(directory, [job]);
    return 0;
  });
}

async function withinLimit(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the work takes too long")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

import { createHash } from "node:crypto";
import type { AccountRestoreResult } from "#domain/operations/imports.ts";
import { isSameSecret } from "#worker/auth/same-secret.ts";
import {
  type OperatorStatement,
  type OperatorStatementResult,
  runOperatorBatch,
} from "#worker/store/operations/operator-batch.ts";
import { readExportProgress, requestExport } from "#worker/store/operations/upkeep.ts";
import { getOperatorKey } from "#worker/tenancy/deployment.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getBackupPath } from "./back-up.ts";
import { continueAccountExport, getExportPath } from "./export-account.ts";
import { BACKUP_RUN_BUDGET } from "./jobs.ts";

/** Shorter keys could be guessed. `openssl rand -base64 32` has 44 characters. */
const MIN_KEY_LENGTH = 32;

/** Whether the deployment has an operator, which requires the secret OPERATOR_KEY. */
export function isOperatorAccessEnabled(env: Cloudflare.Env): boolean {
  return (getOperatorKey(env) ?? "").length >= MIN_KEY_LENGTH;
}

/** Whether an `Authorization` header is the operator's. */
export function isOperator(env: Cloudflare.Env, authorization: string | undefined): boolean {
  const [scheme, shown = ""] = (authorization ?? "").split(" ");
  return isOperatorAccessEnabled(env) && scheme === "Bearer" && isSameSecret(shown, getOperatorKey(env) ?? "");
}

/** Result of an operator's batch, or the database's message why it was refused. Nothing is written then. */
export type OperatorBatchResult =
  | { readonly kind: "done"; readonly answers: readonly OperatorStatementResult[] }
  | { readonly kind: "refused"; readonly error: unknown };

/** Runs an operator's statements on one account. The log gets their number, never their content. */
export async function runOperatorStatements(
  { name, db }: Pick<Tenant, "name" | "db">,
  statements: readonly OperatorStatement[],
): Promise<OperatorBatchResult> {
  try {
    const answers = await runOperatorBatch(db, statements);
    const changes = answers.reduce((sum, { meta }) => sum + meta.changes, 0);
    const line = { level: "info", operation: "operator_batch", account: name, statements: statements.length, changes };
    if (changes > 0) console.log(JSON.stringify(line));
    return { kind: "done", answers };
  } catch (error) {
    return { kind: "refused", error };
  }
}

/** Opens the backup of a day, yyyy-mm-dd. Undefined if there's none. */
export async function openBackup({ copies }: Tenant, day: string): Promise<ReadableStream | undefined> {
  return copies?.rows.get(getBackupPath(Date.parse(day)));
}

/** Lists the days with a backup, yyyy-mm-dd, newest first. */
export async function listBackups({ copies }: Tenant): Promise<readonly string[]> {
  const paths = (await copies?.rows.list("")) ?? [];
  return paths.flatMap((path) => /^(\d{4}-\d\d-\d\d)\.ndjson\.gz$/.exec(path)?.[1] ?? []).toReversed();
}

/**
 * Restores a day's backup of an account into another one without settings. Throws if the deployment binds no temporary
 * databases.
 */
export async function restoreBackup(
  { scratch }: Tenant,
  { from, day, now }: { readonly from: string; readonly day: string; readonly now: number },
): Promise<AccountRestoreResult> {
  if (!scratch) throw new Error("no temporary databases are bound");
  return scratch.restoreAccount({ account: from, path: getBackupPath(Date.parse(day)) }, now);
}

/** Progress of an account's data export after a step. */
export interface ExportStep {
  /** Time at which the export was requested, epoch ms. */
  readonly at: number;
  /** Rows so far, or of the complete export. */
  readonly rows: number;
  /** Day of the complete export, yyyy-mm-dd. Undefined while it runs. */
  readonly day: string | undefined;
}

/**
 * Requests an export of the account's data, or continues the one requested at `since`. Each step takes as long as a run
 * of the cron job, which continues the export too if no more steps come.
 */
export async function continueExport(tenant: Tenant, since: number | undefined, now: number): Promise<ExportStep> {
  const { db } = tenant;
  const known = await readExportProgress(db);
  // The cron job may have completed it between two steps.
  if (!known && since !== undefined) return toCompleteExport(since, 0);
  if (!known) await requestExport(db, { at: now });
  const at = known?.at ?? now;
  const rows = await continueAccountExport(tenant, { now, budget: { ...BACKUP_RUN_BUDGET } });
  if (rows > 0) return toCompleteExport(at, rows);
  const left = await readExportProgress(db);
  return left ? { at: left.at, rows: left.rows ?? 0, day: undefined } : toCompleteExport(at, 0);
}

const toCompleteExport = (at: number, rows: number): ExportStep => ({ at, rows, day: getExportPath(at).slice(0, 10) });

/** Opens the export of a day, yyyy-mm-dd. Undefined if there's none. */
export async function openExport({ copies }: Tenant, day: string): Promise<ReadableStream | undefined> {
  return copies?.exports.get(getExportPath(Date.parse(day)));
}

/**
 * Stores which account provided the data of a restored one, so that customers erased there later are erased here, too.
 */
export async function saveRestoreOrigin(
  { copies }: Pick<Tenant, "copies">,
  origin: string,
  now: number,
): Promise<void> {
  if (!copies) throw new Error("no bucket for backups is bound");
  const bytes = new TextEncoder().encode(JSON.stringify({ account: origin }));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await copies.erasures.put(`from-${origin}-${now}.json`, bytes, { sha256, contentType: "application/json" });
}

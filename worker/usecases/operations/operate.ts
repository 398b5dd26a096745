import { createHash } from "node:crypto";
import { isSameSecret } from "#worker/auth/same-secret.ts";
import {
  type OperatorAnswer,
  type OperatorStatement,
  runOperatorBatch,
} from "#worker/store/operations/operator-batch.ts";
import { operatorKey } from "#worker/tenancy/deployment.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backupPath } from "./back-up.ts";

/** Shorter keys could be guessed. `openssl rand -base64 32` has 44 characters. */
const MIN_KEY_LENGTH = 32;

/** Whether the deployment has an operator, which requires the secret OPERATOR_KEY. */
export function isOperatorAccessEnabled(env: Cloudflare.Env): boolean {
  return (operatorKey(env) ?? "").length >= MIN_KEY_LENGTH;
}

/** Whether an `Authorization` header is the operator's. */
export function isOperator(env: Cloudflare.Env, authorization: string | undefined): boolean {
  const [scheme, shown = ""] = (authorization ?? "").split(" ");
  return isOperatorAccessEnabled(env) && scheme === "Bearer" && isSameSecret(shown, operatorKey(env) ?? "");
}

/** Result of an operator's batch, or the database's message why it was refused. Nothing is written then. */
export type OperatorBatchResult =
  | { readonly kind: "done"; readonly answers: readonly OperatorAnswer[] }
  | { readonly kind: "refused"; readonly error: unknown };

/** Runs an operator's statements on one account. The log gets their number, never their content. */
export async function runStatements(
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
  return copies?.rows.get(backupPath(Date.parse(day)));
}

/**
 * Stores which account provided the data of a restored one, so that customers erased there later are erased here, too.
 */
export async function saveRestoreOrigin({ copies }: Tenant, origin: string, now: number): Promise<void> {
  if (!copies) throw new Error("no bucket for backups is bound");
  const bytes = new TextEncoder().encode(JSON.stringify({ account: origin }));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await copies.erasures.put(`from-${origin}-${now}.json`, bytes, { sha256, contentType: "application/json" });
}

import { resendMails } from "./mail/send-mail.ts";
import { openAccounts } from "./tenancy/tenant.ts";
import { applyDueOperations } from "./usecases/apply-held-operations.ts";
import { backUp } from "./usecases/back-up.ts";
import { expireHolds } from "./usecases/expire-holds.ts";
import { resealSecrets } from "./usecases/reseal-secrets.ts";

/** What time brings, account by account: holds that were not paid end, collections that waited for their delivery go through. */
export async function doWhatIsDue(env: Cloudflare.Env, now: number): Promise<void> {
  for (const tenant of openAccounts(env, now)) {
    if (tenant.secondMasterKey !== undefined) {
      await logged(tenant.name, "reseal_secrets", () => resealSecrets(tenant.db, tenant));
    }
    await logged(tenant.name, "expire_holds", () => expireHolds(tenant, now));
    await logged(tenant.name, "resend_mails", () => resendMails(tenant, now));
    await logged(tenant.name, "apply_held_operations", () => applyDueOperations(tenant, now));
  }
}

/** When backups are made: the second of wrangler.toml's crons. */
export const NIGHTLY = "17 3 * * *";

/** Writes every account's backup of the night into the object store. */
export async function backUpAll(env: Cloudflare.Env, now: number): Promise<void> {
  for (const tenant of openAccounts(env, now)) await logged(tenant.name, "back_up", () => backUp(tenant, now));
}

// The trouble of one account, or of one kind of work, is not the others'.
async function logged(account: string, operation: string, work: () => Promise<number>): Promise<void> {
  const line = { account, operation };
  try {
    const count = await work();
    if (count > 0) console.log(JSON.stringify({ level: "info", ...line, count }));
  } catch (error) {
    // Without its message: that may carry data.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", ...line, defect }));
  }
}

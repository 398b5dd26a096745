import { findDueWork } from "#worker/store/operations/due-work.ts";
import { openAccounts } from "#worker/tenancy/accounts.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { expireHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { applyDueOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { resendMails } from "#worker/usecases/operations/send-mails.ts";
import { auditMoney } from "./audit-money.ts";
import { backUp } from "./back-up.ts";
import { writeBookingMails } from "./booking-mails.ts";
import { resealSecrets } from "./reseal-secrets.ts";

/** The cron of wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";

const MINUTE = 60_000;
/** Each account's turn comes once in so many minutes. */
const DUE_TURNS = 5;
/** Backups are made from 01:00 to 05:00 UTC, each account's in a minute of its own choosing. */
const NIGHT_BEGINS = 60;
const NIGHT_TURNS = 240;

/** Some of the accounts: those whose names fall on a turn of so many. */
export interface Turn {
  readonly turn: number;
  readonly of: number;
}

/**
 * What a minute brings. One invocation may ask a database a thousand times, so that the accounts take turns: a fifth of
 * them each minute, and at night a few for their backup.
 */
export async function runMinute(env: Cloudflare.Env, scheduledAt: number): Promise<void> {
  const minute = Math.floor(scheduledAt / MINUTE);
  await runDueWork(env, scheduledAt, { turn: minute % DUE_TURNS, of: DUE_TURNS });
  const turn = (minute % (24 * 60)) - NIGHT_BEGINS;
  if (turn >= 0 && turn < NIGHT_TURNS) await backUpAll(env, scheduledAt, { turn, of: NIGHT_TURNS });
}

/**
 * What time brings, account by account: holds that were not paid end, mails are tried again, collections that waited go
 * through.
 */
export async function runDueWork(env: Cloudflare.Env, now: number, turn?: Turn): Promise<void> {
  for (const tenant of accountsOf(env, now, turn)) {
    await logged(tenant, "due_work", () => doDueWork(tenant, now));
    if (tenant.secondMasterKey !== undefined) {
      await logged(tenant, "reseal_secrets", () => resealSecrets(tenant.db, tenant));
    }
  }
}

async function doDueWork(tenant: Tenant, now: number): Promise<number> {
  const due = await findDueWork(tenant.db, now);
  if (due.holds) await logged(tenant, "expire_holds", () => expireHolds(tenant, now));
  const written = due.news ? await logged(tenant, "write_mails", () => writeBookingMails(tenant, now)) : 0;
  if (due.mails || written > 0) await logged(tenant, "resend_mails", () => resendMails(tenant, now));
  if (due.heldOperations) await logged(tenant, "apply_held_operations", () => applyDueOperations(tenant, now));
  return 0;
}

/** Writes accounts' backups of the night into the object store, and looks whether their money balances. */
export async function backUpAll(env: Cloudflare.Env, now: number, turn?: Turn): Promise<void> {
  for (const tenant of accountsOf(env, now, turn)) {
    await logged(tenant, "back_up", () => backUp(tenant, now));
    await logged(tenant, "audit_money", () => auditMoney(tenant));
  }
}

function accountsOf(env: Cloudflare.Env, now: number, turn: Turn | undefined): readonly Tenant[] {
  return openAccounts(env, now, (name) => !turn || turnOf(name, turn.of) === turn.turn);
}

// By the name alone, so that an account that comes or goes moves nobody else's turn (FNV-1a).
function turnOf(name: string, of: number): number {
  let hash = 2_166_136_261;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
  return hash % of;
}

// The trouble of one account, or of one kind of work, is not the others'. Answers how much was done.
async function logged({ name }: Tenant, operation: string, work: () => Promise<number>): Promise<number> {
  const line = { account: name, operation };
  try {
    const count = await work();
    if (count > 0) console.log(JSON.stringify({ level: "info", ...line, count }));
    return count;
  } catch (error) {
    // Without its message: that may carry data.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", ...line, defect }));
    return 0;
  }
}

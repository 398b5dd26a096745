import { DATABASE_OWNER_TABLE } from "#worker/directory/owner.ts";
import { isDatabaseOverloaded, isTransientDatabaseError } from "#worker/store/failures.ts";
import type { BoundDatabase } from "./bindings.ts";

/** The database of an account is missing, doesn't answer, or belongs to another account. Nothing is served from it. */
export class AccountUnavailableError extends Error {
  override readonly name = "AccountUnavailable";
}

const MAX_VERIFIED = 10_000;
/** Time for which an owner is remembered: a row of a restored directory may name another account's database. */
export const VERIFIED_OWNER_TTL_MS = 600_000;
/** Databases whose owner this isolate has verified, and when, in epoch ms. */
const verified = new Map<string, number>();

/**
 * Returns an account's numbered database after checking that it belongs to the account, once for each isolate and ten
 * minutes, so that a wrong row of the directory doesn't show one company's data to another.
 */
export async function verifyDatabaseOwner(
  account: string,
  slot: number,
  database: BoundDatabase | undefined,
  now = Date.now(),
): Promise<BoundDatabase> {
  if (!database)
    throw unavailable(account, slot, "isn't bound in this cell. Deploy the cell, or correct the directory");
  const key = `${account} ${slot}`;
  const verifiedAt = verified.get(key) ?? Number.NEGATIVE_INFINITY;
  if (verifiedAt <= now && now - verifiedAt < VERIFIED_OWNER_TTL_MS) return database;
  const owner = await readOwner(account, slot, database);
  if (owner !== account)
    throw unavailable(account, slot, `belongs to ${owner ?? "no company"}. Correct the row of the directory`);
  if (verified.size >= MAX_VERIFIED) verified.clear();
  verified.set(key, now);
  return database;
}

async function readOwner(account: string, slot: number, { binding }: BoundDatabase): Promise<string | null> {
  try {
    return await binding.prepare(`SELECT account FROM ${DATABASE_OWNER_TABLE}`).first<string>("account");
  } catch (error) {
    if (isDatabaseOverloaded(error) || isTransientDatabaseError(error)) throw error;
    const reason = error instanceof Error ? error.message : "unknown error";
    throw unavailable(account, slot, `can't be read (${reason}). Restore it, or correct the directory`);
  }
}

function unavailable(account: string, slot: number, problem: string): AccountUnavailableError {
  const message = `The database ${slot} of ${account} ${problem}`;
  console.log(JSON.stringify({ level: "error", operation: "open_account", account, slot, message }));
  return new AccountUnavailableError(message);
}

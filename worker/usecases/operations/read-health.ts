import { probe } from "#worker/store/operations/health.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const HOUR = 3_600_000;
/** A night and a half: one attempt after another has failed. */
const OLDEST_BACKUP = 36 * HOUR;
/** Of D1's 10 GB: from here on somebody has to do something about it. */
export const LARGEST_BYTES = 10_000_000_000;
const FULL_FROM = 0.7;

export interface Health {
  readonly status: "ok" | "no_settings" | "unreachable" | "backup_overdue" | "nearly_full";
  /** The newest migration. */
  readonly migration: string | null;
  /** Of the last whole backup, or of an account that has none yet. */
  readonly backupAgeHours: number;
  readonly sizeBytes: number;
  readonly milliseconds: number;
}

/** Whether an account's database answers, what it is like, and how old its last backup is; `now` in epoch ms. */
export async function readHealth(tenant: Pick<Tenant, "db" | "meter">, now: number): Promise<Health> {
  try {
    const found = await probe(tenant.db);
    const { milliseconds, sizeBytes } = tenant.meter;
    const age = now - (found?.backedUpAt ?? now);
    return {
      status: statusOf(found?.hasSettings === 1, age, sizeBytes),
      migration: found?.migration ?? null,
      backupAgeHours: Math.max(0, Math.floor(age / HOUR)),
      sizeBytes,
      milliseconds: Math.round(milliseconds),
    };
  } catch {
    return { status: "unreachable", migration: null, backupAgeHours: 0, sizeBytes: 0, milliseconds: 0 };
  }
}

function statusOf(hasSettings: boolean, backupAge: number, sizeBytes: number): Health["status"] {
  if (!hasSettings) return "no_settings";
  if (sizeBytes >= LARGEST_BYTES * FULL_FROM) return "nearly_full";
  // A developer's machine makes no backups.
  return backupAge > OLDEST_BACKUP && !DEVELOPMENT_BUILD ? "backup_overdue" : "ok";
}

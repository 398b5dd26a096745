import {
  BACKUP_CHECK_OVERDUE_MS,
  BACKUP_OVERDUE_MS,
  DATABASE_FULL_RATIO,
  MAX_DATABASE_BYTES,
} from "#domain/operations/alerts.ts";
import { readAccountHealthData } from "#worker/store/operations/health.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { canOpenSecret } from "./reencrypt-secrets.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface AccountHealthResult {
  readonly status:
    | "ok"
    | "no_settings"
    | "unreachable"
    | "sealed_elsewhere"
    | "backup_overdue"
    | "drill_overdue"
    | "nearly_full";
  /** Name of the newest applied migration. */
  readonly migration: string | null;
  /** Age of the last complete backup, or of the account if it has none. */
  readonly backupAgeHours: number;
  /** Days since the last verified backup, or since the account's creation. */
  readonly backupCheckAgeDays: number;
  readonly sizeBytes: number;
  readonly milliseconds: number;
}

/**
 * Checks whether an account's database answers, and reads its state and the age of its last backup. `now` is in epoch
 * ms.
 */
export async function readAccountHealth(
  tenant: Pick<Tenant, "db" | "meter" | "name" | "masterKey" | "secondMasterKey">,
  now: number,
): Promise<AccountHealthResult> {
  try {
    const probeResult = await readAccountHealthData(tenant.db);
    const { milliseconds, sizeBytes } = tenant.meter;
    const ages = {
      backup: now - (probeResult?.backedUpAt ?? now),
      backupCheck: now - (probeResult?.backupCheckedAt ?? now),
    };
    return {
      status: (await canOpenSecret(tenant, probeResult?.sealed ?? null))
        ? getHealthStatus(probeResult?.hasSettings === 1, ages, sizeBytes)
        : "sealed_elsewhere",
      migration: probeResult?.migration ?? null,
      backupAgeHours: Math.max(0, Math.floor(ages.backup / HOUR)),
      backupCheckAgeDays: Math.max(0, Math.floor(ages.backupCheck / DAY)),
      sizeBytes,
      milliseconds: Math.round(milliseconds),
    };
  } catch {
    return {
      status: "unreachable",
      migration: null,
      backupAgeHours: 0,
      backupCheckAgeDays: 0,
      sizeBytes: 0,
      milliseconds: 0,
    };
  }
}

interface Ages {
  readonly backup: number;
  readonly backupCheck: number;
}

function getHealthStatus(hasSettings: boolean, ages: Ages, sizeBytes: number): AccountHealthResult["status"] {
  if (!hasSettings) return "no_settings";
  if (sizeBytes >= MAX_DATABASE_BYTES * DATABASE_FULL_RATIO) return "nearly_full";
  // No backups run on a developer's machine.
  if (DEVELOPMENT_BUILD) return "ok";
  if (ages.backup > BACKUP_OVERDUE_MS) return "backup_overdue";
  return ages.backupCheck > BACKUP_CHECK_OVERDUE_MS ? "drill_overdue" : "ok";
}

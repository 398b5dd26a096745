/** Alerts for the operator at any hour. docs/runbook.md describes the response to each. */
export type AlertType =
  | "unreachable"
  | "no_settings"
  | "sealed_elsewhere"
  | "backup_late"
  | "backup_failed"
  | "drill_late"
  | "nearly_full"
  | "mails_unsent"
  | "tax_records_unsent"
  | "jobs_failed"
  | "errors"
  | "slow";

/** Problem of an account that the operator must resolve. */
export interface AccountAlert {
  readonly kind: AlertType;
  readonly account: string;
  /** Related number, depending on the type: hours, days, percent, milliseconds or a count. */
  readonly value: number;
}

/** Maintenance state of an account's database. Times in epoch ms. */
export interface AccountHealth {
  readonly hasSettings: boolean;
  /** Whether the deployment's keys decrypt the account's stored secrets. */
  readonly canDecryptSecrets: boolean;
  /** Times of the last complete backup and of the last backup check. Without one, the account's creation. */
  readonly backedUpAt: number;
  readonly backupCheckedAt: number;
  /** Whether the last attempt of a backup failed. */
  readonly hasFailed: boolean;
  readonly sizeBytes: number;
  /** Time of the oldest pending item. Null if none. */
  readonly oldestMailAt: number | null;
  readonly oldestTaxRecordAt: number | null;
  /** Kinds of due work whose attempts in the queue are exhausted. */
  readonly failedJobs?: number;
}

/** Recent requests of an account. Times in ms. */
export interface RequestStats {
  readonly requests: number;
  readonly failed: number;
  readonly p95: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The backup runs each night, so several attempts have failed by then. */
export const BACKUP_OVERDUE_MS = 36 * HOUR;
/** Age of the last verified backup from which the operator is alerted. */
export const BACKUP_CHECK_OVERDUE_MS = 35 * DAY;
/** D1's limit of 10 GB. From `DATABASE_FULL_RATIO` on, the operator must act. */
export const MAX_DATABASE_BYTES = 10_000_000_000;
/** Used share of `MAX_DATABASE_BYTES` from which the operator is alerted. */
export const DATABASE_FULL_RATIO = 0.7;
const MAX_UNSENT_MS = 60 * MINUTE;
/** Minimum number of requests for a meaningful rate. */
const REQUESTS_THAT_COUNT = 50;
const MAX_FAILURE_RATE = 0.02;
const MAX_P95_MS = 1500;

/** Returns the alerts of a checked account. `health` is undefined if its database didn't answer. */
export function findAccountAlerts(
  account: string,
  health: AccountHealth | undefined,
  now: number,
): readonly AccountAlert[] {
  if (!health) return [{ kind: "unreachable", account, value: 0 }];
  if (!health.hasSettings) return [{ kind: "no_settings", account, value: 0 }];
  const { backedUpAt, backupCheckedAt, sizeBytes, oldestMailAt, oldestTaxRecordAt, failedJobs = 0 } = health;
  const age = (at: number | null) => (at === null ? 0 : now - at);
  const alertChecks: readonly (readonly [rings: boolean, kind: AlertType, value: number])[] = [
    [!health.canDecryptSecrets, "sealed_elsewhere", 0],
    [age(backedUpAt) > BACKUP_OVERDUE_MS, "backup_late", age(backedUpAt) / HOUR],
    [health.hasFailed, "backup_failed", age(backedUpAt) / HOUR],
    [age(backupCheckedAt) > BACKUP_CHECK_OVERDUE_MS, "drill_late", age(backupCheckedAt) / DAY],
    [sizeBytes >= MAX_DATABASE_BYTES * DATABASE_FULL_RATIO, "nearly_full", (100 * sizeBytes) / MAX_DATABASE_BYTES],
    [age(oldestMailAt) > MAX_UNSENT_MS, "mails_unsent", age(oldestMailAt) / MINUTE],
    [age(oldestTaxRecordAt) > MAX_UNSENT_MS, "tax_records_unsent", age(oldestTaxRecordAt) / MINUTE],
    [failedJobs > 0, "jobs_failed", failedJobs],
  ];
  return alertChecks.flatMap(([activeAlerts, kind, value]) =>
    activeAlerts ? [{ kind, account, value: Math.floor(value) }] : [],
  );
}

/** Returns the alerts from an account's requests in the last minutes. */
export function findRequestAlerts(account: string, { requests, failed, p95 }: RequestStats): readonly AccountAlert[] {
  if (requests < REQUESTS_THAT_COUNT) return [];
  const share = failed / requests;
  return [
    ...(share > MAX_FAILURE_RATE ? [{ kind: "errors" as const, account, value: Math.round(100 * share) }] : []),
    ...(p95 > MAX_P95_MS ? [{ kind: "slow" as const, account, value: Math.round(p95) }] : []),
  ];
}

/** Active alert, its number of consecutive detections, and whether the operator was notified. */
export interface ActiveAlert extends AccountAlert {
  readonly since: number;
  readonly detections: number;
  readonly isNotified: boolean;
}

/** Consecutive detections required, to ignore short interruptions. */
const CHECKS_BEFORE_ALERT = 2;

/** Active alerts, and those that started or were resolved since the last check. */
export interface AlertChanges {
  readonly active: readonly ActiveAlert[];
  /** Alerts to notify: new and resolved ones. */
  readonly started: readonly ActiveAlert[];
  readonly resolved: readonly ActiveAlert[];
}

/** Updates the active alerts after a partial check. Unchecked alerts stay unchanged. */
export function diffAlerts(
  previousAlerts: readonly ActiveAlert[],
  foundAlerts: readonly AccountAlert[],
  { wasChecked, now }: { readonly wasChecked: (alert: AccountAlert) => boolean; readonly now: number },
): AlertChanges {
  const isSame = (a: AccountAlert, b: AccountAlert) => a.kind === b.kind && a.account === b.account;
  const uncheckedAlerts = previousAlerts.filter((activeAlert) => !wasChecked(activeAlert));
  const activeAlerts = foundAlerts.map((alert): ActiveAlert => {
    const known = previousAlerts.find((activeAlert) => isSame(activeAlert, alert));
    return {
      ...alert,
      since: known?.since ?? now,
      detections: (known?.detections ?? 0) + 1,
      isNotified: known?.isNotified === true,
    };
  });
  const resolved = previousAlerts.filter(
    (activeAlert) =>
      activeAlert.isNotified && wasChecked(activeAlert) && !foundAlerts.some((alert) => isSame(activeAlert, alert)),
  );
  const newAlerts = activeAlerts.filter(
    ({ isNotified, detections }) => !isNotified && detections >= CHECKS_BEFORE_ALERT,
  );
  return { active: [...uncheckedAlerts, ...activeAlerts], started: newAlerts, resolved };
}

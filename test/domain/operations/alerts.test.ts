import { describe, expect, test } from "vitest";
import {
  type AccountAlert,
  type AccountHealth,
  type ActiveAlert,
  diffAlerts,
  findAccountAlerts,
  findRequestAlerts,
} from "#domain/operations/alerts.ts";

const HOUR = 3_600_000;
const now = 400 * 24 * HOUR;
const well: AccountHealth = {
  hasSettings: true,
  canDecryptSecrets: true,
  backedUpAt: now - 20 * HOUR,
  backupCheckedAt: now - 6 * 24 * HOUR,
  hasFailed: false,
  sizeBytes: 1_000_000,
  oldestMailAt: now - 60_000,
  oldestTaxRecordAt: null,
};

describe("an account", () => {
  const listAlertTypes = (keeping: AccountHealth | undefined) =>
    findAccountAlerts("acme", keeping, now).map(({ kind, value }) => [kind, value]);

  test("triggers no alert for a healthy account", () => expect(listAlertTypes(well)).toEqual([]));

  test.each<[string, Partial<AccountHealth>, string, number]>([
    ["without settings", { hasSettings: false }, "no_settings", 0],
    ["whose secrets no key decrypts", { canDecryptSecrets: false }, "sealed_elsewhere", 0],
    ["whose backup is two days old", { backedUpAt: now - 48 * HOUR }, "backup_late", 48],
    ["whose last attempt failed", { hasFailed: true }, "backup_failed", 20],
    ["whose backup wasn't verified", { backupCheckedAt: now - 36 * 24 * HOUR }, "drill_late", 36],
    ["that is nearly full", { sizeBytes: 7_100_000_000 }, "nearly_full", 71],
    ["with an unsent mail", { oldestMailAt: now - 90 * 60_000 }, "mails_unsent", 90],
    ["with an unsent tax record", { oldestTaxRecordAt: now - 2 * HOUR }, "tax_records_unsent", 120],
  ])("triggers one alert for an account %s", (_, change, kind, value) =>
    expect(listAlertTypes({ ...well, ...change })).toEqual([[kind, value]]),
  );

  test("triggers only the unreachable alert if an account's database doesn't answer", () =>
    expect(listAlertTypes(undefined)).toEqual([["unreachable", 0]]));

  test("triggers an alert if many requests of an account fail or are slow, but not for fewer than fifty", () => {
    const kinds = (requests: number, failed: number, p95: number) =>
      findRequestAlerts("acme", { requests, failed, p95 }).map(({ kind }) => kind);
    expect(kinds(100, 2, 40)).toEqual([]);
    expect(kinds(100, 3, 40)).toEqual(["errors"]);
    expect(kinds(100, 0, 2000)).toEqual(["slow"]);
    expect(kinds(49, 49, 9000)).toEqual([]);
  });
});

describe("an alert", () => {
  const alarm: AccountAlert = { kind: "backup_late", account: "acme", value: 40 };
  const checkAlerts = (before: readonly ActiveAlert[], item: readonly AccountAlert[], wasLookedAt = true) =>
    diffAlerts(before, item, { wasChecked: () => wasLookedAt, now });
  const markNotified = (activeAlerts: readonly ActiveAlert[]) =>
    activeAlerts.map((ringing) => ({ ...ringing, isNotified: true }));

  test("sends one notification when a problem is found at a second check, and one when it ends", () => {
    const first = checkAlerts([], [alarm]);
    expect(first.started).toEqual([]);
    const second = checkAlerts(first.active, [alarm]);
    expect(second.started).toMatchObject([{ ...alarm, detections: 2, since: now }]);
    const third = checkAlerts(markNotified(second.active), [{ ...alarm, value: 41 }]);
    expect([third.started, third.resolved, third.active[0]?.value]).toEqual([[], [], 41]);
    const fourth = checkAlerts(third.active, []);
    expect([fourth.started, fourth.resolved, fourth.active]).toMatchObject([
      [],
      [{ kind: "backup_late", value: 41 }],
      [],
    ]);
  });

  test("sends no notification for a problem found at one check only", () => {
    const first = checkAlerts([], [alarm]);
    expect(checkAlerts(first.active, [])).toEqual({ active: [], started: [], resolved: [] });
  });

  test("keeps an alert active if the account couldn't be checked", () => {
    const activeAlerts = markNotified(checkAlerts(checkAlerts([], [alarm]).active, [alarm]).active);
    expect(checkAlerts(activeAlerts, [], false)).toEqual({ active: activeAlerts, started: [], resolved: [] });
  });
});

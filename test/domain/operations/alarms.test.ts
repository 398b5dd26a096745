import { describe, expect, test } from "vitest";
import {
  type Alarm,
  alarmsOfAccount,
  alarmsOfRequests,
  compareAlarms,
  type Keeping,
  type Ringing,
} from "#domain/operations/alarms.ts";

const HOUR = 3_600_000;
const now = 400 * 24 * HOUR;
const well: Keeping = {
  hasSettings: true,
  isOpened: true,
  backedUpAt: now - 20 * HOUR,
  drilledAt: now - 6 * 24 * HOUR,
  hasFailed: false,
  sizeBytes: 1_000_000,
  oldestMailAt: now - 60_000,
  oldestTaxRecordAt: null,
};

describe("an account", () => {
  const kindsOf = (keeping: Keeping | undefined) =>
    alarmsOfAccount("acme", keeping, now).map(({ kind, value }) => [kind, value]);

  test("that is well rings nothing", () => expect(kindsOf(well)).toEqual([]));

  test.each<[string, Partial<Keeping>, string, number]>([
    ["without settings", { hasSettings: false }, "no_settings", 0],
    ["whose secrets no key opens", { isOpened: false }, "sealed_elsewhere", 0],
    ["whose backup is two days old", { backedUpAt: now - 48 * HOUR }, "backup_late", 48],
    ["whose last attempt failed", { hasFailed: true }, "backup_failed", 20],
    ["that nobody drilled", { drilledAt: now - 36 * 24 * HOUR }, "drill_late", 36],
    ["that is nearly full", { sizeBytes: 7_100_000_000 }, "nearly_full", 71],
    ["whose mail waits", { oldestMailAt: now - 90 * 60_000 }, "mails_unsent", 90],
    ["whose record waits", { oldestTaxRecordAt: now - 2 * HOUR }, "tax_records_unsent", 120],
  ])("%s rings", (_, change, kind, value) => expect(kindsOf({ ...well, ...change })).toEqual([[kind, value]]));

  test("whose database does not answer rings that alone", () =>
    expect(kindsOf(undefined)).toEqual([["unreachable", 0]]));

  test("rings when requests fail or are slow, and not for a handful of them", () => {
    const kinds = (requests: number, failed: number, p95: number) =>
      alarmsOfRequests("acme", { requests, failed, p95 }).map(({ kind }) => kind);
    expect(kinds(100, 2, 40)).toEqual([]);
    expect(kinds(100, 3, 40)).toEqual(["errors"]);
    expect(kinds(100, 0, 2000)).toEqual(["slow"]);
    expect(kinds(49, 49, 9000)).toEqual([]);
  });
});

describe("an alarm", () => {
  const alarm: Alarm = { kind: "backup_late", account: "acme", value: 40 };
  const look = (before: readonly Ringing[], found: readonly Alarm[], wasLookedAt = true) =>
    compareAlarms(before, found, { wasLookedAt: () => wasLookedAt, now });
  const told = (ringing: readonly Ringing[]) => ringing.map((one) => ({ ...one, isTold: true }));

  test("is told at its second look, once, and once more when it is over", () => {
    const first = look([], [alarm]);
    expect(first.begun).toEqual([]);
    const second = look(first.ringing, [alarm]);
    expect(second.begun).toMatchObject([{ ...alarm, looks: 2, since: now }]);
    const third = look(told(second.ringing), [{ ...alarm, value: 41 }]);
    expect([third.begun, third.over, third.ringing[0]?.value]).toEqual([[], [], 41]);
    const fourth = look(third.ringing, []);
    expect([fourth.begun, fourth.over, fourth.ringing]).toMatchObject([[], [{ kind: "backup_late", value: 41 }], []]);
  });

  test("that was a hiccup is told of neither time", () => {
    const first = look([], [alarm]);
    expect(look(first.ringing, [])).toEqual({ ringing: [], begun: [], over: [] });
  });

  test("rings on where nobody looked", () => {
    const ringing = told(look(look([], [alarm]).ringing, [alarm]).ringing);
    expect(look(ringing, [], false)).toEqual({ ringing, begun: [], over: [] });
  });
});

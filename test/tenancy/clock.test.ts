import { describe, expect, test } from "vitest";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { getDayStart, toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";

const toInstant = (zone: string, text: string) => {
  const [date, time] = text.split(" ") as [CivilDate, TimeText];
  return new Date(toEpochInstant(zone, toCivilMinute(date, time))).toISOString();
};

describe("converting local time to a moment", () => {
  test.each([
    ["Europe/Madrid", "2027-03-28 01:59", "2027-03-28T00:59:00.000Z"],
    ["Europe/Madrid", "2027-03-28 03:00", "2027-03-28T01:00:00.000Z"],
    ["Europe/Madrid", "2026-10-25 01:59", "2026-10-24T23:59:00.000Z"],
    ["Europe/Madrid", "2026-10-25 03:00", "2026-10-25T02:00:00.000Z"],
    ["Atlantic/Canary", "2027-03-28 02:00", "2027-03-28T01:00:00.000Z"],
    ["America/Santiago", "2026-09-06 12:00", "2026-09-06T15:00:00.000Z"],
  ])("converts a local time in the zone %s to its moment: %s is %s", (zone, text, moment) =>
    expect(toInstant(zone, text)).toBe(moment),
  );

  test.each([
    ["Europe/Madrid", "2026-10-25 02:30", "2026-10-25T00:30:00.000Z"],
    ["Atlantic/Azores", "2026-10-25 00:30", "2026-10-25T00:30:00.000Z"],
    ["America/Santiago", "2026-04-04 23:30", "2026-04-05T02:30:00.000Z"],
  ])("chooses the first moment of a local time that occurs twice, in %s at %s", (zone, text, moment) =>
    expect(toInstant(zone, text)).toBe(moment),
  );

  test.each([
    ["Europe/Madrid", "2027-03-28 02:30", "2027-03-28T01:30:00.000Z"],
    ["Atlantic/Azores", "2027-03-28 00:30", "2027-03-28T01:30:00.000Z"],
    ["America/Santiago", "2026-09-06 00:30", "2026-09-06T04:30:00.000Z"],
  ])("moves a local time that daylight saving skips forward by the gap, in %s at %s", (zone, text, moment) =>
    expect(toInstant(zone, text)).toBe(moment),
  );

  // Proves "rules.md and conventions.md: the agency interface": A day begins when its date first shows on the account's
  //   clock
  test.each([
    ["Europe/Madrid", 2027],
    ["Atlantic/Azores", 2027],
    ["America/Santiago", 2026],
    ["Asia/Beirut", 2027],
    ["Pacific/Apia", 2027],
  ] as const)("finds the first minute of each day in %s in %i", (zone, year) => {
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
      const date = new Date(at).toISOString().slice(0, 10) as CivilDate;
      const start = getDayStart(zone, date);
      expect([toCivilNow(zone, start).date, toCivilNow(zone, start - 60_000).date < date]).toEqual([date, true]);
    }
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  type CivilDate,
  countRentalDays,
  fromCivilMinute,
  parseCivilDate,
  parseTimeOfDay,
  toCivilDate,
  toCivilMinute,
  toDayNumber,
  toWeekday,
} from "#domain/dates.ts";
import { aPeriod } from "#support/catalogue.ts";

const dayNumbers = fc.integer({
  min: toDayNumber("0001-01-01" as CivilDate),
  max: toDayNumber("9999-12-31" as CivilDate),
});

describe("dates", () => {
  test.each(["2026-02-28", "2028-02-29", "2000-02-29", "9999-12-31", "0001-01-01"])("%s exists", (text) => {
    expect(parseCivilDate(text)).toBe(text);
  });

  test.each([
    "2026-02-29",
    "2026-02-30",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-1-01",
    "26-01-01",
    "2026-01-01 ",
    "0000-01-01",
    "01/02/2026",
    "",
    "tomorrow",
  ])("%j is no date", (text) => {
    expect(parseCivilDate(text)).toBeUndefined();
  });

  test.each(["24:00", "25:99", "1:00", "10:60", "10:0", "", "10:00:00", "aa:bb"])("%j is no time of day", (text) => {
    expect(parseTimeOfDay(text)).toBeUndefined();
  });

  test("day numbers and dates are each other's inverse, and agree with the platform's calendar", () => {
    fc.assert(
      fc.property(dayNumbers, (day) => {
        const date = toCivilDate(day);
        expect(toDayNumber(date)).toBe(day);
        expect(new Date(day * 86_400_000).toISOString().slice(0, 10)).toBe(date);
        expect(toWeekday(date)).toBe(new Date(day * 86_400_000).getUTCDay() || 7);
        expect(addDays(addDays(date, 400), -400)).toBe(date);
      }),
    );
  });

  test("civil minutes keep the order of the clock and come back as they were", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (minute) => {
        const { date, time } = fromCivilMinute(minute);
        expect(toCivilMinute(date, time)).toBe(minute);
      }),
    );
  });
});

describe("rental days", () => {
  test.each([
    ["counts calendar days", "2026-06-01 10:00", "2026-06-04 10:00", 3],
    ["forgives a return within the grace", "2026-06-01 10:00", "2026-06-04 12:00", 3],
    ["charges a full day once the grace has passed", "2026-06-01 10:00", "2026-06-04 12:01", 4],
    ["charges one day for an hour", "2026-06-01 10:00", "2026-06-01 11:00", 1],
    ["charges one day for a day begun and ended within the day", "2026-06-01 08:00", "2026-06-01 20:00", 1],
    ["does not shorten for an earlier return time", "2026-06-01 18:00", "2026-06-03 09:00", 2],
    ["does not mind the night when clocks go forward", "2026-03-28 10:00", "2026-03-29 10:00", 1],
    ["does not mind the night when clocks go back", "2026-10-24 10:00", "2026-10-25 10:00", 1],
    ["counts a leap day", "2028-02-28 10:00", "2028-03-01 10:00", 2],
  ])("%s", (_, from, to, days) => {
    expect(countRentalDays(aPeriod(from, to), 120)).toBe(days);
  });

  test("a later return never makes fewer days", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000_000 }),
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 0, max: 1440 }),
        (start, length, longer, grace) => {
          const from = fromCivilMinute(start);
          const days = (end: number) => {
            const to = fromCivilMinute(end);
            return countRentalDays(
              { dateFrom: from.date, timeFrom: from.time, dateTo: to.date, timeTo: to.time },
              grace,
            );
          };
          // Times of day compare within their own day, so only whole days are comparable across midnight.
          expect(days(start + length + 1440)).toBeGreaterThanOrEqual(days(start + length));
          expect(days(start + length)).toBeGreaterThanOrEqual(1);
          expect(days(start + length + longer)).toBeLessThanOrEqual(Math.ceil((length + longer) / 1440) + 1);
        },
      ),
    );
  });
});

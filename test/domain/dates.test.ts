import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  type CivilDate,
  countRentalDays,
  formatTimestamp,
  fromCivilMinute,
  parseCivilDate,
  parseTimestamp,
  parseTimeText,
  toCivilDate,
  toCivilMinute,
  toDayNumber,
  toIsoWeekday,
} from "#domain/dates.ts";
import { createPeriod } from "#support/catalogue.ts";

const dayNumbers = fc.integer({
  min: toDayNumber("0001-01-01" as CivilDate),
  max: toDayNumber("9999-12-31" as CivilDate),
});

describe("dates", () => {
  test.each(["2026-02-28", "2028-02-29", "2000-02-29", "9999-12-31", "0001-01-01"])("accepts the date %s", (text) => {
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
    " 2026-01-01",
    "2026-01-011",
    "0000-01-01",
    "01/02/2026",
    "",
    "tomorrow",
  ])("rejects %j as a date", (text) => {
    expect(parseCivilDate(text)).toBeUndefined();
  });

  test.each(["24:00", "25:99", "1:00", "10:60", "10:0", "", "10:00:00", "aa:bb"])(
    "rejects %j as a time of day",
    (text) => {
      expect(parseTimeText(text)).toBeUndefined();
    },
  );

  test.each(["00:00", "09:59", "19:05", "23:59"])("accepts the time of day %s", (text) => {
    expect(parseTimeText(text)).toBe(text);
  });

  test("converts between day numbers and dates without loss, as the platform's calendar does", () => {
    fc.assert(
      fc.property(dayNumbers, (day) => {
        const date = toCivilDate(day);
        expect(toDayNumber(date)).toBe(day);
        expect(new Date(day * 86_400_000).toISOString().slice(0, 10)).toBe(date);
        expect(toIsoWeekday(date)).toBe(new Date(day * 86_400_000).getUTCDay() || 7);
        expect(addDays(addDays(date, 400), -400)).toBe(date);
      }),
    );
  });

  test("converts minutes to local date and time and back without loss", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (minute) => {
        const { date, time } = fromCivilMinute(minute);
        expect(toCivilMinute(date, time)).toBe(minute);
      }),
    );
  });
});

describe("timestamps", () => {
  const at = Date.UTC(2026, 10, 20, 9, 30, 5, 7);

  test.each([
    [60, "2026-11-20 10:30:05.007+01:00"],
    [0, "2026-11-20 09:30:05.007+00:00"],
    [-210, "2026-11-20 06:00:05.007-03:30"],
    [845, "2026-11-20 23:35:05.007+14:05"],
    [-600, "2026-11-19 23:30:05.007-10:00"],
  ])("formats a timestamp in a zone %i minutes ahead with its offset", (offset, text) => {
    expect(formatTimestamp(at, offset)).toBe(text);
    expect(formatTimestamp(at, offset, "T")).toBe(text.replace(" ", "T"));
    expect(parseTimestamp(text)).toBe(at);
  });

  test.each([
    ["2026-11-20T09:30:05.007Z", at],
    ["2026-11-20 09:30:05.0079Z", at],
    ["2026-11-20 09:30:05.007999999Z", at],
    ["2026-11-20 10:30:05.007 01:00", at],
    ["2026-11-20 10:30:05.007+0100", at],
    ["2026-11-20 09:30:05.07Z", at + 63],
    ["2026-11-20 09:30:05Z", at - 7],
    ["2026-11-20 09:30Z", at - 5007],
    ["1969-12-31 23:59:59.999Z", -1],
  ])("parses the timestamp %s to its moment", (text, moment) => {
    expect(parseTimestamp(text)).toBe(moment);
  });

  test.each([
    "",
    "2026-11-20",
    "2026-11-20 09:30",
    "2026-11-20 09:30:05",
    "2026-02-30 09:30Z",
    "2026-11-20 24:00Z",
    "2026-11-20 09:30:60Z",
    "2026-11-20 09:30:05.Z",
    "2026-11-20 09:30:05.1234567890Z",
    "2026-11-20_09:30Z",
    "2026-11-20 09:30+20:00",
    "2026-11-20 09:30+01:60",
    "2026-11-20 09:30*01:00",
    "2026-11-20 09:30Z ",
    " 2026-11-20 09:30Z",
  ])("rejects %j as a timestamp", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test("parses a written timestamp to the same moment, in any time zone and for all dates", () => {
    const moments = fc.integer({ min: -62_000_000_000_000, max: Date.UTC(9999, 11, 30) });
    fc.assert(
      fc.property(moments, fc.integer({ min: -840, max: 840 }), (moment, offset) => {
        expect(parseTimestamp(formatTimestamp(moment, offset))).toBe(moment);
      }),
    );
  });
});

// Proves "rules.md and conventions.md: the agency interface": Rental days
describe("rental days", () => {
  test.each([
    ["counts calendar days", "2026-06-01 10:00", "2026-06-04 10:00", 3],
    ["charges no day for a return within the grace period", "2026-06-01 10:00", "2026-06-04 12:00", 3],
    ["charges a full day after the grace period", "2026-06-01 10:00", "2026-06-04 12:01", 4],
    ["charges one day for an hour", "2026-06-01 10:00", "2026-06-01 11:00", 1],
    ["charges one day for a rental within one day", "2026-06-01 08:00", "2026-06-01 20:00", 1],
    ["charges the same for an earlier return time", "2026-06-01 18:00", "2026-06-03 09:00", 2],
    ["charges the same when clocks go forward", "2026-03-28 10:00", "2026-03-29 10:00", 1],
    ["charges the same when clocks go back", "2026-10-24 10:00", "2026-10-25 10:00", 1],
    ["counts a leap day", "2028-02-28 10:00", "2028-03-01 10:00", 2],
  ])("counts the days of a rental: %s", (_, from, to, days) => {
    expect(countRentalDays(createPeriod(from, to), 120)).toBe(days);
  });

  test("never counts fewer days for a later return", () => {
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
          // Times are compared within a day, so across midnight only whole days are comparable.
          expect(days(start + length + 1440)).toBeGreaterThanOrEqual(days(start + length));
          expect(days(start + length)).toBeGreaterThanOrEqual(1);
          expect(days(start + length + longer)).toBeLessThanOrEqual(Math.ceil((length + longer) / 1440) + 1);
        },
      ),
    );
  });
});

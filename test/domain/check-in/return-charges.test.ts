import { describe, expect, test } from "vitest";
import type { CheckInBooking } from "#domain/check-in/operations.ts";
import { summarizeReturnCharges } from "#domain/check-in/return-charges.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";

const booking = {
  period: {
    dateFrom: "2030-05-03" as CivilDate,
    timeFrom: "10:00" as TimeText,
    dateTo: "2030-05-08" as CivilDate,
    timeTo: "10:00" as TimeText,
  },
  dueCents: -500,
  totalCents: 20_000,
  depositHeldCents: 30_000,
} as CheckInBooking;

const closing = { extraDays: 1, extraDaysCents: 4000, fuelCents: 1600, kilometresCents: 400, missingEighths: 2 };
const toMinute = (date: string, time: string) => toCivilMinute(date as CivilDate, time as TimeText);

const summarize = (civilAt: number, { status = "done", isReopened = false }: Partial<Record<string, unknown>> = {}) =>
  summarizeReturnCharges(
    booking,
    { closing, status: status as "done" | "in_progress", isToCheck: false },
    { soldCents: 1000, civilAt, isReopened: isReopened === true },
  );

describe("the charges of a return", () => {
  test("adds days, fuel, kilometres and damage of a return to the amount due", () => {
    expect(summarize(toMinute("2030-05-08", "10:00"))).toMatchObject({
      ...{ closes: true, totalCents: 27_000, dueCents: 6500, soldCents: 1000, missingEighths: 2, extraKilometres: 0 },
      ...{ depositHeldCents: 30_000, isToCheck: false },
    });
  });

  test.each([
    { name: "on the last day", date: "2030-05-07", time: "10:01", days: 0 },
    { name: "a day early", date: "2030-05-07", time: "10:00", days: 1 },
    { name: "three days early", date: "2030-05-05", time: "09:00", days: 3 },
    { name: "late", date: "2030-05-09", time: "10:00", days: 0 },
  ])("counts the unused days of a return $name", ({ date, time, days }) => {
    expect(summarize(toMinute(date, time)).unusedDays).toBe(days);
  });

  test("counts no unused days while another vehicle is out or after a reopening", () => {
    const early = toMinute("2030-05-04", "10:00");
    expect(summarize(early, { status: "in_progress" })).toMatchObject({ closes: false, unusedDays: 0 });
    expect(summarize(early, { isReopened: true }).unusedDays).toBe(0);
  });
});

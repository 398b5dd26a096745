import { expect, test } from "vitest";
import { copyMondayToWeek, formatDayTimes, mergeWeeks } from "../../pwa/office/src/pages/week-times.ts";

test("copies Monday's times, with its break, to each day of the week", () => {
  const monday = [
    { weekday: 1, opens: "08:00", closes: "13:00" },
    { weekday: 1, opens: "16:00", closes: "20:00" },
  ];
  const week = copyMondayToWeek([...monday, { weekday: 7, opens: "10:00", closes: "11:00" }]);
  expect(week).toHaveLength(14);
  expect(week.filter(({ weekday }) => weekday === 7)).toEqual(monday.map((time) => ({ ...time, weekday: 7 })));
});

test("keeps typed days and takes days that only another user changed into the typed week", () => {
  const time = (weekday: number, opens: string) => ({ weekday, opens, closes: "19:00" });
  const original = [time(1, "09:00"), time(2, "09:00"), time(3, "09:00")];
  const typed = [time(1, "05:20"), time(2, "09:00"), time(3, "09:00")];
  const current = [time(1, "08:00"), time(2, "10:00"), time(7, "11:00")];
  expect(mergeWeeks(original, typed, current)).toEqual([time(1, "05:20"), time(2, "10:00"), time(7, "11:00")]);
  expect(mergeWeeks(original, original, current)).toEqual(current);
});

test("formats the times of a day in their order, and a closed day as an empty text", () => {
  const times = [
    { weekday: 1, opens: "16:00", closes: "20:00" },
    { weekday: 1, opens: "08:00", closes: "13:00" },
  ];
  expect([formatDayTimes(times, 1), formatDayTimes(times, 2)]).toEqual(["08:00–13:00, 16:00–20:00", ""]);
});

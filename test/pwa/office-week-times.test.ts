import { expect, test } from "vitest";
import { copyMondayToWeek } from "../../pwa/office/src/pages/week-times.ts";

test("copies Monday's times, with its break, to each day of the week", () => {
  const monday = [
    { weekday: 1, opens: "08:00", closes: "13:00" },
    { weekday: 1, opens: "16:00", closes: "20:00" },
  ];
  const week = copyMondayToWeek([...monday, { weekday: 7, opens: "10:00", closes: "11:00" }]);
  expect(week).toHaveLength(14);
  expect(week.filter(({ weekday }) => weekday === 7)).toEqual(monday.map((time) => ({ ...time, weekday: 7 })));
});

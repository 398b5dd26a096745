import { describe, expect, test } from "vitest";
import { addDays } from "../../pwa/widget/src/format.ts";
import { findNearestPeriod } from "../../pwa/widget/src/free-period.ts";

const FROM = "2030-05-10";
const PERIOD = { from: FROM, to: addDays(FROM, 2) };

/** Calendar around the wanted dates. Days are offsets from the wanted pickup. */
function createCalendar({
  sold,
  closed = [],
}: {
  readonly sold: readonly number[];
  readonly closed?: readonly number[];
}) {
  const offsets = Array.from({ length: 91 }, (_, index) => index - 45);
  const occupation = Object.fromEntries(
    offsets.map((offset) => {
      const available = !sold.includes(offset);
      const day = { free: available ? 1 : 0, available, selectable_day: available && !closed.includes(offset) };
      return [addDays(FROM, offset), day];
    }),
  );
  const returnDays = offsets.filter((offset) => !closed.includes(offset)).map((offset) => addDays(FROM, offset));
  return { occupation, returnDays };
}

const find = (calendar: Parameters<typeof createCalendar>[0]) =>
  findNearestPeriod(PERIOD, createCalendar(calendar))?.from;

describe("the nearest free period of a sold-out category", () => {
  test("suggests the closest free period of the wanted length, a later one before an earlier one", () => {
    expect(findNearestPeriod(PERIOD, createCalendar({ sold: [1] }))).toEqual({ from: "2030-05-12", to: "2030-05-14" });
    expect(find({ sold: [0] })).toBe("2030-05-11");
    expect(find({ sold: [2] })).toBe("2030-05-09");
    expect(find({ sold: [-1, 0, 1, 2, 3, 4, 5] })).toBe("2030-05-06");
  });

  test("suggests only periods that start on a day with pickups and end on a day with returns", () => {
    expect(find({ sold: [0], closed: [1] })).toBe("2030-05-12");
    expect(find({ sold: [0], closed: [1, 3, 4] })).toBe("2030-05-07");
  });

  test("suggests no period if none within 30 days is free", () => {
    const sold = Array.from({ length: 65 }, (_, index) => index - 32);
    expect(find({ sold })).toBeUndefined();
  });
});

import { formatDay } from "../../account.ts";

/** Width in pixels of a day that has room for the usual abbreviation of its weekday. */
const MIN_WEEKDAY_WIDTH = 31;

/** Returns a day's weekday as it fits into a width in pixels: "Mon", or "Mo" if it's narrow. */
export const formatWeekday = (date: string, dayWidth: number): string =>
  formatDay(date, "day")
    .replace(/[\d.,\s]+/g, "")
    .slice(0, dayWidth < MIN_WEEKDAY_WIDTH ? 2 : undefined);

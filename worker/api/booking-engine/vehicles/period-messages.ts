import { z } from "zod";
import type { WebsiteSettings } from "#domain/catalogue/catalogue.ts";
import { fields, type StaffAnswer, type Visitor, withPrefix } from "#worker/api/booking-engine/shared/messages.ts";

const formFields = fields(z.string(), "short_format", "default_format", "extended_format", "full_format");

type DateFormat = WebsiteSettings["frontendDateFormat"];

/** A period as `fromPeriod` tells it. */
export const periodFields = {
  ...fields(z.string(), "date_from", "time_from", "date_to", "time_to"),
  ...withPrefix("date_from_", formFields),
  ...withPrefix("date_to_", formFields),
};

/** The period in every form that websites show. */
export function fromPeriod(
  period: { readonly dateFrom: string; readonly timeFrom: string; readonly dateTo: string; readonly timeTo: string },
  visitor: Visitor,
  dateFormat: DateFormat,
): StaffAnswer<typeof periodFields> {
  return {
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    date_to: period.dateTo,
    time_to: period.timeTo,
    ...withPrefix("date_from_", dateForms(period.dateFrom, visitor.language, dateFormat)),
    ...withPrefix("date_to_", dateForms(period.dateTo, visitor.language, dateFormat)),
  };
}

/** `3 days`, in the visitor's language. */
export function daysText(days: number, spoken: string): string {
  return days.toLocaleString(spoken, { style: "unit", unit: "day", unitDisplay: "long" });
}

interface DateWords {
  readonly months: readonly string[];
  /** From Sunday on. */
  readonly weekdays: readonly string[];
}

const MONTHS = 12;
const WEEK = 7;
const dateWords = new Map<string, DateWords>();

// Formatting a name takes longer than all else of a period.
function dateWordsIn(spoken: string): DateWords {
  const known = dateWords.get(spoken);
  if (known) return known;
  const month = new Intl.DateTimeFormat(spoken, { month: "long", calendar: "gregory", timeZone: "UTC" });
  const weekday = new Intl.DateTimeFormat(spoken, { weekday: "long", calendar: "gregory", timeZone: "UTC" });
  const words = {
    months: Array.from({ length: MONTHS }, (_, index) => month.format(Date.UTC(2023, index, 1))),
    // 2023 begins on a Sunday.
    weekdays: Array.from({ length: WEEK }, (_, index) => weekday.format(Date.UTC(2023, 0, 1 + index))),
  };
  dateWords.set(spoken, words);
  return words;
}

function dateForms(date: string, spoken: string, pattern: DateFormat) {
  const [year = "", month = "", day = ""] = date.split("-");
  const form = pattern.replace("YYYY", year).replace("MM", month).replace("DD", day);
  const words = dateWordsIn(spoken);
  const extended = `${Number(day)} ${words.months[Number(month) - 1]} ${year}`;
  return {
    short_format: form.replace(/[./-]?\d{4}[./-]?/, ""),
    default_format: form,
    extended_format: extended,
    full_format: `${words.weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${extended}`,
  };
}

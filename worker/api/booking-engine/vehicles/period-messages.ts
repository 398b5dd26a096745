import { z } from "zod";
import { fields, type StaffAnswer, type Visitor, withPrefix } from "#worker/api/booking-engine/shared/messages.ts";

const formFields = fields(z.string(), "short_format", "default_format", "extended_format", "full_format");

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
): StaffAnswer<typeof periodFields> {
  return {
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    date_to: period.dateTo,
    time_to: period.timeTo,
    ...withPrefix("date_from_", dateForms(period.dateFrom, visitor.language)),
    ...withPrefix("date_to_", dateForms(period.dateTo, visitor.language)),
  };
}

interface DateWords {
  readonly month: Intl.DateTimeFormat;
  readonly weekday: Intl.DateTimeFormat;
}

const dateWords = new Map<string, DateWords>();

function dateWordsIn(spoken: string): DateWords {
  const known = dateWords.get(spoken);
  if (known) return known;
  const words = {
    month: new Intl.DateTimeFormat(spoken, { month: "long", timeZone: "UTC" }),
    weekday: new Intl.DateTimeFormat(spoken, { weekday: "long", timeZone: "UTC" }),
  };
  dateWords.set(spoken, words);
  return words;
}

function dateForms(date: string, spoken: string) {
  const [year, month, day] = date.split("-");
  const moment = Date.parse(`${date}T00:00:00Z`);
  const words = dateWordsIn(spoken);
  const extended = `${Number(day)} ${words.month.format(moment)} ${year}`;
  return {
    short_format: `${day}/${month}`,
    default_format: `${day}/${month}/${year}`,
    extended_format: extended,
    full_format: `${words.weekday.format(moment)} ${extended}`,
  };
}

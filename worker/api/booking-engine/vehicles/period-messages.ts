import { z } from "zod";
import type { WebsiteSettings } from "#domain/catalogue/catalogue.ts";
import {
  addPrefixToNames,
  createSchemaFields,
  type FieldsMessage,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";

const formFields = createSchemaFields(z.string(), "short_format", "default_format", "extended_format", "full_format");

type DateFormat = WebsiteSettings["frontendDateFormat"];

/** A period as returned by `toPeriodMessage`. */
export const periodFields = {
  ...createSchemaFields(z.string(), "date_from", "time_from", "date_to", "time_to"),
  ...addPrefixToNames("date_from_", formFields),
  ...addPrefixToNames("date_to_", formFields),
};

/** Returns a period in all formats that websites display. */
export function toPeriodMessage(
  period: { readonly dateFrom: string; readonly timeFrom: string; readonly dateTo: string; readonly timeTo: string },
  visitor: Visitor,
  dateFormat: DateFormat,
): FieldsMessage<typeof periodFields> {
  return {
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    date_to: period.dateTo,
    time_to: period.timeTo,
    ...addPrefixToNames("date_from_", dateForms(period.dateFrom, visitor.language, dateFormat)),
    ...addPrefixToNames("date_to_", dateForms(period.dateTo, visitor.language, dateFormat)),
  };
}

/** Formats `3 days` in the visitor's language. */
export function formatDayCount(days: number, language: string): string {
  return days.toLocaleString(language, { style: "unit", unit: "day", unitDisplay: "long" });
}

/**
 * Date patterns of a language by month, `{day} de {month} de {year}`, because a month may change the words around it.
 */
interface DateFormats {
  readonly extended: readonly string[];
  readonly full: readonly string[];
  /** Names of the weekdays, starting with Sunday. */
  readonly weekdays: readonly string[];
}

const MONTHS = 12;
const WEEK = 7;
const dateFormats = new Map<string, DateFormats>();

// Cached, because formatting a date takes longer than the rest of a period.
function getDateFormats(spoken: string): DateFormats {
  const known = dateFormats.get(spoken);
  if (known) return known;
  const loadedFormats = loadDateFormats(spoken);
  dateFormats.set(spoken, loadedFormats);
  return loadedFormats;
}

// English uses the format of existing websites: Tuesday 10 December 2030.
function loadDateFormats(spoken: string): DateFormats {
  const isEnglish = spoken === "en";
  const locale = isEnglish ? "en-GB" : spoken;
  const form = (dateStyle: "long" | "full") =>
    new Intl.DateTimeFormat(locale, { dateStyle, calendar: "gregory", timeZone: "UTC" });
  const [long, full] = [form("long"), form("full")];
  const months = Array.from({ length: MONTHS }, (_, month) => Date.UTC(2023, month, 1));
  return {
    extended: months.map((date) => toDatePattern(long.formatToParts(date))),
    full: months.map((date) => {
      const loadedFormats = toDatePattern(full.formatToParts(date));
      return isEnglish ? loadedFormats.replace(",", "") : loadedFormats;
    }),
    // 2023 begins on a Sunday.
    weekdays: Array.from({ length: WEEK }, (_, index) => getWeekday(full.formatToParts(Date.UTC(2023, 0, 1 + index)))),
  };
}

const OPEN = new Set(["weekday", "day", "year"]);

function toDatePattern(parts: readonly Intl.DateTimeFormatPart[]): string {
  return parts.map(({ type, value }) => (OPEN.has(type) ? `{${type}}` : value)).join("");
}

function getWeekday(parts: readonly Intl.DateTimeFormatPart[]): string {
  return parts.find(({ type }) => type === "weekday")?.value ?? "";
}

function dateForms(date: string, spoken: string, pattern: DateFormat) {
  const [year = "", month = "", day = ""] = date.split("-");
  const form = pattern.replace("YYYY", year).replace("MM", month).replace("DD", day);
  const { extended, full, weekdays } = getDateFormats(spoken);
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";
  const formatDate = (loadedFormats: readonly string[]) =>
    (loadedFormats[Number(month) - 1] ?? "")
      .replace("{weekday}", weekday)
      .replace("{day}", String(Number(day)))
      .replace("{year}", year);
  return {
    short_format: form.replace(/[./-]?\d{4}[./-]?/, ""),
    default_format: form,
    extended_format: formatDate(extended),
    full_format: formatDate(full),
  };
}

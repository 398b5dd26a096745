import { z } from "zod";
import type { Category } from "#domain/catalogue/catalogue.ts";
import { isLanguage, type Translations } from "#domain/catalogue/languages.ts";
import { formatProblem, problem } from "#domain/catalogue/resources/problems.ts";
import { isCountry, resolveCountryAlias } from "#domain/communications/countries.ts";
import { type CivilDate, parseCivilDate, parseTimeText, type TimeText } from "#domain/dates.ts";
import { isName, isPlainText } from "#domain/plain-text.ts";

/** A date `yyyy-mm-dd` that exists. */
export const civilDate = z
  .string("must be a date, yyyy-mm-dd")
  .refine((text) => parseCivilDate(text) !== undefined, "must be a date that exists, yyyy-mm-dd")
  .transform((text) => text as CivilDate)
  .meta({ type: "string", format: "date", example: "2030-06-10" });

/** Whether somebody can be born on a date: it has begun somewhere on Earth. */
export function isBirthDate(date: string): boolean {
  return date <= new Date(Date.now() + EARLIEST_ZONE_MILLISECONDS).toISOString().slice(0, 10);
}

const EARLIEST_ZONE_MILLISECONDS = 14 * 3_600_000;
export const BIRTH_DATE_ERROR = "must be a day that has been";

/** A date on which somebody was born. */
export const birthDate = civilDate.refine(isBirthDate, BIRTH_DATE_ERROR);

/** A time of day `hh:mm`. */
export const timeText = z
  .string("must be a time, hh:mm")
  .refine((text) => parseTimeText(text) !== undefined, "must be a time of day, hh:mm from 00:00 to 23:59")
  .transform((text) => text as TimeText)
  .meta({ type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", example: "10:00" });

/** An ISO 639-1 code, in lower case inside. */
export const language = z
  .string("must be a language code of ISO 639-1")
  .transform((text) => text.toLowerCase())
  .refine(isLanguage, "must be a language code of ISO 639-1, two letters")
  .meta({ type: "string", example: "en" });

/** Why two letters are no country's, and whose they are meant to be. */
export function notACountry(code: string): string {
  const matchedCountry = resolveCountryAlias(code);
  return formatProblem(matchedCountry ? problem("", "country_meant", matchedCountry, code) : problem("", "country"));
}

/** A country that there is, by its two letters; in capitals inside. */
export const country = z
  .string("must be text")
  .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters")
  .transform((text) => text.toUpperCase())
  .refine(isCountry, { error: ({ input }) => notACountry(String(input)) })
  .meta({ type: "string", example: "ES" });

/** A whole number that a query carries as text. */
export function integerText(max: number, smallest = 0) {
  return z
    .string("must be a whole number")
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= smallest && Number(text) <= max,
      `must be a whole number from ${smallest} to ${max}`,
    )
    .transform(Number);
}

/**
 * A line of text that a person reads: trimmed, of 1 to `longest` characters, without control characters and pictures.
 */
export function textLine(maxLength: number) {
  return z
    .string("must be text")
    .refine(isPlainText, "must be plain text: no control characters, no emoji")
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, "must not be empty")
    .refine((text) => [...text].length <= maxLength, `must have at most ${maxLength} characters`)
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

/** A note that is typed in a box: its lines stay lines, each as `textLine` takes it. */
export function noteText(maxLength: number) {
  return inLines(maxLength, (text) => text);
}

/** What is typed in such a box and printed on one line: its line breaks are spaces. */
export function reasonText(maxLength: number) {
  return inLines(maxLength, (text) => text.replaceAll(/\n+/g, " "));
}

function inLines(maxLength: number, toStoredText: (text: string) => string) {
  return z
    .string("must be text")
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .refine((text) => isPlainText(text.replaceAll("\n", " ")), "must be plain text: no control characters, no emoji")
    .transform(toStoredText)
    .refine((text) => text.length > 0, "must not be empty")
    .refine((text) => [...text].length <= maxLength, `must have at most ${maxLength} characters`)
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

/** The name of a person, as somebody types it. */
export function personName(maxLength: number) {
  return textLine(maxLength).refine(isName, "must be a name, without a link");
}

/** An e-mail address, as loosely as agencies and websites write them. */
export function emailAddress(maxLength: number) {
  return textLine(maxLength).refine((text) => /^[^@\s]+@[^@\s]+$/.test(text), "must be an e-mail address");
}

/** An amount on the wire. */
export const amount = z.string().meta({ pattern: "^-?\\d+(\\.\\d+)?$", example: "120.00" });

/** The address of an image: paths are of the account's own site, which is asked at `origin`. */
export function imageAddress(path: string, origin: string): string;
export function imageAddress(path: string | undefined, origin: string): string | null;
export function imageAddress(path: string | undefined, origin: string): string | null {
  if (path === undefined) return null;
  return path.startsWith("/") ? origin + path : path;
}

/** The text in a language; in the account's own where there is no translation. */
export function textIn(spoken: string, translations: Translations, text: string): string {
  return translations[spoken] ?? text;
}

/** What every interface tells of a category's vehicles. */
export function keyCharacteristics({ doors, seats, suitcases, transmission, fuel, airConditioner }: Category) {
  return {
    doors: doors ?? null,
    seats: seats ?? null,
    suitcases: suitcases ?? null,
    transmission: transmission ?? null,
    fuel: fuel ?? null,
    air_conditioner: airConditioner ? "yes" : "no",
  };
}

/** A shape with a member of each name. */
export function shapeFrom<Name extends string, Of extends z.ZodType>(
  names: readonly Name[],
  toSchema: (name: Name) => Of,
) {
  return Object.fromEntries(names.map((name) => [name, toSchema(name)])) as Record<Name, Of>;
}

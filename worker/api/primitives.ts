import { z } from "zod";
import type { Category } from "#domain/catalogue/catalogue.ts";
import { isLanguageCode, type Translations } from "#domain/catalogue/languages.ts";
import { isCountryCode, resolveCountryAlias } from "#domain/countries.ts";
import { type CivilDate, parseCivilDate, parseTimeText, type TimeText } from "#domain/dates.ts";
import type { FieldCode } from "#domain/failure-codes.ts";
import {
  cleanPastedText,
  isDocumentId,
  isPhonePrefix,
  normalizeDocumentId,
  normalizeEmail,
  normalizeOrCleanEmail,
  normalizePhone,
} from "#domain/identity.ts";
import { parseAmount } from "#domain/money.ts";
import {
  isPrintableText,
  isVisibleTextWithoutLinks,
  normalizeLine,
  normalizeName,
  removeInvisibleCharacters,
} from "#domain/plain-text.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import {
  createReasonWithUncheckedValues,
  type Problem,
  type ProblemCode,
  type ReasonValues,
} from "#domain/problems.ts";

/** Largest id that a request may contain. */
export const MAX_ID = 999_999_999_999;

/** Existing date in the format `yyyy-mm-dd`. */
export const civilDateSchema = z
  .string("must be a date, yyyy-mm-dd")
  .refine((text) => parseCivilDate(text) !== undefined, createRefineOptions("date"))
  .transform((text) => text as CivilDate)
  .meta({ type: "string", format: "date", example: "2030-06-10" });

/** Whether a date can be a birth date: it has started in some time zone. */
export function isPossibleBirthDate(date: string): boolean {
  return date <= new Date(Date.now() + EARLIEST_ZONE_MILLISECONDS).toISOString().slice(0, 10);
}

const EARLIEST_ZONE_MILLISECONDS = 14 * 3_600_000;
export const BIRTH_DATE_ERROR = "must be a day that has been";

/** Birth date. */
export const birthDate = civilDateSchema.refine(isPossibleBirthDate, BIRTH_DATE_ERROR);

/** Time of day in the format `hh:mm`. */
export const timeTextSchema = z
  .string("must be a time, hh:mm")
  .refine((text) => parseTimeText(text) !== undefined, createRefineOptions("time"))
  .transform((text) => text as TimeText)
  .meta({ type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", example: "10:00" });

/** ISO 639-1 code, converted to lower case. */
export const languageCode = z
  .string("must be a language code of ISO 639-1")
  .transform((text) => text.toLowerCase())
  .refine(isLanguageCode, createRefineOptions("language"))
  .meta({ type: "string", example: "en" });

/** Adds the issue of an unknown country code, with the country that was probably meant. */
export function addUnknownCountryIssue(code: string, { addIssue }: Pick<z.RefinementCtx, "addIssue">): void {
  if (isCountryCode(code)) return;
  const matchedCountry = resolveCountryAlias(code);
  addIssue(matchedCountry ? createProblemIssue("country_meant", matchedCountry, code) : createProblemIssue("country"));
}

const FULL_RATE_BASIS_POINTS = 10_000;

/** Whether a text is a percentage from 0 to 100 with at most two decimals. */
export function isPercentage(text: string): boolean {
  return (parseAmount(text, 2) ?? FULL_RATE_BASIS_POINTS + 1) <= FULL_RATE_BASIS_POINTS;
}

/** Problem of a text that isn't a percentage. */
export const PERCENTAGE_RANGE = createRefineOptions("percent", 0, 100);

/** Percentage as a decimal text. */
export const percentageTextSchema = z
  .string("must be a decimal number in a text")
  .refine(isPercentage, PERCENTAGE_RANGE)
  .meta({ type: "string", pattern: "^\\d+(\\.\\d+)?$", example: "5.00" });

/** Existing two-letter country code, converted to upper case. */
export const countryCode = z
  .string("must be text")
  .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters")
  .transform((text) => text.toUpperCase())
  .superRefine(addUnknownCountryIssue)
  .meta({ type: "string", example: "ES" });

/** Creates the schema of a country as people fill it in: a name, or an existing two-letter code. */
export function countryTextSchema(maxLength: number) {
  return textLineSchema(maxLength)
    .transform((text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : text))
    .superRefine((text, context) => {
      if (/^[A-Z]{2}$/.test(text)) addUnknownCountryIssue(text, context);
    });
}

/** Creates the schema of an integer that a query carries as text. */
export function integerTextSchema(max: number, min = 0) {
  return z
    .string("must be a whole number")
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max,
      createRefineOptions("whole", min, max),
    )
    .transform(Number)
    .meta({ type: "integer" });
}

/**
 * Creates the schema of a line of readable text: trimmed, 1 to `maxLength` characters, without control characters and
 * emoji.
 */
export function textLineSchema(maxLength: number) {
  return line(maxLength, normalizeLine);
}

function line(maxLength: number, clean: (text: string) => string) {
  return z
    .string("must be text")
    .transform(clean)
    .refine(isPrintableText, createRefineOptions("plain"))
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, createRefineOptions("empty"))
    .refine((text) => [...text].length <= maxLength, createRefineOptions("too_long", maxLength))
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

/** Creates the schema of a multi-line note. Keeps its line breaks and validates each line like `textLineSchema`. */
export function noteText(maxLength: number) {
  return inLines(maxLength, (text) => text);
}

/** Creates the schema of a multi-line text that is printed on one line. Replaces its line breaks with spaces. */
export function reasonText(maxLength: number) {
  return inLines(maxLength, (text) => text.replaceAll(/\n+/g, " "));
}

function inLines(maxLength: number, toStoredText: (text: string) => string) {
  return z
    .string("must be text")
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .refine((text) => isPrintableText(text.replaceAll("\n", " ")), createRefineOptions("plain"))
    .transform(toStoredText)
    .refine((text) => text.length > 0, createRefineOptions("empty"))
    .refine((text) => [...text].length <= maxLength, createRefineOptions("too_long", maxLength))
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

/** Creates the schema of a person's name. */
export function personName(maxLength: number) {
  return line(maxLength, normalizeName).refine(isVisibleTextWithoutLinks, createRefineOptions("person_name"));
}

// RFC 5321, section 4.5.3.1.3, without the angle brackets.
const MAX_EMAIL_LENGTH = 254;

/** Creates the schema of an e-mail address to which mails can be delivered. */
export function emailAddressSchema() {
  return line(MAX_EMAIL_LENGTH, normalizeOrCleanEmail).refine(
    (text) => normalizeEmail(text) !== undefined,
    createRefineOptions("email"),
  );
}

/** Creates the schema of a telephone number. Keeps its separators and removes invisible characters. */
export function phoneNumber(maxLength: number) {
  return line(maxLength, cleanPastedText).refine(
    (text) => normalizePhone(text) !== undefined,
    createRefineOptions("telephone"),
  );
}

/** Creates the schema of a telephone's country code. */
export function phonePrefix(maxLength: number) {
  return line(maxLength, cleanPastedText).refine(isPhonePrefix, createRefineOptions("telephone"));
}

/**
 * Creates the schema of a document or tax number. Removes invisible characters, and the ES prefix of a Spanish number.
 * Refuses placeholders.
 */
export function documentNumber(maxLength: number) {
  return line(maxLength, normalizeDocumentId).refine(isDocumentId, createRefineOptions("document"));
}

/** Creates the schema of a pasted code: a plate, postcode, reference or promotion code. */
export function pastedCodeSchema(maxLength: number) {
  return line(maxLength, cleanPastedText);
}

const blank = z
  .string()
  .refine((text) => cleanPastedText(text) === "")
  .transform(() => "" as const)
  .meta({ type: "string", enum: [""] });

/** Creates the schema of a promotion code. A blank text means none. */
export function promotionCode(maxLength: number) {
  return z.union([blank, pastedCodeSchema(maxLength)], "must be a promotion code");
}

/** Creates the schema of a searched text, which may be pasted with invisible characters. */
export function searchedTextSchema(maxLength: number) {
  return line(maxLength, removeInvisibleCharacters);
}

/** Amount in the API format. */
export const decimalAmountSchema = z.string().meta({ pattern: "^-?\\d+(\\.\\d+)?$", example: "120.00" });

/** Returns the address of an image. Paths belong to the account's own site, at `origin`. */
export function toImageUrl(path: string, origin: string): string;
export function toImageUrl(path: string | undefined, origin: string): string | null;
export function toImageUrl(path: string | undefined, origin: string): string | null {
  if (path === undefined) return null;
  return path.startsWith("/") ? origin + path : path;
}

/** Returns the text in a language, or in the account's own language if there is no translation. */
export function pickTranslation(language: string, translations: Translations, text: string): string {
  return translations[language] ?? text;
}

/** Converts the characteristics of a category's vehicles that every API returns. */
export function toKeyCharacteristicsMessage({ doors, seats, suitcases, transmission, fuel, airConditioner }: Category) {
  return {
    doors: doors ?? null,
    seats: seats ?? null,
    suitcases: suitcases ?? null,
    transmission: transmission ?? null,
    fuel: fuel ?? null,
    air_conditioner: airConditioner ? "yes" : "no",
  };
}

/** Creates a shape with one member for each name. */
export function mapNamesToSchemas<Name extends string, Of extends z.ZodType>(
  names: readonly Name[],
  toSchema: (name: Name) => Of,
) {
  return Object.fromEntries(names.map((name) => [name, toSchema(name)])) as Record<Name, Of>;
}

/** Returns what a schema's `refine` needs for a rule: the message, and the code that the answer carries. */
export function createRefineOptions<Code extends ProblemCode>(code: Code, ...values: ReasonValues<Code>) {
  const broken = createReasonWithUncheckedValues(code, values);
  return { error: formatProblem(broken), params: { ...broken } };
}

/** Input of an object schema's rule with the issues so far. */
interface RulePayload {
  readonly value: unknown;
  readonly issues: readonly { readonly path?: readonly PropertyKey[] | undefined }[];
}

/** Returns the issue of a `transform` or `superRefine` for a rule: the message, and the code of the answer. */
export function createProblemIssue<Code extends ProblemCode>(code: Code, ...values: ReasonValues<Code>) {
  const { error, params } = createRefineOptions(code, ...values);
  return { code: "custom" as const, message: error, params };
}

/**
 * Returns what an object's `refine` needs for a rule between fields. The problem belongs to the first one.
 * The rule also runs if fields that it doesn't involve have problems.
 */
export function createCrossFieldRuleOptions(fields: readonly [string, ...string[]]) {
  const hasIssue = ({ issues }: RulePayload, field: string) => issues.some(({ path = [] }) => path[0] === field);
  return {
    path: [fields[0]],
    when: (payload: RulePayload) =>
      typeof payload.value === "object" && payload.value !== null && !fields.some((field) => hasIssue(payload, field)),
  };
}

/** Part of an error response: a refused field, or another fact. `code` is for programs, `message` for developers. */
export interface FailureDetail {
  readonly field: string;
  readonly message: string;
  readonly code?: FieldCode | undefined;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

/** A refused field, whose code is always known. */
export type FieldDetail = FailureDetail & { readonly code: ProblemCode };

/** Converts a refused field to its response: code and parameters for programs, the message for developers. */
export function toFieldDetail({ field, code, params }: Problem): FieldDetail {
  return { field, message: formatProblem({ code, params }), code, ...(params && { params }) };
}

/** At most 200 ids separated by commas, for the export of a selection. */
export const commaSeparatedIdsSchema = z
  .string("must be ids separated by commas")
  .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14}){0,199}$/, "must be at most 200 ids separated by commas")
  .transform((text) => text.split(",").map(Number))
  .optional()
  .meta({ type: "string", description: "Only these, for the export of a selection" });

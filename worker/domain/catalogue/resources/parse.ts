import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "#domain/access/password-length.ts";
import { parseAmount } from "#domain/amount-text.ts";
import { isCountryCode, resolveCountryAlias } from "#domain/countries.ts";
import { parseCivilDate, parseTimeText } from "#domain/dates.ts";
import {
  cleanPastedText,
  isDocumentId,
  normalizeDocumentId,
  normalizeEmail,
  normalizeOrCleanEmail,
  normalizePhone,
} from "#domain/identity.ts";
import { isPrintableText, isVisibleTextWithoutLinks, normalizeName } from "#domain/plain-text.ts";
import { createProblem, createReasonWithUncheckedValues, type Problem, type ProblemCode } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type FieldUnit,
  type FieldValue,
  type FieldWithKind,
  MAX_LINE_LENGTH,
  type ResourceField,
  type ResourceValues,
  type TextFieldFormat,
} from "./fields.ts";
import { findResourceField, type Resource } from "./resource.ts";

const PERCENT_DECIMALS = 2;
const FULL_RATE_BASIS_POINTS = 10_000;
const MAX_WHOLE_NUMBER = 9999;
const MAX_LIST_LENGTH = 500;
const MAX_TEXT_LENGTH = 4_000;

type ResourceInput = Readonly<Record<string, unknown>>;

interface Reading {
  /** Decimals of the account's currency. */
  readonly decimals: number;
  /** Existing resource in its API form, if any. */
  readonly present?: ResourceInput | undefined;
}

/** Valid values of a resource, and the problems of its other fields. */
export interface ParsedResourceValues {
  readonly values: ResourceValues;
  readonly problems: readonly Problem[];
}

/**
 * Parses the submitted fields of a resource and returns every invalid field with its problem. A new resource needs all
 * required fields. Absent fields of an existing one stay unchanged. The pages run the same checks before sending.
 */
export function parseResourceValues(
  resource: Pick<Resource, "fields">,
  resourceInput: ResourceInput,
  reading: Reading,
): ParsedResourceValues {
  const problems: Problem[] = Object.keys(resourceInput)
    .filter((name) => !findResourceField(resource, name))
    .map((name) => createProblem(name, "unknown_field"));
  const values: Record<string, FieldValue> = {};
  const mergedValues = { ...reading.present, ...resourceInput };
  for (const field of resource.fields) {
    const parsed = parseStatedField(field, resourceInput, { ...reading, beside: mergedValues });
    if (parsed?.ok) values[field.name] = parsed.value;
    else problems.push(...(parsed?.error ?? []));
  }
  return { values, problems: removeDuplicates(problems) };
}

// A number and its unit can report the same problem. Keep one per field.
function removeDuplicates(problems: readonly Problem[]): readonly Problem[] {
  const fields = problems.map(({ field }) => field);
  return problems.filter(({ field }, index) => fields.indexOf(field) === index);
}

function parseStatedField(
  field: ResourceField,
  resourceInput: ResourceInput,
  reading: FieldReading,
): Parsed | undefined {
  const inputValue = resourceInput[field.name] === "" ? null : resourceInput[field.name];
  const { present } = reading;
  if (field.isReadOnly)
    return inputValue === undefined || inputValue === (present?.[field.name] ?? null)
      ? undefined
      : refuseField(field.name, "fixed");
  if (inputValue === undefined)
    return isMissing(field, resourceInput, present) ? refuseField(field.name, "missing") : undefined;
  if (field.fixed && present && present[field.name] !== inputValue) return refuseField(field.name, "fixed");
  return parseField(field, inputValue, reading);
}

// The field for the unit can't change without the number.
function isMissing(field: ResourceField, resourceInput: ResourceInput, present: ResourceInput | undefined): boolean {
  if (!present) return field.required === true;
  return (
    field.kind === "measured" && resourceInput[field.by] !== undefined && resourceInput[field.by] !== present[field.by]
  );
}

interface FieldReading extends Reading {
  readonly beside: ResourceInput;
}
type Parsed = Result<FieldValue, readonly Problem[]>;

function parseField(field: ResourceField, inputValue: unknown, reading: FieldReading): Parsed {
  if (inputValue !== null) return PARSERS[field.kind](field as never, inputValue, reading);
  if (field.nullable) return ok(null);
  // Clearing a field with a default restores the default.
  if (field.initial && "is" in field.initial) return ok(field.initial.is);
  return refuseField(field.name, "missing");
}

const PARSERS: {
  readonly [K in ResourceField["kind"]]: (item: FieldWithKind<K>, inputValue: unknown, reading: FieldReading) => Parsed;
} = {
  text: (item, inputValue) => parseText(item, inputValue),
  whole: ({ name, smallest, largest }, inputValue) => {
    const number = typeof inputValue === "string" && /^-?\d{1,12}$/.test(inputValue) ? Number(inputValue) : inputValue;
    const isRight = typeof number === "number" && Number.isInteger(number) && number >= smallest && number <= largest;
    return isRight ? ok(number) : refuseField(name, "whole", smallest, largest);
  },
  coordinate: ({ name, largest }, inputValue) => {
    const number =
      typeof inputValue === "string" && /^-?\d{1,3}(\.\d{1,12})?$/.test(inputValue) ? Number(inputValue) : inputValue;
    return typeof number === "number" && Math.abs(number) <= largest
      ? ok(number)
      : refuseField(name, "coordinate", largest);
  },
  money: ({ name }, inputValue, { decimals }) => parseUnit(name, "money", inputValue, decimals),
  percent: ({ name }, inputValue, { decimals }) => parseUnit(name, "percent", inputValue, decimals),
  measured: ({ name, by, units }, inputValue, { decimals, beside }) => {
    const resourceInput = beside[by];
    const unit =
      typeof resourceInput === "string" && Object.hasOwn(units, resourceInput) ? units[resourceInput] : undefined;
    return unit
      ? parseUnit(name, unit, inputValue, decimals)
      : err(unmeasured({ name, by, units }, inputValue, decimals));
  },
  flag: ({ name }, inputValue) => (typeof inputValue === "boolean" ? ok(inputValue) : refuseField(name, "flag")),
  date: ({ name }, inputValue) =>
    typeof inputValue === "string" && parseCivilDate(inputValue) !== undefined
      ? ok(inputValue)
      : refuseField(name, "date"),
  time: ({ name }, inputValue) =>
    typeof inputValue === "string" && parseTimeText(inputValue) !== undefined
      ? ok(inputValue)
      : refuseField(name, "time"),
  choice: ({ name, options }, inputValue) =>
    typeof inputValue === "string" && options.includes(inputValue)
      ? ok(inputValue)
      : refuseField(name, "choice", options.join(", ")),
  list: (item, inputValue) => parseList(item, inputValue),
  reference: ({ name, isNumber }, inputValue) => parseReference(name, inputValue, isNumber),
  references: ({ name, isNumber }, inputValue) => {
    if (!Array.isArray(inputValue) || inputValue.length > MAX_LIST_LENGTH) return refuseField(name, "list");
    const parsed = inputValue.map((item) => parseReference(name, item, isNumber));
    const refused = parsed.find((item) => !item.ok);
    if (refused) return refused;
    const values = parsed.flatMap((item) => (item.ok ? [item.value as string | number] : []));
    return new Set(values).size === values.length ? ok(values) : refuseField(name, "twice");
  },
  secret: ({ name, smallest }, inputValue) => parseSecret(name, inputValue, smallest),
  record: (item, inputValue) => parseRecord(item, inputValue),
  rows: ({ name, fields }, inputValue, reading) => {
    if (!Array.isArray(inputValue) || inputValue.length > MAX_LIST_LENGTH) return refuseField(name, "rows");
    const problems: Problem[] = [];
    const rows: ResourceValues[] = [];
    for (const [index, row] of inputValue.entries()) {
      const at = `${name}.${index}`;
      if (!isRecord(row)) return refuseField(at, "rows");
      const parsed = parseResourceValues({ fields }, row, { decimals: reading.decimals });
      rows.push({ ...getDefaultResourceValues(fields), ...parsed.values });
      problems.push(...parsed.problems.map((problem) => ({ ...problem, field: `${at}.${problem.field}` })));
    }
    return problems.length > 0 ? err(problems) : ok(rows);
  },
  texts: ({ name, fields }, inputValue) => parseTexts(name, fields, inputValue),
};

/** Returns the defaults of a new resource's fields that the code defines. */
export function getDefaultResourceValues(fields: readonly ResourceField[]): ResourceValues {
  const known = fields.flatMap(({ name, initial, nullable }) =>
    initial && "is" in initial ? [[name, initial.is] as const] : nullable ? [[name, null] as const] : [],
  );
  return Object.fromEntries(known);
}

// Checks a number with an unknown unit. Some values are invalid in any unit.
function unmeasured(
  { name, by, units }: Pick<FieldWithKind<"measured">, "name" | "by" | "units">,
  inputValue: unknown,
  decimals: number,
): readonly Problem[] {
  const parsed = Object.values(units).map((unit) => parseUnit(name, unit, inputValue, decimals));
  const [own] = parsed.some(({ ok }) => ok) ? [] : parsed.flatMap((parsed) => (parsed.ok ? [] : parsed.error));
  return [createProblem(by, "choice", Object.keys(units).join(", ")), ...(own ? [own] : [])];
}

function parseUnit(name: string, unit: FieldUnit, inputValue: unknown, decimals: number): Parsed {
  const text = typeof inputValue === "number" ? String(inputValue) : inputValue;
  if (typeof text !== "string") return refuseUnit(name, unit);
  if (unit === "whole") return /^\d{1,4}$/.test(text) ? ok(Number(text)) : refuseUnit(name, unit);
  const value = parseAmount(text, unit === "percent" ? PERCENT_DECIMALS : decimals);
  const isRight =
    value !== undefined && Number.isSafeInteger(value) && (unit === "money" || value <= FULL_RATE_BASIS_POINTS);
  return isRight ? ok(value) : refuseUnit(name, unit);
}

function refuseUnit(name: string, unit: FieldUnit): Parsed {
  const [min, max] = [0, unit === "percent" ? 100 : MAX_WHOLE_NUMBER];
  return refuseField(name, unit, min, max);
}

const FORMS: Readonly<Partial<Record<TextFieldFormat, RegExp>>> = {
  code: /^[A-Za-z0-9_.-]+$/,
  capitals: /^[A-Za-z0-9_.-]+$/,
  key: /^[A-Za-z0-9_.-]{3,64}$/,
  language: /^[a-z]{2}$/,
  country: /^[A-Z]{2}$/,
  currency: /^[A-Z]{3}$/,
  timezone: /^[A-Za-z]+(\/[A-Za-z0-9_+-]+){0,2}$/,
  serie: /^[A-Za-z0-9][A-Za-z0-9 ./_-]*$/,
  acriss: /^[A-Z]{4}$/,
  address: /^https?:\/\/[^\s"<>]+$/,
};

/** Functions that clean texts which people paste, as at every other entry point. */
const CLEANERS: Readonly<Partial<Record<TextFieldFormat, (text: string) => string>>> = {
  email: normalizeOrCleanEmail,
  phone: cleanPastedText,
  document: normalizeDocumentId,
  pasted: cleanPastedText,
  person: normalizeName,
};

const CAPITALS: ReadonlySet<TextFieldFormat> = new Set(["capitals", "acriss"]);

function parseText({ name, longest, form, required }: FieldWithKind<"text">, inputValue: unknown): Parsed {
  if (typeof inputValue !== "string") return refuseField(name, "text");
  const cleanedText = form && CLEANERS[form] ? CLEANERS[form](inputValue) : inputValue;
  // Descriptions can have several lines. Names appear in mail subjects, and addresses in mail links.
  if (!(longest > MAX_LINE_LENGTH ? isPlainLines(cleanedText) : isPrintableText(cleanedText.trim())))
    return refuseField(name, "plain");
  const text = form && CAPITALS.has(form) ? cleanedText.trim().toUpperCase() : cleanedText.trim();
  if (text === "" && required) return refuseField(name, "missing");
  if ([...text].length > longest) return refuseField(name, "too_long", longest);
  return form ? parseTextForm(name, text, form, longest) : ok(text);
}

const isPlainLines = (text: string) => isPrintableText(text.replaceAll(/\r?\n/g, " "));

function parseTextForm(name: string, text: string, form: TextFieldFormat, maxLength: number): Parsed {
  if (FORMS[form]?.test(text) === false) return refuseField(name, toProblemCode(form), maxLength);
  if (KNOWN[form]?.(text) !== false) return ok(text);
  const matchedCountry = form === "country" ? resolveCountryAlias(text) : undefined;
  return matchedCountry
    ? refuseField(name, "country_meant", matchedCountry, text)
    : refuseField(name, toProblemCode(form));
}

// Problem codes of text formats. A format not listed here has the same name as its problem code.
const PROBLEMS: Readonly<Partial<Record<TextFieldFormat, ProblemCode>>> = {
  ...{ key: "code", capitals: "code", vehicle: "code", phone: "telephone", person: "person_name" },
};
const toProblemCode = (form: TextFieldFormat): ProblemCode => PROBLEMS[form] ?? (form as ProblemCode);

// Checks for texts that match the format but may not exist, such as time zones.
const KNOWN: Readonly<Partial<Record<TextFieldFormat, (text: string) => boolean>>> = {
  timezone: isTimezone,
  country: isCountryCode,
  email: (text) => normalizeEmail(text) !== undefined,
  phone: (text) => text === "" || normalizePhone(text) !== undefined,
  person: isVisibleTextWithoutLinks,
  document: (text) => text === "" || isDocumentId(text),
};

/** Whether a name is a time zone known to the runtime. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

function parseList({ name, of, options = [] }: FieldWithKind<"list">, inputValue: unknown): Parsed {
  if (!Array.isArray(inputValue) || inputValue.length > MAX_LIST_LENGTH) return refuseField(name, "list");
  const [isRight, code, ...about] = createItemParser(of, options);
  if (!inputValue.every(isRight)) return refuseField(name, code, ...about);
  return new Set(inputValue).size === inputValue.length
    ? ok(inputValue as (string | number)[])
    : refuseField(name, "twice");
}

// Origin exactly as browsers send it. Any other spelling would never match.
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

type Item = readonly [(item: unknown) => boolean, ProblemCode, ...(string | number)[]];

function createItemParser(itemKind: FieldWithKind<"list">["of"], options: readonly string[]): Item {
  switch (itemKind) {
    case "weekday":
      return [(item) => Number.isInteger(item) && Number(item) >= 1 && Number(item) <= 7, "whole", 1, 7];
    case "date":
      return [(item) => typeof item === "string" && parseCivilDate(item) !== undefined, "date"];
    case "text":
      return [(item) => typeof item === "string" && isShortLine(item), "text"];
    case "origin":
      return [(item) => item === "*" || ORIGIN.test(String(item)), "origin"];
    case "choice":
      return [(item) => options.includes(String(item)), "choice", options.join(", ")];
  }
}

const isShortLine = (text: string) => text.length <= 200 && isPrintableText(text);

function parseRecord({ name, names, options }: FieldWithKind<"record">, inputValue: unknown): Parsed {
  if (!isRecord(inputValue)) return refuseField(name, "record");
  const problems = Object.entries(inputValue).flatMap(([key, text]): readonly Problem[] => {
    const field = `${name}.${key}`;
    if (names?.includes(key) === false) return [createProblem(field, "unknown_field")];
    if (options) return options.includes(String(text)) ? [] : [createProblem(field, "choice", options.join(", "))];
    return typeof text === "string" && isShortLine(text) ? [] : [createProblem(field, "text")];
  });
  return problems.length > 0 ? err(problems) : ok(inputValue as Readonly<Record<string, string>>);
}

function parseReference(name: string, inputValue: unknown, isNumber: true | undefined): Parsed {
  if (!isNumber) {
    return typeof inputValue === "string" && inputValue.length <= 64 && isPrintableText(inputValue)
      ? ok(inputValue)
      : refuseField(name, "not_known");
  }
  const number = typeof inputValue === "string" && /^\d{1,12}$/.test(inputValue) ? Number(inputValue) : inputValue;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? ok(number)
    : refuseField(name, "not_known");
}

function parseSecret(name: string, inputValue: unknown, smallest: number): Parsed {
  if (typeof inputValue !== "string") return refuseField(name, "text");
  // Any alphabet and spaces are allowed. The server checks for known breaches.
  if (name === "password") {
    const isLong = [...inputValue].length >= MIN_PASSWORD_LENGTH && [...inputValue].length <= MAX_PASSWORD_LENGTH;
    return isLong ? ok(inputValue) : refuseField(name, "password");
  }
  if (!/^[\x21-\x7e]*$/.test(inputValue)) return refuseField(name, "text");
  if (inputValue.length < smallest) return refuseField(name, "too_short", smallest);
  return inputValue.length <= 200 ? ok(inputValue) : refuseField(name, "too_long", 200);
}

function parseTexts(name: string, fields: readonly string[], inputValue: unknown): Parsed {
  if (!isRecord(inputValue)) return refuseField(name, "record");
  const problems: Problem[] = [];
  const texts: Record<string, Readonly<Record<string, string>>> = {};
  for (const [itemKind, byLanguage] of Object.entries(inputValue)) {
    const textProblem = findWrongTexts(fields.includes(itemKind) ? byLanguage : undefined, `${name}.${itemKind}`);
    problems.push(...textProblem);
    if (textProblem.length === 0) texts[itemKind] = trimmed(byLanguage as Readonly<Record<string, string>>);
  }
  return problems.length > 0 ? err(problems) : ok(texts);
}

function findWrongTexts(byLanguage: unknown, at: string): readonly Problem[] {
  if (byLanguage === undefined) return [createProblem(at, "unknown_field")];
  if (!isRecord(byLanguage)) return [createProblem(at, "record")];
  return Object.entries(byLanguage).flatMap(([language, text]): readonly Problem[] => {
    if (!FORMS.language?.test(language)) return [createProblem(`${at}.${language}`, "language")];
    if (typeof text !== "string" || text.length > MAX_TEXT_LENGTH) return [createProblem(`${at}.${language}`, "text")];
    return isPlainLines(text) ? [] : [createProblem(`${at}.${language}`, "plain")];
  });
}

// Trims the texts and drops empty ones.
function trimmed(byLanguage: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const texts = Object.entries(byLanguage).map(([language, text]) => [language, text.trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

function isRecord(inputValue: unknown): inputValue is Readonly<Record<string, unknown>> {
  return typeof inputValue === "object" && inputValue !== null && !Array.isArray(inputValue);
}

function refuseField(field: string, code: ProblemCode, ...about: readonly (string | number)[]): Parsed {
  return err([{ field, ...createReasonWithUncheckedValues(code, about) }]);
}

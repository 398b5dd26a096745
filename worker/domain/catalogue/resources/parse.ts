import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "#domain/access/password-length.ts";
import { parseAmount } from "#domain/amount-text.ts";
import { isCountry, meantCountry } from "#domain/communications/countries.ts";
import { parseCivilDate, parseTimeOfDay } from "#domain/dates.ts";
import { isPlainText } from "#domain/plain-text.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import {
  type Field,
  type FieldOf,
  type FieldValue,
  LONGEST_LINE,
  type TextForm,
  type Unit,
  type Values,
} from "./fields.ts";
import { type Problem, type ProblemCode, problem } from "./problems.ts";
import { fieldOf, type Resource } from "./resource.ts";

const PERCENT_DECIMALS = 2;
const WHOLE = 10_000;
const LONGEST_LIST = 500;
const LONGEST_TEXT = 4_000;

type Said = Readonly<Record<string, unknown>>;

interface Reading {
  /** Of the account's currency. */
  readonly decimals: number;
  /** The thing as it is told, where there is one. */
  readonly present?: Said | undefined;
}

/**
 * What was said of a thing, by the names of its fields: every wrong field with what is wrong with it. Of a new one what
 * is required must be there; what is not said of an old one stays. The pages ask the same before they send.
 */
export function parseValues(
  resource: Pick<Resource, "fields">,
  said: Said,
  reading: Reading,
): Result<Values, readonly Problem[]> {
  const problems: Problem[] = Object.keys(said)
    .filter((name) => !fieldOf(resource, name))
    .map((name) => problem(name, "unknown_field"));
  const values: Record<string, FieldValue> = {};
  const beside = { ...reading.present, ...said };
  for (const one of resource.fields) {
    const parsed = parseSaid(one, said, { ...reading, beside });
    if (parsed?.ok) values[one.name] = parsed.value;
    else problems.push(...(parsed?.error ?? []));
  }
  return problems.length > 0 ? refuse(onceEach(problems)) : ok(values);
}

// What a number counts is a field of its own, and wrong once.
function onceEach(problems: readonly Problem[]): readonly Problem[] {
  const fields = problems.map(({ field }) => field);
  return problems.filter(({ field }, index) => fields.indexOf(field) === index);
}

function parseSaid(one: Field, said: Said, reading: FieldReading): Parsed | undefined {
  const given = said[one.name] === "" ? null : said[one.name];
  const { present } = reading;
  if (one.told)
    return given === undefined || given === (present?.[one.name] ?? null) ? undefined : wrong(one.name, "fixed");
  if (given === undefined) return isMissing(one, said, present) ? wrong(one.name, "missing") : undefined;
  if (one.fixed && present && present[one.name] !== given) return wrong(one.name, "fixed");
  return parseField(one, given, reading);
}

// What a number counts cannot change without the number.
function isMissing(one: Field, said: Said, present: Said | undefined): boolean {
  if (!present) return one.required === true;
  return one.kind === "measured" && said[one.by] !== undefined && said[one.by] !== present[one.by];
}

interface FieldReading extends Reading {
  readonly beside: Said;
}
type Parsed = Result<FieldValue, readonly Problem[]>;

function parseField(one: Field, given: unknown, reading: FieldReading): Parsed {
  if (given !== null) return PARSERS[one.kind](one as never, given, reading);
  if (one.nullable) return ok(null);
  // What is cleared and has a default goes back to it.
  if (one.initial && "is" in one.initial) return ok(one.initial.is);
  return wrong(one.name, "missing");
}

const PARSERS: { readonly [K in Field["kind"]]: (one: FieldOf<K>, given: unknown, reading: FieldReading) => Parsed } = {
  text: (one, given) => parseText(one, given),
  whole: ({ name, smallest, largest }, given) => {
    const number = typeof given === "string" && /^-?\d{1,12}$/.test(given) ? Number(given) : given;
    const isRight = typeof number === "number" && Number.isInteger(number) && number >= smallest && number <= largest;
    return isRight ? ok(number) : wrong(name, "whole", smallest, largest);
  },
  coordinate: ({ name, largest }, given) => {
    const number = typeof given === "string" && /^-?\d{1,3}(\.\d{1,12})?$/.test(given) ? Number(given) : given;
    return typeof number === "number" && Math.abs(number) <= largest ? ok(number) : wrong(name, "coordinate", largest);
  },
  money: ({ name }, given, { decimals }) => parseUnit(name, "money", given, decimals),
  percent: ({ name }, given, { decimals }) => parseUnit(name, "percent", given, decimals),
  measured: ({ name, by, units }, given, { decimals, beside }) => {
    const said = beside[by];
    const unit = typeof said === "string" && Object.hasOwn(units, said) ? units[said] : undefined;
    return unit ? parseUnit(name, unit, given, decimals) : refuse(unmeasured({ name, by, units }, given, decimals));
  },
  flag: ({ name }, given) => (typeof given === "boolean" ? ok(given) : wrong(name, "flag")),
  date: ({ name }, given) =>
    typeof given === "string" && parseCivilDate(given) !== undefined ? ok(given) : wrong(name, "date"),
  time: ({ name }, given) =>
    typeof given === "string" && parseTimeOfDay(given) !== undefined ? ok(given) : wrong(name, "time"),
  choice: ({ name, options }, given) =>
    typeof given === "string" && options.includes(given) ? ok(given) : wrong(name, "choice", options.join(", ")),
  list: (one, given) => parseList(one, given),
  reference: ({ name, isNumber }, given) => parseReference(name, given, isNumber),
  references: ({ name, isNumber }, given) => {
    if (!Array.isArray(given) || given.length > LONGEST_LIST) return wrong(name, "list");
    const parsed = given.map((item) => parseReference(name, item, isNumber));
    const refused = parsed.find((item) => !item.ok);
    if (refused) return refused;
    const values = parsed.flatMap((item) => (item.ok ? [item.value as string | number] : []));
    return new Set(values).size === values.length ? ok(values) : wrong(name, "twice");
  },
  secret: ({ name, smallest }, given) => parseSecret(name, given, smallest),
  record: ({ name }, given) =>
    isRecord(given) && Object.values(given).every((text) => typeof text === "string" && isShortLine(text))
      ? ok(given as Readonly<Record<string, string>>)
      : wrong(name, "record"),
  rows: ({ name, fields }, given, reading) => {
    if (!Array.isArray(given) || given.length > LONGEST_LIST) return wrong(name, "rows");
    const problems: Problem[] = [];
    const rows: Values[] = [];
    for (const [index, row] of given.entries()) {
      const at = `${name}.${index}`;
      if (!isRecord(row)) return wrong(at, "rows");
      const parsed = parseValues({ fields }, row, { decimals: reading.decimals });
      if (parsed.ok) rows.push({ ...initialValues(fields), ...parsed.value });
      else problems.push(...parsed.error.map((one) => ({ ...one, field: `${at}.${one.field}` })));
    }
    return problems.length > 0 ? refuse(problems) : ok(rows);
  },
  texts: ({ name, fields }, given) => parseTexts(name, fields, given),
};

/** What a new thing has where nothing is said of it and the code knows it. */
export function initialValues(fields: readonly Field[]): Values {
  const known = fields.flatMap(({ name, initial, nullable }) =>
    initial && "is" in initial ? [[name, initial.is] as const] : nullable ? [[name, null] as const] : [],
  );
  return Object.fromEntries(known);
}

// Nobody says what a number counts; it may be wrong whatever it counts.
function unmeasured(
  { name, by, units }: Pick<FieldOf<"measured">, "name" | "by" | "units">,
  given: unknown,
  decimals: number,
): readonly Problem[] {
  const parsed = Object.values(units).map((unit) => parseUnit(name, unit, given, decimals));
  const [own] = parsed.some(({ ok }) => ok) ? [] : parsed.flatMap((one) => (one.ok ? [] : one.error));
  return [problem(by, "choice", Object.keys(units).join(", ")), ...(own ? [own] : [])];
}

function parseUnit(name: string, unit: Unit, given: unknown, decimals: number): Parsed {
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string") return wrong(name, unit, 0, WHOLE);
  if (unit === "whole") return /^\d{1,4}$/.test(text) ? ok(Number(text)) : wrong(name, "whole", 0, WHOLE - 1);
  const value = parseAmount(text, unit === "percent" ? PERCENT_DECIMALS : decimals);
  const isRight = value !== undefined && Number.isSafeInteger(value) && (unit === "money" || value <= WHOLE);
  return isRight ? ok(value) : wrong(name, unit);
}

const FORMS: Readonly<Partial<Record<TextForm, RegExp>>> = {
  code: /^[A-Za-z0-9_.-]+$/,
  capitals: /^[A-Za-z0-9_.-]+$/,
  key: /^[A-Za-z0-9_.-]{3,64}$/,
  email: /^[^@\s<>"]+@[^@\s<>"]+\.[^@\s<>"]+$/,
  language: /^[a-z]{2}$/,
  country: /^[A-Z]{2}$/,
  currency: /^[A-Z]{3}$/,
  timezone: /^[A-Za-z]+(\/[A-Za-z0-9_+-]+){0,2}$/,
  serie: /^[A-Za-z0-9][A-Za-z0-9 ./_-]*$/,
  acriss: /^[MNEHCDIJSRFGPULWOX][BCDWVLSTFJXPQZEMRHYNGK][MNCABDE][RNDQHIECLSABMFVZUX]$/,
  address: /^https?:\/\/[^\s"<>]+$/,
};

const CAPITALS: ReadonlySet<TextForm> = new Set(["capitals", "acriss"]);

function parseText({ name, longest, form, required }: FieldOf<"text">, given: unknown): Parsed {
  if (typeof given !== "string") return wrong(name, "text");
  // A description may have lines. A name stands in the subjects of mails, an address in their links.
  if (!(longest > LONGEST_LINE ? isPlainLines(given) : isPlainText(given.trim()))) return wrong(name, "plain");
  const text = form && CAPITALS.has(form) ? given.trim().toUpperCase() : given.trim();
  if (text === "" && required) return wrong(name, "missing");
  if ([...text].length > longest) return wrong(name, "too_long", longest);
  return form ? ofForm(name, text, form, longest) : ok(text);
}

const isPlainLines = (text: string) => isPlainText(text.replaceAll(/\r?\n/g, " "));

function ofForm(name: string, text: string, form: TextForm, longest: number): Parsed {
  if (FORMS[form]?.test(text) === false)
    return wrong(name, form === "key" || form === "capitals" || form === "vehicle" ? "code" : form, longest);
  if (KNOWN[form]?.(text) !== false) return ok(text);
  const meant = form === "country" ? meantCountry(text) : undefined;
  return meant ? wrong(name, "country_meant", meant, text) : wrong(name, form as "timezone" | "country");
}

// What has the right form and may still be none of the world's.
const KNOWN: Readonly<Partial<Record<TextForm, (text: string) => boolean>>> = {
  timezone: isTimezone,
  country: isCountry,
};

/** Whether a name is one of a time zone that the clock knows. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

function parseList({ name, of, options = [] }: FieldOf<"list">, given: unknown): Parsed {
  if (!Array.isArray(given) || given.length > LONGEST_LIST) return wrong(name, "list");
  const [isRight, code, ...about] = itemOf(of, options);
  if (!given.every(isRight)) return wrong(name, code, ...about);
  return new Set(given).size === given.length ? ok(given as (string | number)[]) : wrong(name, "twice");
}

// As browsers write it, to the letter: what is written otherwise lets nobody in.
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

type Item = readonly [(item: unknown) => boolean, ProblemCode, ...(string | number)[]];

function itemOf(of: FieldOf<"list">["of"], options: readonly string[]): Item {
  switch (of) {
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

const isShortLine = (text: string) => text.length <= 200 && isPlainText(text);

function parseReference(name: string, given: unknown, isNumber: true | undefined): Parsed {
  if (!isNumber) {
    return typeof given === "string" && given.length <= 64 && isPlainText(given) ? ok(given) : wrong(name, "not_known");
  }
  const number = typeof given === "string" && /^\d{1,12}$/.test(given) ? Number(given) : given;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? ok(number)
    : wrong(name, "not_known");
}

function parseSecret(name: string, given: unknown, smallest: number): Parsed {
  if (typeof given !== "string") return wrong(name, "text");
  // Of any alphabet, with its spaces; whether it is known from breaches the server says.
  if (name === "password") {
    const isLong = [...given].length >= SHORTEST_PASSWORD && [...given].length <= LONGEST_PASSWORD;
    return isLong ? ok(given) : wrong(name, "password");
  }
  if (!/^[\x21-\x7e]*$/.test(given)) return wrong(name, "text");
  if (given.length < smallest) return wrong(name, "too_short", smallest);
  return given.length <= 200 ? ok(given) : wrong(name, "too_long", 200);
}

function parseTexts(name: string, fields: readonly string[], given: unknown): Parsed {
  if (!isRecord(given)) return wrong(name, "record");
  const problems: Problem[] = [];
  const texts: Record<string, Readonly<Record<string, string>>> = {};
  for (const [of, byLanguage] of Object.entries(given)) {
    const found = findWrongTexts(fields.includes(of) ? byLanguage : undefined, `${name}.${of}`);
    problems.push(...found);
    if (found.length === 0) texts[of] = trimmed(byLanguage as Readonly<Record<string, string>>);
  }
  return problems.length > 0 ? refuse(problems) : ok(texts);
}

function findWrongTexts(byLanguage: unknown, at: string): readonly Problem[] {
  if (byLanguage === undefined) return [problem(at, "unknown_field")];
  if (!isRecord(byLanguage)) return [problem(at, "record")];
  return Object.entries(byLanguage).flatMap(([language, text]): readonly Problem[] => {
    if (!FORMS.language?.test(language)) return [problem(`${at}.${language}`, "language")];
    if (typeof text !== "string" || text.length > LONGEST_TEXT) return [problem(`${at}.${language}`, "text")];
    return isPlainLines(text) ? [] : [problem(`${at}.${language}`, "plain")];
  });
}

// An empty text is none.
function trimmed(byLanguage: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const texts = Object.entries(byLanguage).map(([language, text]) => [language, text.trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

function wrong(field: string, code: ProblemCode, ...about: readonly (string | number)[]): Parsed {
  return refuse([problem(field, code, ...about)]);
}

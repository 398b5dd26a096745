import type { Random } from "#scripts/demo/random.ts";
import type { RequestRecipe } from "./caller.ts";
import type { KnownValues } from "./known-values.ts";
import type { Operation } from "./operations.ts";
import { hasSchemaType, type Schema } from "./schemas.ts";

/** Fields that identify office records. */
const NAMES = ["code", "reference", "username"];
/** Fields with a money amount as text. */
const AMOUNT = /price|cost|amount|deposit|guarantee|fee|supplement|difference|fixed|limit|counted|cash/;
/** APIs that accept dates as 2026-11-26 and 26/11/2026. */
const BOTH_WAYS = new Set(["ota", "rental-engine", "transfer-engine"]);
const DAY_MILLISECONDS = 86_400_000;

/** Creates a valid value for a schema, an existing one if the field name refers to one. */
export function createValidValue(operation: Operation, schema: Schema, name: string, source: ValueSource): unknown {
  const { random } = source;
  const known = getKnownValues(operation, schema, name, source);
  if (known && (source.isValid || random.chance(0.85))) return random.pick(known);
  const real = schema.$ref ? (operation.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const choices = real.anyOf ?? real.oneOf;
  if (choices && choices.length > 0) return createValidValue(operation, random.pick(choices), name, source);
  if (real.allOf)
    return Object.assign({}, ...real.allOf.map((part) => createValidValue(operation, part, name, source)));
  if (real.const !== undefined) return real.const;
  if (real.enum) return random.pick(real.enum);
  return buildTypedValue(operation, real, name, source);
}

function getKnownValues(
  { method, path }: Operation,
  schema: Schema,
  name: string,
  { known, recipe }: ValueSource,
): readonly unknown[] | undefined {
  const recipeParameter = recipe?.parameters?.[name];
  if (recipeParameter !== undefined) return [recipeParameter];
  // New records need their own name.
  if (method === "POST" && known[path] && NAMES.includes(name)) return undefined;
  const [collection = "", rest] = path.split(`/{${name}}`);
  const values = (rest === undefined ? undefined : known[collection]) ?? namedValues(known, name);
  // A field of another type may have the same name.
  const types = [schema.type ?? []].flat();
  const fitting = values.filter((value) => types.length === 0 || types.some((type) => hasSchemaType(type, value)));
  return fitting.length === 0 ? undefined : fitting;
}

// Return fields use the same values as pickup fields.
function namedValues(known: KnownValues, name: string): readonly unknown[] {
  const fieldName = name.replaceAll("-", "_");
  return known[fieldName] ?? known[fieldName.replace(/^(return|pickup|origin|destination)_/, "")] ?? [];
}

/** Random numbers, known values and time from which request values are made. */
export interface ValueSource {
  readonly random: Random;
  readonly known: KnownValues;
  readonly now: number;
  /** Whether values must be valid by the schema. */
  readonly isValid: boolean;
  /** Matching request parts. */
  readonly recipe?: RequestRecipe;
}

function buildTypedValue(operation: Operation, schema: Schema, name: string, source: ValueSource): unknown {
  const type = typeof schema.type === "object" ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return buildObject(operation, schema, name, source);
    case "array":
      return Array.from({ length: source.random.between(0, 3) }, () =>
        createValidValue(operation, schema.items ?? {}, name, source),
      );
    case "integer":
    case "number":
      return source.random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, (schema.minimum ?? 0) + 100));
    case "boolean":
      return source.random.chance(0.5);
    default:
      return buildText(operation, schema, name, source);
  }
}

function buildObject(
  operation: Operation,
  { properties = {}, required = [] }: Schema,
  name: string,
  source: ValueSource,
): object {
  const entries = Object.entries(properties).filter(([text]) => required.includes(text) || source.random.chance(0.4));
  // The `id` of a `customer` refers to a customer.
  const qualifyMemberName = (member: string) => (source.known[`${name}_${member}`] ? `${name}_${member}` : member);
  return Object.fromEntries(
    entries.map(([member, schema]) => [member, createValidValue(operation, schema, qualifyMemberName(member), source)]),
  );
}

type TextGenerator = (random: Random) => string;

/** Values by field name. */
const BY_NAME: readonly (readonly [name: RegExp, words: TextGenerator])[] = [
  [/^closes$/, () => "20:00"],
  [/time|^opens$/, (random) => random.pick(["10:00", "12:30", "09:00"])],
  [/email/, (random) => `${random.hex(6)}@example.com`],
  [/^request_id$/, (random) => random.hex(12)],
];

/** Values by field name if the description has no example. */
const WITHOUT_EXAMPLE: typeof BY_NAME = [
  [AMOUNT, (random) => random.pick(["0.00", "12.50", "120.00"])],
  [/percent/, (random) => random.pick(["10", "21.00"])],
  [/url/, () => "https://hooks.example.com/rental"],
];

function buildText(operation: Operation, schema: Schema, name: string, source: ValueSource): unknown {
  const { random } = source;
  if (schema.format === "date-time" || /_at$/.test(name)) return buildInstant(name, source);
  if (schema.format === "date" || /date|^from$|^to$/.test(name)) return buildDate(operation, name, source);
  const generateText = findTextGenerator(BY_NAME, name);
  if (generateText) return generateText(random);
  if (schema.example !== undefined && random.chance(0.8)) return schema.example;
  return (findTextGenerator(WITHOUT_EXAMPLE, name) ?? createTextGenerator(schema))(random);
}

function findTextGenerator(table: typeof BY_NAME, name: string): TextGenerator | undefined {
  return table.find(([regExp]) => regExp.test(name))?.[1];
}

function createTextGenerator({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): TextGenerator {
  return (random) => {
    const texts = [random.hex(8), "Ana", "en", "1", random.hex(24)];
    const fitting = texts.filter(({ length }) => length >= minLength && length <= maxLength);
    return random.pick(fitting.length > 0 ? fitting : texts);
  };
}

// Creates a date such that starts precede ends.
function buildInstant(name: string, { random, now }: ValueSource): string {
  const days = /to$|until|end/.test(name) ? random.between(31, 40) : random.between(25, 30);
  return new Date(now + days * DAY_MILLISECONDS).toISOString();
}

function buildDate({ family }: Operation, name: string, source: ValueSource): string {
  const date = buildInstant(name, source).slice(0, 10);
  const isIso = !BOTH_WAYS.has(family) || source.random.chance(0.5);
  return isIso ? date : date.split("-").reverse().join("/");
}

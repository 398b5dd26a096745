import type { Random } from "../demo/random.ts";
import type { Recipe } from "./living.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schemas.ts";

/** Values that are known to exist, by the name of the field they are for. */
export type Facts = Readonly<Record<string, readonly unknown[]>>;

// Both ways of dates, days without or with two of an hour, days that are none.
const DATES = [
  "2026-03-29",
  "29/03/2026",
  "2026-10-25",
  "25/10/2026",
  "2027-03-28",
  "2028-02-29",
  "2027-02-29",
  "31/02/2027",
  "2026-13-01",
  "0000-00-00",
  "9999-12-31",
  "99999-01-01",
  "2027-1-5",
  "-271821-04-20",
];
const TIMES = ["00:00", "02:30", "03:00", "10:00", "23:59", "24:00", "25:61", "9:5", "10:00:00"];
const TEXTS = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-1",
  "0",
  "1.5",
  "1e3",
  "0x10",
  "9007199254740993",
  "123456789012345678901234567890",
  "true",
  "[object Object]",
  "' OR '1'='1",
  "%",
  "_",
  "%25%00",
  "a\u0000b",
  "\u0001\u0002\u001b[31m",
  "line\nbreak\r\nX-Injected: yes",
  "\u202eright to left",
  "\u{1f697}\u{1f3fd}\u200d",
  "e\u0301\u0301\u0301",
  "\ud800",
  "<script>alert(1)</script>",
  "../../../etc/passwd",
  "{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "=1+1",
  "x".repeat(300),
  "\u00e9".repeat(5000),
];
const NUMBERS = [0, -0, -1, 1, 0.1, 1.5, -1e9, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 5e-324];

/** A value that nobody in their right mind sends. */
export function oddity(random: Random): unknown {
  return random.pickWeighted<() => unknown>([
    [() => random.pick(TEXTS), 8],
    [() => random.pick(DATES), 4],
    [() => random.pick(TIMES), 2],
    [() => random.pick(NUMBERS), 5],
    [() => random.pick([null, true, false, [], {}, [[]], [null], { length: -1 }]), 4],
    [() => JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'), 1],
    [() => deep(random.between(20, 400)), 1],
    [() => Array.from({ length: random.between(100, 2000) }, () => random.pick(NUMBERS)), 1],
    [() => random.letters(random.between(1, 40), "abcXYZ019-_ \u00f1\u00df\u4e2d\u{7}").toWellFormed(), 4],
  ])();
}

/** An oddity as text, for paths, queries and forms. */
export function oddText(random: Random): string {
  const value = oddity(random);
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2000).toWellFormed();
}

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const DAY_MILLISECONDS = 86_400_000;

/** A value that the schema would take, known to exist where the field's name says so. */
export function validValue(operation: Operation, schema: Schema, name: string, source: Source): unknown {
  const { random } = source;
  const known = knownValues(name, source);
  if (known && (source.isSound || random.chance(0.85))) return random.pick(known);
  const real = schema.$ref ? (operation.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const choices = real.anyOf ?? real.oneOf;
  if (choices && choices.length > 0) return validValue(operation, random.pick(choices), name, source);
  if (real.allOf) return Object.assign({}, ...real.allOf.map((part) => validValue(operation, part, name, source)));
  if (real.const !== undefined) return real.const;
  if (real.enum) return random.pick(real.enum);
  return valueOfType(operation, real, name, source);
}

function knownValues(name: string, { facts, recipe }: Source): readonly unknown[] | undefined {
  const made = recipe?.parameters?.[name];
  return made === undefined ? facts[name.replaceAll("-", "_")] : [made];
}

/** What values are drawn from. */
export interface Source {
  readonly random: Random;
  readonly facts: Facts;
  readonly now: number;
  /** Nothing odd in it, as far as the schema tells. */
  readonly isSound: boolean;
  /** What must be right together. */
  readonly recipe?: Recipe;
}

function valueOfType(operation: Operation, schema: Schema, name: string, source: Source): unknown {
  const type = typeof schema.type === "object" ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return objectOf(operation, schema, source);
    case "array":
      return Array.from({ length: source.random.between(0, 3) }, () =>
        validValue(operation, schema.items ?? {}, name, source),
      );
    case "integer":
    case "number":
      return source.random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, (schema.minimum ?? 0) + 100));
    case "boolean":
      return source.random.chance(0.5);
    default:
      return textOf(schema, name, source);
  }
}

function objectOf(operation: Operation, { properties = {}, required = [] }: Schema, source: Source): object {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name) || source.random.chance(0.4));
  return Object.fromEntries(entries.map(([name, schema]) => [name, validValue(operation, schema, name, source)]));
}

function textOf(schema: Schema, name: string, { random, now }: Source): unknown {
  // What begins does so before what ends.
  const days = /to$|until|end/.test(name) ? random.between(31, 40) : random.between(25, 30);
  const date = new Date(now + days * DAY_MILLISECONDS).toISOString();
  if (schema.format === "date-time" || /_at$/.test(name)) return date;
  if (schema.format === "date" || /date|^from$|^to$/.test(name)) {
    return random.chance(0.5) ? date.slice(0, 10) : date.slice(0, 10).split("-").reverse().join("/");
  }
  if (/time/.test(name)) return random.pick(["10:00", "12:30", "09:00"]);
  if (/email/.test(name)) return `${random.hex(6)}@example.com`;
  if (schema.example !== undefined && random.chance(0.8)) return schema.example;
  return random.pick(["1", "Ana", "en", random.hex(8)]);
}

/** Changes one place of a value: odd, missing, or with a member that nobody asked for. */
export function spoiled(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const at = random.between(0, value.length - 1);
    return value.map((one, index) => (index === at ? spoiled(one, random) : one));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || random.chance(0.05)) return oddity(random);
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.12)) {
    const unknown = random.pick(["status", "total_cost", "tenant_id", "isAdmin", "id", "version", "\u0000"]);
    return { ...value, [unknown]: oddity(random) };
  }
  const name = random.pick(names);
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return { ...value, [name]: random.chance(0.5) ? spoiled(member, random) : oddity(random) };
}

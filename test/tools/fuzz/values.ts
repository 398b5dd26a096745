import type { Random } from "#scripts/demo/random.ts";
import type { KnownValues } from "./known-values.ts";
import type { Operation } from "./operations.ts";
import type { Recipe } from "./recipe.ts";
import type { Schema } from "./schemas.ts";

const DAY_MILLISECONDS = 86_400_000;

/** A value that the schema would take, known to exist where the field's name says so. */
export function validValue(operation: Operation, schema: Schema, name: string, source: Source): unknown {
  const { random } = source;
  const known = knownValuesOf(name, source);
  if (known && (source.isValid || random.chance(0.85))) return random.pick(known);
  const real = schema.$ref ? (operation.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const choices = real.anyOf ?? real.oneOf;
  if (choices && choices.length > 0) return validValue(operation, random.pick(choices), name, source);
  if (real.allOf) return Object.assign({}, ...real.allOf.map((part) => validValue(operation, part, name, source)));
  if (real.const !== undefined) return real.const;
  if (real.enum) return random.pick(real.enum);
  return valueOfType(operation, real, name, source);
}

function knownValuesOf(name: string, { known, recipe }: Source): readonly unknown[] | undefined {
  const made = recipe?.parameters?.[name];
  return made === undefined ? known[name.replaceAll("-", "_")] : [made];
}

/** What values are drawn from. */
export interface Source {
  readonly random: Random;
  readonly known: KnownValues;
  readonly now: number;
  /** Nothing hostile in it, as far as the schema says. */
  readonly isValid: boolean;
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

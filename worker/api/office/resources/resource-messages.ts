import { z } from "zod";
import type { Field } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { tellValues } from "#domain/catalogue/resources/told.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import type { Writing } from "#worker/api/integration/messages.ts";
import { thingHistory } from "#worker/api/office/thing-history-messages.ts";
import { textLine, wholeNumberText } from "#worker/api/primitives.ts";

const LARGEST_PAGE = 200;

/** The messages of a kind of thing, made from its declaration. */
export function messagesOf(resource: Resource) {
  const { singular } = resource;
  const thing = z
    .object({ ...toldShape(resource), id: z.union([z.string(), z.int()]), version: z.int() })
    .meta({ id: `Office${pascal(singular)}`, description: resource.about });
  const answer = z.object({ [singular]: thing });
  return {
    answer,
    conflict: failureAnswer.extend({ [singular]: thing.optional() }),
    list: z.object({
      data: z.array(thing),
      total: z.int(),
      next: z.string().nullable().meta({ description: "`after` of the next page" }),
      options: z
        .record(z.string(), z.array(z.object({ id: z.union([z.string(), z.int()]), name: z.string() })).readonly())
        .readonly()
        .optional()
        .meta({ description: "What can be chosen for a field, where it was asked for" }),
    }),
    query: z.object({
      q: textLine(100).optional(),
      after: textLine(120).optional(),
      page_size: wholeNumberText(LARGEST_PAGE, 1).default(50).meta({ type: "integer", example: 50 }),
      options: z.enum(["true", "false"]).optional().meta({ description: "Whether to tell what its fields may name" }),
      ...Object.fromEntries(filtersOf(resource).map(({ name }) => [name, textLine(64).optional()])),
    }),
    body: saidSchema(resource, false),
    change: saidSchema(resource, true),
    history: historySchema(resource),
    params: z.object({ id: textLine(120).meta({ example: exampleId(resource) }) }),
  };
}

const historySchema = (resource: Resource) =>
  thingHistory(z.object(toldShape(resource)), `Office${pascal(resource.singular)}Entry`);

interface KeptEntry {
  readonly version: number;
  readonly at: number;
  readonly actor: string;
  readonly staffName: string | null;
  readonly event: "created" | "changed" | "removed" | "renamed";
  readonly detail: string;
}

/** What was done with a thing. */
export function fromThingHistory(entries: readonly KeptEntry[], writing: Writing) {
  return {
    data: entries.map(({ version, at, actor, staffName, event, detail }) => {
      const { before, after } = JSON.parse(detail) as Readonly<Record<string, Record<string, unknown> | undefined>>;
      const who = staffName ?? actor;
      return {
        at: writing.timestamp(at),
        who,
        move: event,
        version,
        before: before ?? null,
        after: after ?? null,
        reason: null,
      };
    }),
  };
}
export const removal = z.object({
  expected_version: wholeNumberText(999_999_999, 1)
    .optional()
    .meta({ type: "integer", description: "The version that was read" }),
});

/** The fields that a list is narrowed by. */
export function filtersOf({ fields }: Resource): readonly Field[] {
  return fields.filter(({ kind }) => kind === "reference" || kind === "choice" || kind === "flag");
}

/** A filter as it is compared with what is kept. */
export function toFilters(
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const kept = (text: string) => (text === "true" ? "1" : text === "false" ? "0" : text);
  const given = filtersOf(resource).flatMap(({ name, kind }) => {
    const text = query[name];
    return typeof text === "string" ? [[name, kind === "flag" ? kept(text) : text] as const] : [];
  });
  return Object.fromEntries(given);
}

interface Kept {
  readonly id: string;
  readonly version: number;
  readonly values: Parameters<typeof tellValues>[1];
}

/** What every thing has beside its fields. */
interface ThingAnswer {
  readonly id: string | number;
  readonly version: number;
}

/** A thing as the office tells it. */
export function fromThing(resource: Resource, { id, version, values }: Kept, decimals: number): ThingAnswer {
  return { id: resource.isCounted ? Number(id) : id, ...tellValues(resource, values, decimals), version };
}

function toldShape({ fields }: Pick<Resource, "fields">): Record<string, z.ZodType> {
  return Object.fromEntries(
    fields.map((one) => {
      if (one.kind === "secret") return [`has_${one.name}`, z.boolean()];
      const schema = toldSchema(one);
      return [one.name, one.nullable ? schema.nullable() : schema];
    }),
  );
}

function toldSchema(one: Field): z.ZodType {
  switch (one.kind) {
    case "whole":
      return z.int();
    case "coordinate":
      return z.number();
    case "flag":
      return z.boolean();
    case "reference":
      return one.isNumber ? z.int() : z.string();
    case "references":
      return z.array(one.isNumber ? z.int() : z.string());
    case "list":
      return z.array(one.of === "weekday" ? z.int() : z.string());
    case "rows":
      return z.array(z.object(toldShape(one)));
    case "record":
      return z.record(z.string(), z.string());
    case "texts":
      return z.record(z.string(), z.record(z.string(), z.string()));
    default:
      return z.string();
  }
}

// What is sent is held against the declaration with what is kept, so that all that is wrong is named at once; the
// schema says what it should be.
function saidSchema({ fields }: Pick<Resource, "fields">, isChange: boolean) {
  const required = fields.filter((one) => !isChange && one.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.filter((one) => !one.told).map((one) => [one.name, described(one)]));
  return z.record(z.string(), z.unknown()).meta({
    type: "object",
    properties: { ...properties, ...(isChange && { expected_version: { type: "integer", minimum: 1 } }) },
    ...(isChange ? { required: ["expected_version"] } : required.length > 0 && { required }),
    additionalProperties: false,
  });
}

function described(one: Field): Record<string, unknown> {
  const schema = typed(one);
  const type = schema["type"];
  return {
    ...schema,
    ...(one.nullable && typeof type === "string" && { type: [type, "null"] }),
    ...(one.about !== undefined && { description: one.about }),
  };
}

const AMOUNT = { type: "string", pattern: "^\\d{1,12}(\\.\\d{1,6})?$" } as const;

function typed(one: Field): Record<string, unknown> {
  switch (one.kind) {
    case "text":
      return { type: "string", maxLength: one.longest, ...(one.required && { minLength: 1 }) };
    case "whole":
      return { type: "integer", minimum: one.smallest, maximum: one.largest };
    case "coordinate":
      return { type: "number", minimum: -one.largest, maximum: one.largest };
    case "money":
    case "percent":
    case "measured":
      return AMOUNT;
    case "flag":
      return { type: "boolean" };
    case "date":
      return { type: "string", format: "date" };
    case "time":
      return { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
    case "choice":
      return { type: "string", ...(!one.nullable && { enum: one.options }) };
    case "list":
      return { type: "array", items: one.of === "weekday" ? { type: "integer" } : { type: "string" } };
    case "reference":
      return { type: one.isNumber ? "integer" : "string" };
    case "references":
      return { type: "array", items: { type: one.isNumber ? "integer" : "string" } };
    case "secret":
      return { type: "string", minLength: one.smallest, writeOnly: true };
    case "record":
      return { type: "object", additionalProperties: { type: "string" } };
    case "rows":
      return {
        type: "array",
        items: {
          type: "object",
          properties: Object.fromEntries(one.fields.map((field) => [field.name, described(field)])),
          required: one.fields.filter(({ required }) => required).map(({ name }) => name),
          additionalProperties: false,
        },
      };
    case "texts":
      return {
        type: "object",
        additionalProperties: { type: "object", additionalProperties: { type: "string" } },
      };
  }
}

function exampleId({ isCounted, key, name }: Resource): string {
  if (isCounted) return "1";
  return EXAMPLE_IDS[name] ?? key.join("~");
}

const EXAMPLE_IDS: Readonly<Partial<Record<Resource["name"], string>>> = {
  branches: "PMI",
  "opening-hours": "PMI~1~08:00",
  "closed-dates": "PMI~2030-12-25",
  "sales-channels": "WEB",
  categories: "ECON",
  "promotion-codes": "WELCOME10",
  repatriations: "1~2",
  "partner-keys": "acme-agency",
  "engine-keys": "acme-web",
  gateways: "tpvA256",
  "document-series": "A-PMI-26~1",
};

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

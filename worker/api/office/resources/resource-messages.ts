import { z } from "zod";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { serializeResourceValues } from "#domain/catalogue/resources/serialize.ts";
import { joinCompositeKey } from "#domain/reporting/page-cursor.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import { createCursorField, parseCursorText } from "#worker/api/office/cursor-messages.ts";
import { officeFailureAnswer } from "#worker/api/office/failure-messages.ts";
import { createResourceHistorySchema } from "#worker/api/office/resource-history-messages.ts";
import { integerTextSchema, searchedTextSchema, textLineSchema } from "#worker/api/primitives.ts";

const MAX_PAGE_SIZE = 200;

/** Creates the messages of a resource type from its declaration. */
export function createResourceSchemas(resource: Resource) {
  const { singular } = resource;
  const resourceSchema = z
    .object({ ...createAnswerShape(resource), id: z.union([z.string(), z.int()]), version: z.int() })
    .meta({ id: `Office${toPascalCase(singular)}`, description: resource.about });
  const answer = z.object({ [singular]: resourceSchema });
  return {
    answer,
    conflict: officeFailureAnswer.extend({ [singular]: resourceSchema.optional() }),
    list: z.object({
      data: z.array(resourceSchema),
      total: z.int(),
      next: z.string().nullable().meta({ description: "`after` of the next page" }),
      options: z
        .record(z.string(), z.array(z.object({ id: z.union([z.string(), z.int()]), name: z.string() })).readonly())
        .readonly()
        .optional()
        .meta({ description: "Choices of a field, if requested" }),
    }),
    query: z.object({
      q: searchedTextSchema(100).optional(),
      after: createCursorField((values) => parseCursorText(joinCompositeKey(values))).optional(),
      page_size: integerTextSchema(MAX_PAGE_SIZE, 1).default(50).meta({ type: "integer", example: 50 }),
      options: z
        .enum(["true", "false"])
        .optional()
        .meta({ description: "Whether to return the choices of its fields" }),
      ...Object.fromEntries(getFilterFields(resource).map(({ name }) => [name, textLineSchema(64).optional()])),
    }),
    body: createInputSchema(resource, false),
    change: createInputSchema(resource, true),
    history: historySchema(resource),
    params: z.object({ id: textLineSchema(120).meta({ example: exampleId(resource) }) }),
  };
}

export type ResourceListMessage = z.output<ReturnType<typeof createResourceSchemas>["list"]>;

const historySchema = (resource: Resource) =>
  createResourceHistorySchema(z.object(createAnswerShape(resource)), `Office${toPascalCase(resource.singular)}Entry`);

interface StoredHistoryEntry {
  readonly version: number;
  readonly at: number;
  readonly actor: string;
  readonly staffName: string | null;
  readonly event: "created" | "changed" | "removed" | "renamed";
  readonly detail: string;
}

/** Converts the history of a resource. */
export function toResourceHistoryMessage(entries: readonly StoredHistoryEntry[], messageFormat: MessageFormat) {
  return {
    data: entries.map(({ version, at, actor, staffName, event, detail }) => {
      const { before, after } = JSON.parse(detail) as Readonly<Record<string, Record<string, unknown> | undefined>>;
      const actorName = staffName ?? actor;
      return {
        at: messageFormat.timestamp(at),
        who: actorName,
        move: event,
        version,
        before: before ?? null,
        after: after ?? null,
        reason: null,
      };
    }),
  };
}
export const resourceRemovalQuery = z.object({
  expected_version: integerTextSchema(999_999_999, 1)
    .optional()
    .meta({ type: "integer", description: "The version that was read" }),
});

/** Returns the fields that a list can be filtered by. */
function getFilterFields({ fields }: Resource): readonly ResourceField[] {
  return fields.filter(
    (field) =>
      field.kind === "reference" ||
      field.kind === "choice" ||
      field.kind === "flag" ||
      (field.kind === "text" && field.form === "vehicle"),
  );
}

/** Converts filters to the stored format. */
export function toResourceFilters(
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const toStoredText = (text: string) => (text === "true" ? "1" : text === "false" ? "0" : text);
  const activeFilters = getFilterFields(resource).flatMap(({ name, kind }) => {
    const text = query[name];
    return typeof text === "string" ? [[name, kind === "flag" ? toStoredText(text) : text] as const] : [];
  });
  return Object.fromEntries(activeFilters);
}

interface StoredResource {
  readonly id: string;
  readonly version: number;
  readonly values: Parameters<typeof serializeResourceValues>[1];
}

/** Members of every resource in addition to its fields. */
interface ResourceMessage {
  readonly id: string | number;
  readonly version: number;
}

/** Converts a resource to its message. */
export function toResourceMessage(
  resource: Resource,
  { id, version, values }: StoredResource,
  decimals: number,
): ResourceMessage {
  return { id: resource.isCounted ? Number(id) : id, ...serializeResourceValues(resource, values, decimals), version };
}

function createAnswerShape({ fields }: Pick<Resource, "fields">): Record<string, z.ZodType> {
  return Object.fromEntries(
    fields.map((field) => {
      if (field.kind === "secret") return [`has_${field.name}`, z.boolean()];
      const schema = toAnswerSchema(field);
      return [field.name, field.nullable ? schema.nullable() : schema];
    }),
  );
}

function toAnswerSchema(field: ResourceField): z.ZodType {
  switch (field.kind) {
    case "whole":
      return z.int();
    case "coordinate":
      return z.number();
    case "flag":
      return z.boolean();
    case "reference":
      return field.isNumber ? z.int() : z.string();
    case "references":
      return z.array(field.isNumber ? z.int() : z.string());
    case "list":
      return z.array(field.of === "weekday" ? z.int() : z.string());
    case "rows":
      return z.array(z.object(createAnswerShape(field)));
    case "record":
      return z.record(z.string(), z.string());
    case "texts":
      return z.record(z.string(), z.record(z.string(), z.string()));
    default:
      return z.string();
  }
}

// Describes the fields for OpenAPI only. The resource's declaration checks sent and stored fields together,
// so that it reports all errors at once.
function createInputSchema({ fields }: Pick<Resource, "fields">, isChange: boolean) {
  const required = fields.filter((field) => !isChange && field.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    fields.filter((field) => !field.isReadOnly).map((field) => [field.name, described(field)]),
  );
  return z.record(z.string(), z.unknown()).meta({
    type: "object",
    properties: { ...properties, ...(isChange && { expected_version: { type: "integer", minimum: 1 } }) },
    ...(isChange ? { required: ["expected_version"] } : required.length > 0 && { required }),
    additionalProperties: false,
  });
}

function described(field: ResourceField): Record<string, unknown> {
  const schema = createTypeSchema(field);
  const type = schema["type"];
  return {
    ...schema,
    ...(field.nullable && typeof type === "string" && { type: [type, "null"] }),
    ...(field.about !== undefined && { description: field.about }),
  };
}

const AMOUNT = { type: "string", pattern: "^\\d{1,12}(\\.\\d{1,6})?$" } as const;

function createTypeSchema(field: ResourceField): Record<string, unknown> {
  switch (field.kind) {
    case "text":
      return { type: "string", maxLength: field.longest, ...(field.required && { minLength: 1 }) };
    case "whole":
      return { type: "integer", minimum: field.smallest, maximum: field.largest };
    case "coordinate":
      return { type: "number", minimum: -field.largest, maximum: field.largest };
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
      return { type: "string", ...(!field.nullable && { enum: field.options }) };
    case "list":
      return { type: "array", items: field.of === "weekday" ? { type: "integer" } : { type: "string" } };
    case "reference":
      return { type: field.isNumber ? "integer" : "string" };
    case "references":
      return { type: "array", items: { type: field.isNumber ? "integer" : "string" } };
    case "secret":
      return { type: "string", minLength: field.smallest, writeOnly: true };
    case "record":
      return { type: "object", additionalProperties: { type: "string" } };
    case "rows":
      return {
        type: "array",
        items: {
          type: "object",
          properties: Object.fromEntries(field.fields.map((field) => [field.name, described(field)])),
          required: field.fields.filter(({ required }) => required).map(({ name }) => name),
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

/** Converts a resource's name to the form of an operation's id: `document-series` to `DocumentSeries`. */
export function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

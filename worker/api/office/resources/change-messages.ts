import { z } from "zod";
import { RESOURCE_NAMES } from "#domain/catalogue/resources/names.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import {
  createCursorField,
  createMultiValueCursorParser,
  parseCursorNumber,
  parseCursorText,
} from "#worker/api/office/cursor-messages.ts";
import { totalIsExactSchema } from "#worker/api/office/list-messages.ts";
import { civilDateSchema, integerTextSchema, MAX_ID } from "#worker/api/primitives.ts";

const KINDS = [...RESOURCE_NAMES, "expenses", "message-templates"] as const;

const cursor = createCursorField(
  createMultiValueCursorParser({
    at: parseCursorNumber,
    version: parseCursorNumber,
    resource: parseCursorText,
    resourceId: parseCursorText,
  }),
);

export const resourceChangesQuery = z.object({
  resource: z.enum(KINDS, "must be the path of a list").optional().meta({ example: "prices" }),
  user_id: integerTextSchema(MAX_ID).optional(),
  date_from: civilDateSchema
    .optional()
    .meta({ description: "The first day on the account's clock", example: "2026-11-20" }),
  date_to: civilDateSchema
    .optional()
    .meta({ description: "The last day on the account's clock", example: "2099-12-31" }),
  page_size: integerTextSchema(200, 1).default(50),
  after: cursor.optional(),
});

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const group = z.record(z.string(), plain);
/** Fields of a resource by name: plain values, lists, rows, and texts by language. */
const fields = z.record(
  z.string(),
  z.union([plain, z.array(z.union([plain, group])), z.record(z.string(), z.union([plain, group]))]),
);
const values = fields.nullable();
const change = z
  .object({
    resource: z.string().meta({ description: "Name of the list" }),
    id: z.string(),
    version: z.int(),
    at: timestampTextSchema,
    who: z.string(),
    move: z.enum(["created", "changed", "removed", "renamed"]),
    before: values.meta({ description: "Previous values of the changed fields" }),
    after: values,
  })
  .meta({ id: "OfficeChange" });

export const resourceChangesAnswer = z.object({
  data: z.array(change),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable(),
});
export type ResourceChangesMessage = z.output<typeof resourceChangesAnswer>;

interface StoredChange {
  readonly resource: string;
  readonly resourceId: string;
  readonly version: number;
  readonly at: number;
  readonly actor: string;
  readonly staffName: string | null;
  readonly event: "created" | "changed" | "removed" | "renamed";
  readonly detail: string;
}

type ChangeCursor = Pick<StoredChange, "at" | "version" | "resource" | "resourceId">;

interface ChangesPage {
  readonly rows: readonly StoredChange[];
  readonly total: number;
  readonly isExact: boolean;
  readonly next: ChangeCursor | undefined;
}

export function toResourceChangesMessage(
  { rows, total, isExact, next }: ChangesPage,
  messageFormat: MessageFormat,
): z.output<typeof resourceChangesAnswer> {
  return {
    data: rows.map((row) => toChangeMessage(row, messageFormat)),
    total,
    ...(!isExact && { total_is_exact: isExact }),
    next: next ? formatCursor(next.at, next.version, next.resource, next.resourceId) : null,
  };
}

function toChangeMessage(storedChange: StoredChange, { timestamp: moment }: MessageFormat): z.output<typeof change> {
  const { before, after } = JSON.parse(storedChange.detail) as Readonly<
    Record<string, z.output<typeof fields> | undefined>
  >;
  return {
    resource: storedChange.resource,
    id: storedChange.resourceId,
    version: storedChange.version,
    at: moment(storedChange.at),
    who: storedChange.staffName ?? storedChange.actor,
    move: storedChange.event,
    before: before ?? null,
    after: after ?? null,
  };
}

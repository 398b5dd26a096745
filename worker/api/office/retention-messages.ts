import { z } from "zod";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";

/** Retention period of each kind of data. */
export const dataRetentionAnswer = z
  .object({
    data: z.array(
      z.object({
        kind: z.string(),
        days: z.int().meta({ description: "Retention period in days" }),
        last_deleted_at: timestampTextSchema.nullable(),
        deleted: z.int().meta({ description: "Number of deleted records" }),
      }),
    ),
    erased_people: z.int(),
  })
  .meta({ id: "Retention" });
export type DataRetentionMessage = z.output<typeof dataRetentionAnswer>;

interface RetentionRule {
  readonly periods: readonly {
    readonly kind: string;
    readonly days: number;
    readonly lastDeletedAt: number | undefined;
    readonly deleted: number;
  }[];
  readonly erasedPeople: number;
}

export function toRetentionMessage(
  { periods, erasedPeople }: RetentionRule,
  messageFormat: MessageFormat,
): z.output<typeof dataRetentionAnswer> {
  return {
    data: periods.map(({ kind, days, lastDeletedAt, deleted }) => ({
      kind,
      days,
      last_deleted_at: lastDeletedAt === undefined ? null : messageFormat.timestamp(lastDeletedAt),
      deleted,
    })),
    erased_people: erasedPeople,
  };
}

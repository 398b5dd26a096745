import { z } from "zod";
import { timestampTextSchema } from "#worker/api/integration/messages.ts";

/** Creates the schema of a resource's change history, with the old and new values of each change. */
export function createResourceHistorySchema(resourceShape: z.ZodObject, schemaId: string) {
  const particulars = resourceShape.partial().nullable();
  const entry = z
    .object({
      at: timestampTextSchema,
      who: z.string(),
      move: z.enum(["created", "changed", "removed", "renamed"]),
      version: z.int(),
      before: particulars.meta({ description: "Previous values of the changed fields" }),
      after: particulars,
      reason: z.null(),
    })
    .meta({ id: schemaId });
  return z.object({ data: z.array(entry) });
}
export type ResourceHistoryMessage = z.output<ReturnType<typeof createResourceHistorySchema>>;

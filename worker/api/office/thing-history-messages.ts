import { z } from "zod";
import { timestamp } from "#worker/api/integration/messages.ts";

/** What became of a thing, each time what it was and what it is of what was changed. */
export function createHistorySchema(resourceShape: z.ZodObject, id: string) {
  const particulars = resourceShape.partial().nullable();
  const entry = z
    .object({
      at: timestamp,
      who: z.string(),
      move: z.enum(["created", "changed", "removed", "renamed"]),
      version: z.int(),
      before: particulars.meta({ description: "What it was, of what was changed" }),
      after: particulars,
      reason: z.null(),
    })
    .meta({ id });
  return z.object({ data: z.array(entry) });
}

import { z } from "zod";

/** What `toErrorResponse` answers (docs/interfaces/conventions.md#errors). */
export const failureAnswer = z
  .object({
    error: z.string(),
    code: z.string().optional(),
    detail: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .readonly()
      .optional(),
  })
  .meta({ id: "Failure" });

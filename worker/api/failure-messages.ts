import { z } from "zod";

/** Parameters of a code: numbers, codes, dates and amounts that a client puts into its own sentence. */
export const reasonParams = z.record(z.string(), z.union([z.string(), z.number()]));

/** A refused field. */
export const failureDetail = z.object({
  field: z.string(),
  message: z.string(),
  code: z.string().optional(),
  params: reasonParams.optional(),
});

/** Error response of `toErrorResponse` (docs/interfaces/conventions.md#errors). */
export const failureAnswer = z
  .object({
    error: z.string(),
    code: z.string().optional(),
    params: reasonParams.optional(),
    detail: z.array(failureDetail).readonly().optional(),
  })
  .meta({ id: "Failure" });
export type FailureMessage = z.output<typeof failureAnswer>;

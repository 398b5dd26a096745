import { z } from "zod";
import * as codes from "#domain/failure-codes.ts";
import { PROBLEM_CODES } from "#domain/problem-messages.ts";

/** Parameters of a code: numbers, codes, dates and amounts that a client puts into its own sentence. */
export const reasonParams = z.record(z.string(), z.union([z.string(), z.number()]));

/** Code of a refused field. */
export const problemCode = z
  .enum(PROBLEM_CODES)
  .meta({ id: "ProblemCode", description: "Why a value is refused. More codes may follow" });

/** Creates the schema of a refused field. */
export function createFailureDetailSchema<Code extends string>(code: z.ZodType<Code>) {
  return z.object({ field: z.string(), message: z.string(), code: code.optional(), params: reasonParams.optional() });
}

/** Creates the schema of the error response of `toErrorResponse` (docs/interfaces/conventions.md#errors). */
export function createFailureSchema<Code extends string, Detail extends string>(
  code: z.ZodType<Code>,
  detail: z.ZodType<Detail>,
) {
  return z
    .object({
      error: z.string(),
      code: code.optional(),
      params: reasonParams.optional(),
      detail: z.array(createFailureDetailSchema(detail)).readonly().optional(),
    })
    .meta({ id: "Failure" });
}

/** Creates the schema of the refusal codes of an interface. */
export function createFailureCodeSchema<const Code extends string>(failureCodes: readonly Code[]) {
  return z
    .enum(failureCodes)
    .meta({ id: "FailureCode", description: "Why a request is refused. More codes may follow" });
}

/** Error responses by interface. */
export const checkInFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.CHECK_IN_FAILURE_CODES),
  problemCode,
);
export const engineFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.ENGINE_FAILURE_CODES),
  problemCode,
);
export const integrationFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.INTEGRATION_FAILURE_CODES),
  problemCode,
);
export const documentFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.DOCUMENT_FAILURE_CODES),
  problemCode,
);
export const analyticsFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.ANALYTICS_FAILURE_CODES),
  problemCode,
);
export const operationsFailureAnswer = createFailureSchema(
  createFailureCodeSchema(codes.OPERATIONS_FAILURE_CODES),
  problemCode,
);
export const paymentFailureAnswer = createFailureSchema(createFailureCodeSchema(codes.PAYMENT_CODES), problemCode);

import { z } from "zod";
import { officeFailureAnswer } from "#worker/api/office/failure-messages.ts";
import { textLineSchema, timeTextSchema } from "#worker/api/primitives.ts";

const MAX_TIMES = 42;

const times = z.array(
  z.strictObject({
    weekday: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(7, "must be at most 7")
      .meta({ description: "Day of the week. Monday is 1" }),
    opens: timeTextSchema,
    closes: timeTextSchema,
  }),
  "must be a list",
);

export const openingWeekQuery = z.object({ rental_location_code: textLineSchema(30).meta({ example: "PMI" }) });
export const openingWeekBody = z.strictObject({
  expected_version: z.int("is required: the version that was read").min(1),
  times: times.max(MAX_TIMES, `must have at most ${MAX_TIMES}`),
});
export type OpeningWeekRequest = z.input<typeof openingWeekBody>;

const week = z
  .object({
    rental_location_code: z.string(),
    times: z.array(z.object({ weekday: z.int(), opens: z.string(), closes: z.string() })).meta({
      description: "Empty: open at any time. Otherwise a weekday without times is closed",
    }),
    version: z.int().meta({ description: "Version of the branch's opening hours, which each change increases" }),
  })
  .meta({ id: "OpeningWeek" });
export const openingWeekAnswer = z.object({ week });
export type OpeningWeekMessage = z.output<typeof openingWeekAnswer>;
export const openingWeekConflictAnswer = officeFailureAnswer.extend({ week: week.optional() });

interface StoredWeek {
  readonly branchCode: string;
  readonly times: readonly { readonly weekday: number; readonly opens: string; readonly closes: string }[];
  readonly version: number;
}

/** Converts a branch's weekly opening hours. */
export function toOpeningWeekMessage({ branchCode, times: stored, version }: StoredWeek): z.output<typeof week> {
  return { rental_location_code: branchCode, times: stored.map((time) => ({ ...time })), version };
}

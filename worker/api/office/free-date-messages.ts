import { z } from "zod";
import type { NextFreeDate } from "#domain/bookings/free-dates.ts";
import { acrissFields, toAcrissFields } from "#worker/api/acriss-messages.ts";
import { civilDateSchema, integerTextSchema, MAX_ID, timeTextSchema } from "#worker/api/primitives.ts";

const place = integerTextSchema(MAX_ID).meta({ type: "integer", example: 1 });
const clock = "Time of the account's clock";

export const nextFreeDatesQuery = z.object({
  date_from: civilDateSchema,
  time_from: timeTextSchema.meta({ description: clock }),
  date_to: civilDateSchema.meta({ example: "2030-06-13" }),
  time_to: timeTextSchema.meta({ description: clock, example: "10:00" }),
  pickup_place: place.meta({ type: "integer", description: "Id of the place", example: 1 }),
  return_place: place.optional().meta({ type: "integer", description: "The pickup place by default" }),
  quantity: integerTextSchema(999, 1).default(1).meta({ type: "integer", description: "Vehicles needed" }),
});

export const nextFreeDatesAnswer = z
  .object({
    data: z.array(
      z.object({
        category_code: z.string(),
        ...acrissFields,
        date_from: z.string().nullable().meta({
          description: "First pickup after the requested one with enough free vehicles. Null if none within 60 days",
        }),
      }),
    ),
  })
  .meta({ id: "NearestFreeDates" });
export type NextFreeDatesMessage = z.output<typeof nextFreeDatesAnswer>;

export function toNextFreeDatesMessage(dates: readonly NextFreeDate[]): NextFreeDatesMessage {
  return {
    data: dates.map((dated) => ({
      category_code: dated.categoryCode,
      ...toAcrissFields(dated),
      date_from: dated.date ?? null,
    })),
  };
}

import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import type { RequestedChange } from "#domain/bookings/moves/change.ts";
import { listOfferedExtras } from "#domain/bookings/moves/change-extras.ts";
import type { Contract } from "#domain/bookings/moves/contract.ts";
import type { MovePlan } from "#domain/bookings/moves/plan.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import { amount, civilDate, textIn, textLine, timeOfDay } from "#worker/api/primitives.ts";

const EXAMPLE_ID = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";

export const ownBookingParams = z.object({
  free_access_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "is the id of no booking")
    .meta({ example: EXAMPLE_ID }),
});

const version = z
  .int("must be the version that this was decided on")
  .min(1, "must be at least 1")
  .optional()
  .meta({ description: "Where it is given and not the version any more: 409" });

export const ownCancellationBody = z.object({ expected_version: version });

const extra = z.object(
  { code: textLine(30), quantity: z.int("must be a whole number").min(0).max(99).default(1) },
  "must be an object with a code",
);

export const ownChangeBody = z.object({
  expected_version: version,
  date_from: civilDate.optional(),
  time_from: timeOfDay.optional(),
  date_to: civilDate.optional(),
  time_to: timeOfDay.optional(),
  extras: z
    .array(extra, "must be an array")
    .max(50)
    .optional()
    .meta({ description: "All of them: what is left out goes" }),
});

export const ownQuoteBody = ownChangeBody
  .omit({ expected_version: true })
  .extend({ move: z.enum(["cancel", "change"], "must be cancel or change") });

/** What a customer wants otherwise. */
export function toOwnRequestedChange(body: Omit<z.output<typeof ownChangeBody>, "expected_version">): RequestedChange {
  const period = {
    ...(body.date_from && { dateFrom: body.date_from }),
    ...(body.time_from && { timeFrom: body.time_from }),
    ...(body.date_to && { dateTo: body.date_to }),
    ...(body.time_to && { timeTo: body.time_to }),
  };
  return {
    ...(Object.keys(period).length > 0 && { period }),
    ...(body.extras && { extras: body.extras }),
  };
}

/** One's own booking, and what the move does to it. */
export const ownMoveAnswer = z
  .object({
    booking: z.object({
      id: z.int(),
      free_access_id: z.string(),
      status: z.enum(BOOKING_STATUSES),
      version: z.int(),
      date_from: z.string(),
      time_from: z.string(),
      date_to: z.string(),
      time_to: z.string(),
      total_cost: amount,
      total_paid: amount,
    }),
    difference: amount.meta({ description: "By how much the total changes" }),
    fee: amount,
    to_refund: amount,
    new_total_cost: amount,
    extras: z
      .array(
        z.object({
          code: z.string(),
          name: z.string(),
          unit_price: amount,
          quantity: z.int().meta({ description: "How many of it the booking has" }),
          max_quantity: z.int(),
        }),
      )
      .meta({ description: "What a rental may have beside it in the days that are asked for" }),
  })
  .meta({ id: "OwnMove" });

interface OwnMoved {
  readonly contract: Contract;
  readonly plan: MovePlan;
  readonly catalogue: Catalogue;
}

export function fromOwnMove(
  { contract, plan, catalogue }: OwnMoved,
  language: string,
  isDone: boolean,
): z.output<typeof ownMoveAnswer> {
  const decimals = catalogue.settings.currencyDecimals;
  const { totalCents } = contract.totals;
  const offered = listOfferedExtras(catalogue, contract, plan.agreed?.days ?? contract.days);
  return {
    booking: {
      id: contract.id,
      free_access_id: contract.freeAccessId,
      status: contract.status,
      version: contract.version,
      date_from: contract.period.dateFrom,
      time_from: contract.period.timeFrom,
      date_to: contract.period.dateTo,
      time_to: contract.period.timeTo,
      total_cost: toAmount(totalCents, decimals),
      total_paid: toAmount(contract.totalPaidCents, decimals),
    },
    difference: toAmount(plan.differenceCents, decimals),
    fee: toAmount(plan.feeCents, decimals),
    to_refund: toAmount(plan.toRefundCents, decimals),
    new_total_cost: toAmount(isDone ? totalCents : totalCents + plan.differenceCents, decimals),
    extras: offered.map(({ code, name, names, unitCents, quantity, most }) => ({
      code,
      name: textIn(language, names, name),
      unit_price: toAmount(unitCents, decimals),
      quantity,
      max_quantity: most,
    })),
  };
}

import { z } from "zod";
import { type Cents, toAmount } from "#domain/money.ts";
import type { AgreedTransfer } from "#domain/transfers/agreed.ts";
import type { ChangedTransfer, TransferChangeRequest } from "#domain/transfers/change.ts";
import type { RequestedTrip } from "#domain/transfers/terms.ts";

import { civilDateSchema, decimalAmountSchema, textLineSchema, timeTextSchema } from "#worker/api/primitives.ts";
import { discountShape, toDiscountMessage } from "./discount-messages.ts";

const MAX_TRAVELLERS = 99;
export const MAX_TRANSFER_EXTRAS = 50;

/** Transfer point, by its id. */
export const transferPointIdSchema = z
  .int("must be the identifier of a transfer point, a whole number")
  .min(1, "must be at least 1");
const trip = z.strictObject(
  {
    date: civilDateSchema.optional(),
    time: timeTextSchema.optional(),
    origin_point_id: transferPointIdSchema.optional(),
    destination_point_id: transferPointIdSchema.optional(),
  },
  "must be an object",
);
/** Number of passengers of one kind. */
export const travellerCount = z
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(MAX_TRAVELLERS, `must be at most ${MAX_TRAVELLERS}`);
/** Quantity of an extra. */
export const transferExtraChoiceSchema = z.strictObject(
  { code: textLineSchema(30), quantity: z.int("must be a whole number").min(0).max(MAX_TRAVELLERS).default(1) },
  "must be an object with a code",
);

/** Requested changes of a transfer. */
export const transferChangeSchema = z
  .strictObject(
    {
      outward: trip.optional(),
      return: trip.nullish().meta({ description: "Null: one way from now on" }),
      transfer_vehicle_id: z.int("must be a whole number").min(1, "must be at least 1").optional(),
      adults: travellerCount.optional(),
      children: travellerCount.optional(),
      infants: travellerCount.optional(),
      extras: z
        .array(transferExtraChoiceSchema, "must be an array")
        .max(MAX_TRANSFER_EXTRAS, `must have at most ${MAX_TRANSFER_EXTRAS} extras`)
        .optional()
        .meta({ description: "Full list. Missing entries are removed" }),
    },
    "must be an object",
  )
  .meta({ description: "Transfer data, instead of dates, places and category" });

/** Converts the requested changes of a transfer. */
export function toTransferChange(
  body: z.output<typeof transferChangeSchema> | undefined,
): TransferChangeRequest | undefined {
  if (!body) return undefined;
  const passengerCounts = Object.entries({ adults: body.adults, children: body.children, infants: body.infants });
  const sentCounts = passengerCounts.filter(([, number]) => number !== undefined);
  return {
    outward: body.outward && toTrip(body.outward),
    back: body.return && toTrip(body.return),
    vehicleId: body.transfer_vehicle_id,
    people: sentCounts.length > 0 ? Object.fromEntries(sentCounts) : undefined,
    extras: body.extras,
    ...(body.return === null && { back: null }),
  };
}

function toTrip(body: z.output<typeof trip>): Partial<RequestedTrip> {
  const { date, time, origin_point_id: originId, destination_point_id: destinationId } = body;
  const members = Object.entries({ date, time, originId, destinationId });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const transferShape = {
  transfer_vehicle_id: z.int(),
  vehicle: z.string(),
  adults: z.int(),
  children: z.int(),
  infants: z.int(),
  trips: z
    .array(
      z.object({
        date: z.string(),
        time: z.string(),
        origin_point_id: z.int(),
        origin: z.string(),
        destination_point_id: z.int(),
        destination: z.string(),
        minutes: z.int(),
        cost: decimalAmountSchema,
      }),
    )
    .meta({ description: "The outward trip, then the return" }),
  extras: z.array(
    z.object({
      code: z.string(),
      description: z.string(),
      quantity: z.int(),
      unit_cost: decimalAmountSchema,
      cost: decimalAmountSchema,
    }),
  ),
  supplements: z.array(z.object({ description: z.string(), cost: decimalAmountSchema })),
};

/** Transfer of a reservation. */
export const officeTransferSchema = z.object(transferShape).meta({ id: "OfficeTransfer" });
export type OfficeTransferMessage = z.output<typeof officeTransferSchema>;

/** Transfer as it would be agreed, with its totals. */
export const transferQuoteSchema = z
  .object({
    ...transferShape,
    item_cost: decimalAmountSchema,
    extras_cost: decimalAmountSchema,
    supplements_cost: decimalAmountSchema,
    ...discountShape,
    total_cost: decimalAmountSchema,
    booking_amount: decimalAmountSchema,
  })
  .meta({ id: "TransferQuote" });
export type TransferQuoteMessage = z.output<typeof transferQuoteSchema>;

export function toOfficeTransferMessage(
  { vehicle, people: passengers, trips, extras, supplements }: AgreedTransfer,
  decimals: number,
): z.output<typeof officeTransferSchema> {
  const cost = (cents: Cents) => toAmount(cents, decimals);
  return {
    transfer_vehicle_id: vehicle.id,
    vehicle: vehicle.name,
    adults: passengers.adults,
    children: passengers.children,
    infants: passengers.infants,
    trips: trips.map((trip) => ({
      date: trip.date,
      time: trip.time,
      origin_point_id: trip.originId,
      origin: trip.originName,
      destination_point_id: trip.destinationId,
      destination: trip.destinationName,
      minutes: trip.minutes,
      cost: cost(trip.priceCents),
    })),
    extras: extras.map(({ code, name, quantity, unitCents, extraCents }) => ({
      code,
      description: name,
      quantity,
      unit_cost: cost(unitCents),
      cost: cost(extraCents),
    })),
    supplements: supplements.map(({ name, cents }) => ({ description: name, cost: cost(cents) })),
  };
}

export function toTransferQuoteMessage(
  transfer: Pick<ChangedTransfer, keyof AgreedTransfer | "totals" | "discount">,
  decimals: number,
): z.output<typeof transferQuoteSchema> {
  const { itemCents, extrasCents, supplementsCents, totalCents, bookingAmountCents } = transfer.totals;
  return {
    ...toOfficeTransferMessage(transfer, decimals),
    item_cost: toAmount(itemCents, decimals),
    extras_cost: toAmount(extrasCents, decimals),
    supplements_cost: toAmount(supplementsCents, decimals),
    ...toDiscountMessage(totalCents, transfer.discount, decimals),
    total_cost: toAmount(totalCents, decimals),
    booking_amount: toAmount(bookingAmountCents, decimals),
  };
}

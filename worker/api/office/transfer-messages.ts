import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import type { AgreedTransfer } from "#domain/transfers/agreed.ts";
import type { ChangedTransfer, TransferChangeRequest } from "#domain/transfers/change.ts";
import { findLuggage, LUGGAGE_FIELDS, MAX_LUGGAGE_PIECES } from "#domain/transfers/luggage.ts";
import type { RequestedTrip } from "#domain/transfers/terms.ts";
import { type ContractDataChange, getTripAddressesAndFlights } from "#domain/transfers/trip-ends.ts";
import { nullableText } from "#worker/api/integration/messages.ts";
import {
  civilDateSchema,
  decimalAmountSchema,
  mapNamesToSchemas,
  textLineSchema,
  timeTextSchema,
} from "#worker/api/primitives.ts";
import { discountShape, toDiscountMessage } from "./discount-messages.ts";

const FLIGHT_FIELDS = ["flight_number", "flight_time", "flight_number_departure", "flight_time_departure"] as const;
const MAX_TRAVELLERS = 99;
export const MAX_TRANSFER_EXTRAS = 50;

/** Transfer point, by its id. */
export const transferPointIdSchema = z
  .int("must be the identifier of a transfer point, a whole number")
  .min(1, "must be at least 1");
const address = textLineSchema(256).nullish();
/** Exact addresses of a trip. Null removes one. */
export const tripAddressShape = { origin_address: address, destination_address: address };
const trip = z.strictObject(
  {
    date: civilDateSchema.optional(),
    time: timeTextSchema.optional(),
    origin_point_id: transferPointIdSchema.optional(),
    destination_point_id: transferPointIdSchema.optional(),
    ...tripAddressShape,
  },
  "must be an object",
);
/** Number of passengers of one kind. */
export const travellerCount = z
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(MAX_TRAVELLERS, `must be at most ${MAX_TRAVELLERS}`);
const pieces = z
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(MAX_LUGGAGE_PIECES, `must be at most ${MAX_LUGGAGE_PIECES}`)
  .nullish();
const flightNumber = textLineSchema(10).nullish();
const flightTime = timeTextSchema.nullish();
/** Flights and luggage of a transfer's customer, named as in its engine. Null removes one. */
export const flightAndLuggageShape = {
  flight_number: flightNumber,
  flight_time: flightTime,
  flight_number_departure: flightNumber,
  flight_time_departure: flightTime,
  number_of_bags: pieces,
  number_of_large_items: pieces,
};
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
      ...flightAndLuggageShape,
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
    details: toTransferContractDataChange(body),
    ...(body.return === null && { back: null }),
  };
}

type TripAddresses = z.output<z.ZodObject<typeof tripAddressShape>>;
type TransferDetails = z.output<z.ZodObject<typeof flightAndLuggageShape>> & {
  readonly outward?: TripAddresses | undefined;
  readonly return?: TripAddresses | null | undefined;
};

/** Returns the sent addresses, flights and luggage by their fields of the contract data. Undefined if none is sent. */
export function toTransferContractDataChange({
  outward,
  return: back,
  ...body
}: TransferDetails): ContractDataChange | undefined {
  const values = Object.entries({
    detailed_origin_address: outward?.origin_address,
    detailed_destination_address: outward?.destination_address,
    detailed_return_origin_address: back?.origin_address,
    detailed_return_destination_address: back?.destination_address,
    ...Object.fromEntries([...FLIGHT_FIELDS, ...LUGGAGE_FIELDS].map((name) => [name, body[name]])),
  });
  const sent = values.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === null ? null : String(value)] as const],
  );
  return sent.length > 0 ? Object.fromEntries(sent) : undefined;
}

function toTrip(body: z.output<typeof trip>): Partial<RequestedTrip> {
  const { date, time, origin_point_id: originId, destination_point_id: destinationId } = body;
  const members = Object.entries({ date, time, originId, destinationId });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const quotedTrip = z.object({
  date: z.string(),
  time: z.string(),
  origin_point_id: z.int(),
  origin: z.string(),
  destination_point_id: z.int(),
  destination: z.string(),
  minutes: z.int(),
  cost: decimalAmountSchema,
});
const createTripListSchema = <Trip extends z.ZodType>(schema: Trip) =>
  z.array(schema).meta({ description: "The outward trip, then the return" });

const transferShape = {
  transfer_vehicle_id: z.int(),
  vehicle: z.string(),
  adults: z.int(),
  children: z.int(),
  infants: z.int(),
  trips: createTripListSchema(quotedTrip),
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
export const officeTransferSchema = z
  .object({
    ...transferShape,
    trips: createTripListSchema(quotedTrip.extend({ origin_address: nullableText, destination_address: nullableText })),
    ...mapNamesToSchemas(FLIGHT_FIELDS, () => nullableText),
    ...mapNamesToSchemas(LUGGAGE_FIELDS, () => z.int().nullable()),
  })
  .meta({ id: "OfficeTransfer" });
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

/** Converts a reservation's transfer with its stated addresses, flights and luggage. */
export function toOfficeTransferMessage(
  transfer: AgreedTransfer,
  data: ContractData,
  decimals: number,
): OfficeTransferMessage {
  const message = toAgreedTransferMessage(transfer, decimals);
  const luggage = findLuggage(data);
  return {
    ...message,
    trips: message.trips.map((quoted, index) => {
      const { origin, destination } = getTripAddressesAndFlights(data, {
        isReturn: index > 0,
        isRoundTrip: message.trips.length > 1,
      });
      return { ...quoted, origin_address: origin.address ?? null, destination_address: destination.address ?? null };
    }),
    flight_number: data["flight_number"] ?? null,
    flight_time: data["flight_time"] ?? null,
    flight_number_departure: data["flight_number_departure"] ?? null,
    flight_time_departure: data["flight_time_departure"] ?? null,
    number_of_bags: luggage?.bags ?? null,
    number_of_large_items: luggage?.largeItems ?? null,
  };
}

function toAgreedTransferMessage(
  { vehicle, people: passengers, trips, extras, supplements }: AgreedTransfer,
  decimals: number,
): z.output<z.ZodObject<typeof transferShape>> {
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
    ...toAgreedTransferMessage(transfer, decimals),
    item_cost: toAmount(itemCents, decimals),
    extras_cost: toAmount(extrasCents, decimals),
    supplements_cost: toAmount(supplementsCents, decimals),
    ...toDiscountMessage(totalCents, transfer.discount, decimals),
    total_cost: toAmount(totalCents, decimals),
    booking_amount: toAmount(bookingAmountCents, decimals),
  };
}

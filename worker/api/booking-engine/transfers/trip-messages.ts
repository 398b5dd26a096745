import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, divideRounded, toAmount } from "#domain/money.ts";
import type { TransferTotals } from "#domain/transfers/draft.ts";
import type { BookedTrip, TransferReservation } from "#domain/transfers/reservations.ts";
import {
  addPrefixToNames,
  createSchemaFields,
  type FieldsMessage,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { reductionFields, toReductionMessage } from "#worker/api/booking-engine/shared/reduction-messages.ts";
import { decimalAmountSchema, toImageUrl } from "#worker/api/primitives.ts";

// Common parts of a transfer's cart and reservation (docs/interfaces/booking-engine-transfers.md#cart).

const sumFields = createSchemaFields(
  decimalAmountSchema,
  "item_cost",
  "extras_cost",
  "supplements_cost",
  "total_cost",
  "booking_amount",
);

const ROLES = ["origin_point_", "destination_point_"] as const;
const endFields = createSchemaFields(nullableText, "name", "name_customer_translation", "type", "detailed_info");
const endsFields = { ...addPrefixToNames(ROLES[0], endFields), ...addPrefixToNames(ROLES[1], endFields) };

const chosenExtra = z
  .object({
    extra_id: z.int(),
    ...createSchemaFields(
      z.string(),
      "extra_name",
      "extra_name_customer_translation",
      "extra_description_customer_translation",
    ),
    ...createSchemaFields(nullableText, "extra_photo", "extra_photo_full"),
    ...createSchemaFields(decimalAmountSchema, "extra_unit_cost", "extra_cost"),
    quantity: z.int(),
  })
  .meta({ id: "TransferChosenExtra" });

const vehicleFields = {
  item_id: z.int().nullable(),
  ...createSchemaFields(
    nullableText,
    "item_name",
    "item_name_customer_translation",
    "item_description_customer_translation",
    "item_photo",
    "item_full_photo",
  ),
};

/** Fields of a transfer in carts and reservations. */
export const transferFields = {
  ...createSchemaFields(z.string(), "free_access_id", "date", "time"),
  round_trip: z.boolean(),
  ...createSchemaFields(nullableText, "return_date", "return_time"),
  ...createSchemaFields(z.int(), "origin_point_id", "destination_point_id"),
  ...createSchemaFields(z.int().nullable(), "return_origin_point_id", "return_destination_point_id"),
  ...endsFields,
  ...addPrefixToNames("return_", endsFields),
  ...createSchemaFields(z.int(), "number_of_adults", "number_of_children", "number_of_infants"),
  ...vehicleFields,
  ...sumFields,
  ...reductionFields,
  extras: z.array(chosenExtra),
  supplements: z.array(
    z
      .object({
        supplement_id: z.int(),
        ...createSchemaFields(z.string(), "supplement_name", "supplement_name_customer_translation"),
        supplement_cost: decimalAmountSchema,
      })
      .meta({ id: "TransferSupplement" }),
  ),
};
/** Common data of a transfer in carts and reservations. */
export type PresentedTransfer = Pick<
  TransferReservation,
  "freeAccessId" | "people" | "trips" | "extras" | "supplements" | "discount"
> & {
  readonly vehicle: TransferReservation["vehicle"] | undefined;
  readonly totals: TransferTotals;
  /** Details about the trips' ends, such as the customer's addresses. */
  readonly details: Readonly<Record<string, string>>;
};

/** Converts a transfer for anyone with its id. */
export function toTransferMessage(
  transfer: PresentedTransfer,
  catalogue: Catalogue,
  visitor: Visitor,
): FieldsMessage<typeof transferFields> {
  const { people, totals } = transfer;
  const [outward, back] = transfer.trips;
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  return {
    free_access_id: transfer.freeAccessId,
    date: outward?.date ?? "",
    time: outward?.time ?? "",
    round_trip: back !== undefined,
    return_date: back?.date ?? null,
    return_time: back?.time ?? null,
    origin_point_id: outward?.originId ?? 0,
    destination_point_id: outward?.destinationId ?? 0,
    return_origin_point_id: back?.originId ?? null,
    return_destination_point_id: back?.destinationId ?? null,
    ...toTripEndsMessage("", outward, transfer.details, catalogue, visitor),
    ...addPrefixToNames("return_", toTripEndsMessage("return_", back, transfer.details, catalogue, visitor)),
    number_of_adults: people.adults,
    number_of_children: people.children,
    number_of_infants: people.infants,
    ...toChosenVehicleFields(transfer.vehicle, catalogue, visitor),
    item_cost: money(totals.itemCents),
    extras_cost: money(totals.extrasCents),
    supplements_cost: money(totals.supplementsCents),
    total_cost: money(totals.totalCents),
    booking_amount: money(totals.bookingAmountCents),
    ...toReductionMessage(transfer, catalogue.settings.currencyDecimals),
    extras: transfer.extras.map((extra) => toChosenExtraMessage(extra, catalogue, visitor, money)),
    supplements: transfer.supplements.map(({ id, name, cents }) => ({
      supplement_id: id,
      supplement_name: name,
      supplement_name_customer_translation: translateText(
        visitor,
        catalogue.transfers.supplements.find((supplement) => supplement.id === id)?.names ?? {},
        name,
      ),
      supplement_cost: money(cents),
    })),
  };
}

function toTripEndsMessage(
  prefix: "" | "return_",
  trip: BookedTrip | undefined,
  details: PresentedTransfer["details"],
  { transfers }: Catalogue,
  visitor: Visitor,
): FieldsMessage<typeof endsFields> {
  const end = (role: "origin" | "destination") => {
    const name = trip?.[`${role}Name`];
    const point = trip && transfers.points.get(trip[`${role}Id`]);
    return {
      name: name ?? null,
      name_customer_translation: name === undefined ? null : translateText(visitor, point?.names ?? {}, name),
      type: point?.pointType ?? null,
      detailed_info: details[`detailed_${prefix}${role}_address`] ?? null,
    };
  };
  return { ...addPrefixToNames(ROLES[0], end("origin")), ...addPrefixToNames(ROLES[1], end("destination")) };
}

function toChosenVehicleFields(
  vehicle: PresentedTransfer["vehicle"],
  { transfers }: Catalogue,
  visitor: Visitor,
): FieldsMessage<typeof vehicleFields> {
  const known = vehicle && transfers.vehicles.get(vehicle.id);
  const name = vehicle?.name ?? null;
  return {
    item_id: vehicle?.id ?? null,
    item_name: name,
    item_name_customer_translation: name === null ? null : translateText(visitor, known?.names ?? {}, name),
    item_description_customer_translation: known
      ? translateText(visitor, known.descriptions, known.description || known.name)
      : name,
    item_photo: toImageUrl(known?.photoPath, visitor.origin),
    item_full_photo: toImageUrl(known?.photoFullPath, visitor.origin),
  };
}

function toChosenExtraMessage(
  extra: PresentedTransfer["extras"][number],
  { transfers }: Catalogue,
  visitor: Visitor,
  money: (cents: Cents) => string,
): z.output<typeof chosenExtra> {
  const known = transfers.extras.get(extra.id);
  return {
    extra_id: extra.id,
    extra_name: extra.name,
    extra_name_customer_translation: translateText(visitor, known?.names ?? {}, extra.name),
    extra_description_customer_translation: translateText(
      visitor,
      known?.descriptions ?? {},
      known?.description ?? extra.name,
    ),
    extra_photo: toImageUrl(known?.photoPath, visitor.origin),
    extra_photo_full: toImageUrl(known?.photoFullPath, visitor.origin),
    extra_unit_cost: money(divideRounded(extra.extraCents, extra.quantity)),
    extra_cost: money(extra.extraCents),
    quantity: extra.quantity,
  };
}

import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import type { TransferTotals } from "#domain/transfers/draft.ts";
import type { BookedTrip, TransferReservation } from "#domain/transfers/reservations.ts";
import { amount, imageAddress } from "#worker/api/primitives.ts";
import { fields, nullableText, textIn, type Visitor } from "#worker/api/rental-engine/messages.ts";

// What a transfer's cart and its reservation have alike (document 2, transfer shopping cart; client contract, 3.4).

const sumFields = fields(amount, "item_cost", "extras_cost", "supplements_cost", "total_cost", "booking_amount");

/** The fields of a transfer, as a cart and as a reservation. */
export const transferFields = {
  free_access_id: z.string(),
  date: z.string(),
  time: z.string(),
  round_trip: z.boolean(),
  return_date: nullableText,
  return_time: nullableText,
  ...fields(z.number(), "origin_point_id", "destination_point_id"),
  ...fields(z.number().nullable(), "return_origin_point_id", "return_destination_point_id", "item_id"),
  ...fields(z.number(), "number_of_adults", "number_of_children", "number_of_infants"),
  ...sumFields,
  extras: z.array(z.looseObject({ extra_id: z.number(), extra_name: z.string(), quantity: z.number() })),
  supplements: z.array(z.looseObject({ supplement_cost: amount })),
};

/** A transfer as both know it. */
export type ToldTransfer = Pick<TransferReservation, "freeAccessId" | "people" | "trips" | "extras" | "supplements"> & {
  readonly vehicle: TransferReservation["vehicle"] | undefined;
  readonly totals: TransferTotals;
  /** More about the ends of its trips: addresses that the customer gave. */
  readonly details: Readonly<Record<string, string>>;
};

export function fromTransfer(told: ToldTransfer, catalogue: Catalogue, visitor: Visitor) {
  const { people, totals } = told;
  const [outward, back] = told.trips;
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  return {
    free_access_id: told.freeAccessId,
    date: outward?.date ?? "",
    time: outward?.time ?? "",
    round_trip: back !== undefined,
    return_date: back?.date ?? null,
    return_time: back?.time ?? null,
    origin_point_id: outward?.originId ?? 0,
    destination_point_id: outward?.destinationId ?? 0,
    return_origin_point_id: back?.originId ?? null,
    return_destination_point_id: back?.destinationId ?? null,
    ...fromEnds("", outward, told.details, catalogue, visitor),
    ...fromEnds("return_", back, told.details, catalogue, visitor),
    number_of_adults: people.adults,
    number_of_children: people.children,
    number_of_infants: people.infants,
    ...fromVehicle(told.vehicle, catalogue, visitor),
    item_cost: money(totals.itemCents),
    extras_cost: money(totals.extrasCents),
    supplements_cost: money(totals.supplementsCents),
    total_cost: money(totals.totalCents),
    booking_amount: money(totals.bookingAmountCents),
    extras: told.extras.map((extra) => fromExtra(extra, catalogue, visitor, money)),
    supplements: told.supplements.map(({ id, name, cents }) => ({
      supplement_id: id,
      supplement_name: name,
      supplement_name_customer_translation: textIn(
        visitor,
        catalogue.transfers.supplements.find((one) => one.id === id)?.names ?? {},
        name,
      ),
      supplement_cost: money(cents),
    })),
  };
}

type EndText = "name" | "name_customer_translation" | "type" | "detailed_info";

function fromEnds<Prefix extends "" | "return_">(
  prefix: Prefix,
  trip: BookedTrip | undefined,
  details: ToldTransfer["details"],
  { transfers }: Catalogue,
  visitor: Visitor,
) {
  const end = (role: "origin" | "destination") => {
    const name = trip?.[`${role}Name`];
    const point = trip && transfers.points.get(trip[`${role}Id`]);
    const field = `${prefix}${role}_point`;
    return {
      [`${field}_name`]: name ?? null,
      [`${field}_name_customer_translation`]: name === undefined ? null : textIn(visitor, point?.names ?? {}, name),
      [`${field}_type`]: point?.pointType ?? null,
      [`${field}_detailed_info`]: details[`detailed_${prefix}${role}_address`] ?? null,
    };
  };
  return { ...end("origin"), ...end("destination") } as Record<
    `${Prefix}${"origin" | "destination"}_point_${EndText}`,
    string | null
  >;
}

function fromVehicle(vehicle: ToldTransfer["vehicle"], { transfers }: Catalogue, visitor: Visitor) {
  const known = vehicle && transfers.vehicles.get(vehicle.id);
  const name = vehicle?.name ?? null;
  return {
    item_id: vehicle?.id ?? null,
    item_name: name,
    item_name_customer_translation: name === null ? null : textIn(visitor, known?.names ?? {}, name),
    item_description_customer_translation: known
      ? textIn(visitor, known.descriptions, known.description || known.name)
      : name,
    item_photo: imageAddress(known?.photoPath, visitor.origin),
    item_full_photo: imageAddress(known?.photoFullPath, visitor.origin),
  };
}

function fromExtra(
  extra: ToldTransfer["extras"][number],
  { transfers }: Catalogue,
  visitor: Visitor,
  money: (cents: Cents) => string,
) {
  const known = transfers.extras.get(extra.id);
  return {
    extra_id: extra.id,
    extra_name: extra.name,
    extra_name_customer_translation: textIn(visitor, known?.names ?? {}, extra.name),
    extra_description_customer_translation: textIn(
      visitor,
      known?.descriptions ?? {},
      known?.description ?? extra.name,
    ),
    extra_photo: imageAddress(known?.photoPath, visitor.origin),
    extra_photo_full: imageAddress(known?.photoFullPath, visitor.origin),
    extra_unit_cost: money(extra.unitCents),
    extra_cost: money(extra.extraCents),
    quantity: extra.quantity,
  };
}

import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { RequestedContractChange } from "#domain/contracts/change.ts";
import { listChangeableExtras } from "#domain/contracts/change-extras.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import type { ActionPlan } from "#domain/contracts/plan.ts";
import { toAmount } from "#domain/money.ts";
import type { AgreedTransfer } from "#domain/transfers/agreed.ts";
import type { TransferChangeRequest } from "#domain/transfers/change.ts";
import { websitePageSchema } from "#worker/api/booking-engine/shared/customer-messages.ts";
import {
  civilDateSchema,
  decimalAmountSchema,
  pickTranslation,
  textLineSchema,
  timeTextSchema,
} from "#worker/api/primitives.ts";

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
  .meta({ description: "Version that the caller read. Refused with 409 if outdated" });

export const ownCancellationBody = z.object({ expected_version: version });
export type OwnCancellationRequest = z.input<typeof ownCancellationBody>;

const point = z.int("must be the identifier of a transfer point, a whole number").min(1, "must be at least 1");
const upTo99 = z.int("must be a whole number").min(0, "must be at least 0").max(99, "must be at most 99");
const extra = z.object({ code: textLineSchema(30), quantity: upTo99.default(1) }, "must be an object with a code");

const address = textLineSchema(256).optional();
const flightNumber = textLineSchema(10).optional();
const flightTime = timeTextSchema.optional();

// Addresses and flights, named as in the contract data.
const transferDetailShape = {
  detailed_origin_address: address,
  detailed_destination_address: address,
  detailed_return_origin_address: address,
  detailed_return_destination_address: address,
  flight_number: flightNumber,
  flight_time: flightTime,
  flight_number_departure: flightNumber,
  flight_time_departure: flightTime,
};
type TransferDetail = keyof typeof transferDetailShape;
const TRANSFER_DETAILS = Object.keys(transferDetailShape) as readonly TransferDetail[];

// Transfer fields, named as in its engine.
const transferShape = {
  date: civilDateSchema.optional(),
  time: timeTextSchema.optional(),
  origin_point_id: point.optional(),
  destination_point_id: point.optional(),
  round_trip: z
    .boolean("must be true or false")
    .optional()
    .meta({ description: "False changes the transfer to one way" }),
  return_date: civilDateSchema.optional(),
  return_time: timeTextSchema.optional(),
  return_origin_point_id: point.optional(),
  return_destination_point_id: point.optional(),
  number_of_adults: upTo99.optional(),
  number_of_children: upTo99.optional(),
  number_of_infants: upTo99.optional(),
  ...transferDetailShape,
};

export const ownChangeBody = z.object({
  expected_version: version,
  date_from: civilDateSchema.optional(),
  time_from: timeTextSchema.optional(),
  date_to: civilDateSchema.optional(),
  time_to: timeTextSchema.optional(),
  extras: z
    .array(extra, "must be an array")
    .max(50, "must have at most 50 extras")
    .optional()
    .meta({ description: "Full list. Missing entries are removed" }),
  ...transferShape,
});
export type OwnChangeRequest = z.input<typeof ownChangeBody>;

export const ownQuoteBody = ownChangeBody
  .omit({ expected_version: true })
  .extend({ move: z.enum(["cancel", "change"], "must be cancel or change") });
export type OwnQuoteRequest = z.input<typeof ownQuoteBody>;

type OwnChangeBody = Omit<z.output<typeof ownChangeBody>, "expected_version">;

/** Returns the changes of a transfer. Undefined if there are none. */
export function toOwnTransferChange(body: OwnChangeBody): TransferChangeRequest | undefined {
  const { number_of_adults: adults, number_of_children: children, number_of_infants: infants } = body;
  const outward = pickDefined({
    ...{ date: body.date, time: body.time },
    ...{ originId: body.origin_point_id, destinationId: body.destination_point_id },
  });
  const back = pickDefined({
    ...{ date: body.return_date, time: body.return_time },
    ...{ originId: body.return_origin_point_id, destinationId: body.return_destination_point_id },
  });
  const transferChange = {
    outward,
    back: body.round_trip === false ? null : back,
    people: pickDefined({ adults, children, infants }),
    details: pickDefined(pickTransferDetails(body)),
  };
  return Object.values(transferChange).some((value) => value !== undefined) ? transferChange : undefined;
}

const pickTransferDetails = (body: OwnChangeBody) =>
  Object.fromEntries(TRANSFER_DETAILS.map((name) => [name, body[name]])) as Pick<OwnChangeBody, TransferDetail>;

/** Returns the specified members. Undefined if there are none. */
function pickDefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } | undefined {
  const definedEntries = Object.entries(members).filter(([, value]) => value !== undefined);
  return definedEntries.length === 0
    ? undefined
    : (Object.fromEntries(definedEntries) as { [Name in keyof T]?: Exclude<T[Name], undefined> });
}

/** Returns the changes of a rental. */
export function toOwnRequestedChange(body: OwnChangeBody): RequestedContractChange {
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

/** A customer's booking, and the effect of an action. */
export const ownActionAnswer = z
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
      total_cost: decimalAmountSchema,
      total_paid: decimalAmountSchema,
    }),
    difference: decimalAmountSchema.meta({ description: "Amount by which the total changes" }),
    fee: decimalAmountSchema,
    to_refund: decimalAmountSchema,
    new_total_cost: decimalAmountSchema,
    extras: z
      .array(
        z.object({
          code: z.string(),
          name: z.string(),
          unit_price: decimalAmountSchema,
          quantity: z.int().meta({ description: "Number of units that the booking has" }),
          max_quantity: z.int(),
        }),
      )
      .meta({ description: "Extras available for the requested days" }),
    transfer: z
      .object({
        vehicle: z.string(),
        number_of_adults: z.int(),
        number_of_children: z.int(),
        number_of_infants: z.int(),
        trips: z.array(
          z.object({
            date: z.string(),
            time: z.string(),
            origin_point_id: z.int(),
            origin: z.string(),
            destination_point_id: z.int(),
            destination: z.string(),
            cost: decimalAmountSchema,
          }),
        ),
      })
      .nullable()
      .meta({ description: "Transfer after the action. Null for a rental" }),
  })
  .meta({ id: "OwnBookingAction" });
export type OwnBookingActionMessage = z.output<typeof ownActionAnswer>;

interface CustomerActionResult {
  readonly contract: Contract;
  readonly plan: ActionPlan;
  readonly catalogue: Catalogue;
}

export function toOwnBookingActionMessage(
  { contract, plan, catalogue }: CustomerActionResult,
  language: string,
  isApplied: boolean,
): z.output<typeof ownActionAnswer> {
  const decimals = catalogue.settings.currencyDecimals;
  const { totalCents } = contract.totals;
  const offered = listChangeableExtras(catalogue, contract, plan.agreed?.days ?? contract.days);
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
    new_total_cost: toAmount(isApplied ? totalCents : totalCents + plan.differenceCents, decimals),
    extras: offered.map(({ code, name, names, unitCents, quantity, maxQuantity }) => ({
      code,
      name: pickTranslation(language, names, name),
      unit_price: toAmount(unitCents, decimals),
      quantity,
      max_quantity: maxQuantity,
    })),
    transfer: toOwnTransferMessage(
      isApplied ? contract.transfer : (plan.transfer ?? contract.transfer),
      catalogue,
      language,
    ),
  };
}

function toOwnTransferMessage(
  transfer: AgreedTransfer | undefined,
  { settings, transfers }: Catalogue,
  language: string,
): z.output<typeof ownActionAnswer>["transfer"] {
  if (!transfer) return null;
  const getPointName = (id: number, agreed: string) =>
    pickTranslation(language, transfers.points.get(id)?.names ?? {}, agreed);
  const { vehicle, people: passengers, trips } = transfer;
  return {
    vehicle: pickTranslation(language, transfers.vehicles.get(vehicle.id)?.names ?? {}, vehicle.name),
    number_of_adults: passengers.adults,
    number_of_children: passengers.children,
    number_of_infants: passengers.infants,
    trips: trips.map(({ date, time, originId, originName, destinationId, destinationName, priceCents }) => ({
      ...{ date, time, cost: toAmount(priceCents, settings.currencyDecimals) },
      ...{ origin_point_id: originId, origin: getPointName(originId, originName) },
      ...{ destination_point_id: destinationId, destination: getPointName(destinationId, destinationName) },
    })),
  };
}

const ownDownload = z.object({
  kind: z.enum(["contract", "invoice", "credit_note", "calendar"]),
  /** Id of an invoice or credit note. Null for other downloads. */
  id: z.int().nullable(),
  name: z.string().meta({ description: "Series and number of an invoice or credit note" }),
  path: z.string().meta({ description: "Path of the download below that of the booking" }),
});

export const ownDownloadsAnswer = z.object({ data: z.array(ownDownload), total: z.int() }).meta({ id: "OwnDownloads" });
export type OwnDownloadsMessage = z.output<typeof ownDownloadsAnswer>;

const PATHS = { contract: "contract.pdf", calendar: "calendar.ics" } as const;

interface OwnDownload extends Pick<OwnDownloadsMessage["data"][number], "kind" | "name"> {
  readonly id: number | undefined;
}

/** Converts a download of a booking, with the path to download it. */
export function toBookingDownloadMessage({ kind, id, name }: OwnDownload): OwnDownloadsMessage["data"][number] {
  const path = kind === "contract" || kind === "calendar" ? PATHS[kind] : `documents/${id}.pdf`;
  return { kind, id: id ?? null, name, path };
}

export const bookingLinkBody = z
  .object({
    number: z.int("must be the number of a reservation").min(1, "must be at least 1").max(Number.MAX_SAFE_INTEGER),
    email: z
      .string("must be text")
      .trim()
      .min(3, "must be an email address")
      .max(254, "must have at most 254 characters"),
    page: websitePageSchema.optional().meta({
      description:
        "Page of the website that shows reservations. Used without its query if the company requires an engine key and lists the page's origin. Without it: the origin of the call",
    }),
  })
  .meta({ id: "BookingLinkRequest" });
export type BookingLinkRequest = z.input<typeof bookingLinkBody>;

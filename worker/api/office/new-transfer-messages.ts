import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import type { TransferRequest } from "#domain/contracts/requests.ts";
import type { StaffTransfer } from "#domain/contracts/transfer-by-staff.ts";
import { toAmount } from "#domain/money.ts";
import type { TransferOffer } from "#domain/transfers/draft.ts";
import type { ContractDataChange } from "#domain/transfers/trip-ends.ts";
import { civilDateSchema, decimalAmountSchema, timeTextSchema } from "#worker/api/primitives.ts";
import {
  hasReasonIfShortageAccepted,
  hasSinglePriceReductionOrNone,
  requestedDiscountSchema,
  SHORTAGE_REASON_REQUIRED,
  SINGLE_PRICE_REDUCTION,
  saleCustomerSchema,
  saleShape,
  toRequestedDiscount,
  toSaleCustomer,
  toStaffSaleRequest,
} from "./request-messages.ts";
import { refusalReasonSchema } from "./reservation-messages.ts";
import {
  flightAndLuggageShape,
  MAX_TRANSFER_EXTRAS,
  toTransferContractDataChange,
  toTransferQuoteMessage,
  transferExtraChoiceSchema,
  transferPointIdSchema,
  transferQuoteSchema,
  travellerCount,
  tripAddressShape,
} from "./transfer-messages.ts";

const outward = z.strictObject(
  {
    date: civilDateSchema,
    time: timeTextSchema,
    origin_point_id: transferPointIdSchema,
    destination_point_id: transferPointIdSchema,
    ...tripAddressShape,
  },
  "must be an object",
);
const back = z.strictObject(
  {
    date: civilDateSchema,
    time: timeTextSchema,
    origin_point_id: transferPointIdSchema.optional(),
    destination_point_id: transferPointIdSchema.optional(),
    ...tripAddressShape,
  },
  "must be an object",
);

const vehicleId = z.int("must be a whole number").min(1, "must be at least 1");
const transferShape = {
  outward,
  return: back
    .nullable()
    .optional()
    .meta({ description: "Return trip, reversed if no points are sent. Null or absent: one way" }),
  transfer_vehicle_id: vehicleId,
  adults: travellerCount.default(1),
  children: travellerCount.default(0),
  infants: travellerCount.default(0),
  ...flightAndLuggageShape,
  extras: z
    .array(transferExtraChoiceSchema, "must be an array")
    .max(MAX_TRANSFER_EXTRAS, `must have at most ${MAX_TRANSFER_EXTRAS} extras`)
    .default([]),
};

export const newTransferBody = z
  .strictObject({
    transfer: z.strictObject(transferShape, "must be an object"),
    customer: saleCustomerSchema,
    ...saleShape,
    discount: requestedDiscountSchema.optional(),
  })
  .refine(hasReasonIfShortageAccepted, SHORTAGE_REASON_REQUIRED)
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type NewTransferRequest = z.input<typeof newTransferBody>;

/** New transfer without a required customer. If no vehicle is given, the quote lists the available ones. */
export const newTransferQuoteBody = z
  .strictObject({
    transfer: z.strictObject({ ...transferShape, transfer_vehicle_id: vehicleId.optional() }, "must be an object"),
    customer: saleCustomerSchema.optional(),
    ...saleShape,
    discount: requestedDiscountSchema.optional(),
  })
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type NewTransferQuoteRequest = z.input<typeof newTransferQuoteBody>;

type QuoteBody = z.output<typeof newTransferQuoteBody>;

/** Converts the body to a transfer request, or returns the field with excessive precision, if any. */
export function toTransferRequest(
  body: z.output<typeof newTransferBody>,
  decimals: number,
): TransferRequest | { readonly field: string } {
  const transferRequest = toTransferQuoteRequest(body, decimals);
  return "field" in transferRequest ? transferRequest : { ...transferRequest, customer: toSaleCustomer(body.customer) };
}

/** Converts the body of a quote, in which the customer is optional. */
export function toTransferQuoteRequest(
  body: QuoteBody,
  decimals: number,
): Omit<TransferRequest, "customer"> | { readonly field: string } {
  const sale = toStaffSaleRequest(body, decimals);
  if ("field" in sale) return sale;
  const converted = toRequestedDiscount(body.discount, decimals);
  if ("field" in converted) return converted;
  const { transfer } = body;
  const { adults, children, infants } = transfer;
  return {
    ...sale,
    ...converted,
    contractData: { ...sale.contractData, ...omitNull(toTransferContractDataChange(transfer)) },
    customerId: body.customer?.id,
    search: {
      outward: toTrip(transfer.outward),
      back: transfer.return ? toTrip({ ...opposite(transfer.outward), ...toLegRequest(transfer.return) }) : undefined,
      people: { adults, children, infants },
      visit: {},
    },
    vehicleId: transfer.transfer_vehicle_id,
    extras: transfer.extras.filter(({ quantity }) => quantity > 0),
  };
}

const omitNull = (values: ContractDataChange = {}): ContractData =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

const toTrip = ({ date, time, origin_point_id, destination_point_id }: z.output<typeof outward>) => ({
  date,
  time,
  originId: origin_point_id,
  destinationId: destination_point_id,
});

const opposite = ({ origin_point_id, destination_point_id }: z.output<typeof outward>) => ({
  origin_point_id: destination_point_id,
  destination_point_id: origin_point_id,
});

function toLegRequest({ date, time, origin_point_id, destination_point_id }: z.output<typeof back>) {
  return {
    date,
    time,
    ...(origin_point_id !== undefined && { origin_point_id }),
    ...(destination_point_id !== undefined && { destination_point_id }),
  };
}

/** Price of a new transfer and the vehicles available for it. */
export const newTransferQuoteAnswer = z
  .object({
    available: z.boolean(),
    reasons: z.array(refusalReasonSchema),
    vehicles: z
      .array(
        z.object({ transfer_vehicle_id: z.int(), vehicle: z.string(), free: z.boolean(), cost: decimalAmountSchema }),
      )
      .meta({ description: "Transfer vehicles for the trips, with places and availability" }),
    quote: transferQuoteSchema.nullable(),
  })
  .meta({ id: "NewTransferQuote" });
export type NewTransferQuoteMessage = z.output<typeof newTransferQuoteAnswer>;

export function toNewTransferQuoteMessage(
  { draft, offers, reason }: NewTransferQuoted,
  decimals: number,
): z.output<typeof newTransferQuoteAnswer> {
  return {
    available: reason === undefined && (draft !== undefined || offers.some(({ isAvailable }) => isAvailable)),
    reasons: reason ? [reason] : [],
    vehicles: offers.map(({ vehicle, priceCents, isAvailable }) => ({
      transfer_vehicle_id: vehicle.id,
      vehicle: vehicle.name,
      free: isAvailable,
      cost: toAmount(priceCents, decimals),
    })),
    quote: draft ? toTransferQuoteMessage(toAgreed(draft), decimals) : null,
  };
}

interface NewTransferQuoted {
  readonly draft: StaffTransfer | undefined;
  readonly offers: readonly TransferOffer[];
  readonly reason: z.output<typeof refusalReasonSchema> | undefined;
}

function toAgreed({ draft }: StaffTransfer): Parameters<typeof toTransferQuoteMessage>[0] {
  const { vehicle, terms, trips, extras, supplements, totals, discount: applied } = draft;
  return {
    vehicle,
    people: terms.people,
    trips: trips.map(({ date, time, origin, destination, minutes, priceCents }) => ({
      ...{ date, time, minutes, priceCents },
      ...{ originId: origin.id, originName: origin.name },
      ...{ destinationId: destination.id, destinationName: destination.name },
    })),
    extras: extras.map(({ extra: { id, code, name, vat }, ...sums }) => ({ id, code, name, vat, ...sums })),
    supplements: supplements.map(({ supplement, cents }) => ({ id: supplement.id, name: supplement.name, cents })),
    totals,
    discount: applied,
  };
}

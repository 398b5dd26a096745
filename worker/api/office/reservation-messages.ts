import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { ACCEPTED_TERMS_FIELD, TERMS_ACCEPTED_AT_FIELD } from "#domain/bookings/contract-data.ts";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import type { RentalTotals, StorableDraft } from "#domain/bookings/draft.ts";
import { HAND_OVER_CHECKS, type HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import type { ReturnCharges } from "#domain/check-in/return-charges.ts";
import { BOOKING_ACTIONS, type BookingAction } from "#domain/contracts/actions.ts";
import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import type { ActionPlan } from "#domain/contracts/plan.ts";
import type { Period } from "#domain/dates.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { getOverpaidCents } from "#domain/payments/pending.ts";
import { findLuggage, type Luggage } from "#domain/transfers/luggage.ts";
import { getTripAddressesAndFlights } from "#domain/transfers/trip-ends.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import { formatContractFlight, toContractDriversMessage } from "#worker/api/check-in/day-answer-messages.ts";
import { contractDriverSchema } from "#worker/api/check-in/day-messages.ts";
import { formatStatedFlight } from "#worker/api/check-in/transfer-messages.ts";
import { createCostFields, toCostFieldValues } from "#worker/api/cost-messages.ts";
import { problemCode, reasonParams } from "#worker/api/failure-messages.ts";
import { integrationChargeDocumentSchema, toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import { integrationContractSchema, toIntegrationContractMessage } from "#worker/api/integration/contract-messages.ts";
import { integrationExtraSchema, toIntegrationExtraMessage } from "#worker/api/integration/line-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type { ListedContract } from "#worker/usecases/contracts/read-models.ts";
import type {
  BranchErpCodes,
  ChargeForIntegration,
  ContractForOffice,
  OfficeDocumentRow,
} from "#worker/usecases/reporting/read-models.ts";
import { discountShape, toDiscountMessage } from "./discount-messages.ts";
import {
  documentPreviewsAnswer,
  officeDocumentSchema,
  type PreviewedDocuments,
  toDocumentPreviewsMessage,
  toOfficeDocumentMessage,
} from "./document-messages.ts";
import { officeFailureAnswer, officeFailureCode } from "./failure-messages.ts";
import { toHistoryValues } from "./history-messages.ts";
import { totalIsExactSchema } from "./list-messages.ts";
import { customerMailSchema, toCustomerMailMessage } from "./message-messages.ts";
import { noteSchema, taskSchema, toNoteMessage, toTaskMessage } from "./note-messages.ts";
import { cardHoldSchema, paymentLinkSchema, toCardHoldMessage, toPaymentLinkMessage } from "./payment-link-messages.ts";
import {
  officeTransferSchema,
  toOfficeTransferMessage,
  toTransferQuoteMessage,
  transferQuoteSchema,
} from "./transfer-messages.ts";

const reservationExtra = integrationExtraSchema
  .extend({
    charged_on: z.string().nullable().meta({ description: "Date of a surcharge added after the return" }),
  })
  .meta({ id: "ReservationExtra" });

/** Payer and invoicing period of a reservation or quote. */
export const payerShape = {
  billing_customer_id: z.int().nullable().meta({ description: "The payer, who is invoiced instead of the driver" }),
  billing_period: z.enum(["month"]).nullable().meta({ description: "`month`: invoiced each month" }),
};
const FLIGHT_DESCRIPTION = "Airline, number and time of the flight";

/** Reservation as in the integration API, with additional fields for the office. */
const listed = integrationContractSchema.extend({
  reservation_extras: z.array(reservationExtra),
  version: z.int(),
  kind: z.enum(["rental", "transfer"]),
  free_access_id: z.string(),
  payment_status: z.string(),
  return_rental_location_code: z.string(),
  promotion_code: nullableText,
  driver_age: z.int().nullable(),
  notes: nullableText,
  hold_until: timestampTextSchema.nullable().meta({ description: "When the hold of a pending reservation ends" }),
  created: timestampTextSchema,
  cancelled: timestampTextSchema.nullable(),
  cancellation_reason: z.enum(["cancelled", "no_show", "expired"]).nullable(),
  cancellation_fee: decimalAmountSchema,
  to_refund: decimalAmountSchema.meta({ description: "Paid amount to refund" }),
  price_difference: decimalAmountSchema.meta({ description: "Amount by which the price was changed by hand" }),
  price_reason: nullableText,
  reopened: z.boolean(),
  ...discountShape,
  deposit_held: decimalAmountSchema.meta({ description: "Deposit received, neither returned nor retained" }),
});

const missing = z.array(z.enum(HAND_OVER_CHECKS)).meta({ description: "Missing requirements before the hand-over" });

const listedTrip = z
  .object({
    position: z.enum(["outward", "return"]),
    date: z.string(),
    time: z.string(),
    origin: z.string(),
    destination: z.string(),
    flight: nullableText,
    dropped: z.boolean().meta({ description: "Whether its driver reported the drop-off" }),
    nobody_came: z
      .boolean()
      .meta({ description: "Whether the driver or the desk reported that its customer did not come" }),
  })
  .meta({ id: "ListedTrip" });

const listedReservation = listed
  .extend({
    billing_customer_id: payerShape.billing_customer_id,
    flight: nullableText.meta({ description: FLIGHT_DESCRIPTION }),
    missing,
    trips: z.array(listedTrip).meta({ description: "Trips of a transfer" }),
  })
  .meta({ id: "ListedReservation" });

const unit = z.object({
  id: z.int(),
  line_id: z.int(),
  reference: nullableText,
  delivered: timestampTextSchema.nullable(),
  collected: timestampTextSchema.nullable(),
});

const officeReservation = listed
  .extend({
    agency_name: nullableText,
    sales_channel_name: nullableText,
    billing_customer_id: payerShape.billing_customer_id,
    billing_customer_name: nullableText,
    billing_period: payerShape.billing_period,
    units: z.array(unit),
    transfer: officeTransferSchema.nullable().meta({ description: "Transfer data, null for a rental" }),
    allowed: z.array(z.enum(BOOKING_ACTIONS)).meta({ description: "Actions that are possible now" }),
  })
  .meta({ id: "OfficeReservation" });

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Changed values in a history entry by name: plain values, lists and groups of values. */
const particulars = z.record(
  z.string(),
  z.union([
    plain,
    z.array(z.union([plain, z.record(z.string(), plain)])),
    z.record(z.string(), z.union([plain, z.array(plain)])),
  ]),
);

export const reservationHistoryEntrySchema = z
  .object({
    at: timestampTextSchema,
    who: z.string().meta({
      description: "Staff name, or `agency:` and its name, `customer`, `visitor`, `gateway:` and its method, `system`",
    }),
    move: z.string(),
    before: particulars.nullable(),
    after: particulars.nullable(),
    reason: nullableText,
    reason_code: z.string().nullable().meta({ description: "Reason of a change that the platform made" }),
    reason_params: reasonParams,
  })
  .meta({ id: "HistoryEntry" });
export type ReservationHistoryEntryMessage = z.output<typeof reservationHistoryEntrySchema>;

export const reservationHistoryAnswer = z.object({ data: z.array(reservationHistoryEntrySchema) });

const foundDamage = z
  .object({
    id: z.int(),
    vehicle_reference: z.string(),
    part: z.string(),
    kind: z.string(),
    severity: z.string(),
    note: z.string().nullable(),
    photos: z.array(z.string()).meta({ description: "Hashes of the files of the contract" }),
    since: z.string(),
    is_repaired: z.boolean(),
    is_of_return: z.boolean().meta({ description: "False if it was found before the vehicle left" }),
    charged: decimalAmountSchema.nullable().meta({ description: "Amount charged to the customer, null if none" }),
  })
  .meta({ id: "FoundDamage" });

/** Reservation with its documents, charges and history. */
export const reservationAnswer = z
  .object({
    reservation: officeReservation,
    documents: z.array(officeDocumentSchema),
    charges: z.array(integrationChargeDocumentSchema),
    history: z.array(reservationHistoryEntrySchema),
    payment_links: z.array(paymentLinkSchema),
    holds: z.array(cardHoldSchema),
    notes: z.array(noteSchema),
    tasks: z.array(taskSchema),
    messages: z.array(customerMailSchema),
    damages: z.array(foundDamage).meta({ description: "Damage found on its vehicles" }),
    do_not_rent: z
      .object({ reason: z.string() })
      .nullable()
      .meta({ description: "Mark of the customer. Confidential: customers and partners never see it" }),
    missing,
    drivers: z.array(contractDriverSchema).meta({ description: "Drivers, as far as they are known" }),
    flight: z.string().nullable().meta({ description: FLIGHT_DESCRIPTION }),
    luggage: z
      .object({ bags: z.int().nullable(), large_items: z.int().nullable() })
      .nullable()
      .meta({ description: "Luggage of a transfer, stated by its customer" }),
    accepted_terms: z
      .object({ version: z.string(), at: timestampTextSchema })
      .nullable()
      .meta({ description: "Terms and privacy notice that the customer accepted online: `{id}.{version}` of each" }),
  })
  .meta({ id: "ReservationWithDocuments" });
export type ReservationDetailMessage = z.output<typeof reservationAnswer>;

/** Reason why an action was rejected. Includes the current reservation if another user changed it in the meantime. */
export const reservationConflictAnswer = officeFailureAnswer
  .extend(reservationAnswer.partial().shape)
  .meta({ id: "OfficeConflict" });

export const reservationList = z.object({
  data: z.array(listedReservation),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type ReservationListMessage = z.output<typeof reservationList>;

/** Converts a reservation of a list. */
export function toListedReservationMessage(
  row: ListedContract,
  messageFormat: MessageFormat,
): z.output<typeof listedReservation> {
  const isRoundTrip = row.trips.length > 1;
  return {
    ...toContractMessage(row, messageFormat),
    billing_customer_id: row.payerId,
    flight: formatContractFlight(row),
    missing: [...row.missing],
    trips: row.trips.map(({ position, isDropped, isMissed, ...trip }) => {
      const isReturn = position === 2;
      const { origin, destination } = getTripAddressesAndFlights(row.contractData, { isReturn, isRoundTrip });
      return {
        ...trip,
        position: isReturn ? ("return" as const) : ("outward" as const),
        flight: formatStatedFlight(origin.flight) ?? formatStatedFlight(destination.flight),
        dropped: isDropped === 1,
        nobody_came: isMissed === 1,
      };
    }),
  };
}

function toContractMessage(row: ContractForOffice, messageFormat: MessageFormat): z.output<typeof listed> {
  const { decimals } = messageFormat;
  const owedAmounts =
    row.status === "cancelled"
      ? row.cancellationFeeCents - row.creditedCents
      : row.totalCents - row.creditedCents - row.agentCommissionPrepaidCents;
  return {
    ...toIntegrationContractMessage(row, messageFormat),
    reservation_extras: row.extras.map((extra) => ({
      ...toIntegrationExtraMessage(extra, messageFormat),
      charged_on: extra.chargedOn ?? null,
    })),
    version: row.version,
    kind: row.kind,
    free_access_id: row.freeAccessId,
    payment_status: row.paymentStatus,
    return_rental_location_code: row.returnBranchCode,
    promotion_code: row.promotionCode,
    driver_age: row.driverAge,
    notes: row.comments,
    hold_until: formatInstant(row.expiresAt, messageFormat),
    created: messageFormat.timestamp(row.createdAt),
    cancelled: formatInstant(row.cancelledAt, messageFormat),
    cancellation_reason: row.cancellationReason,
    cancellation_fee: toAmount(row.cancellationFeeCents, decimals),
    to_refund: toAmount(getOverpaidCents(row.totalPaidCents, owedAmounts), decimals),
    price_difference: toAmount(row.priceDifferenceCents, decimals),
    price_reason: row.priceReason,
    reopened: row.reopenedAt !== null,
    ...toDiscountMessage(row.totalCents, row.appliedDiscount, messageFormat.decimals),
    deposit_held: toAmount(row.depositHeldCents, decimals),
  };
}

function formatInstant(at: number | null | undefined, messageFormat: MessageFormat): string | null {
  return at === null || at === undefined ? null : messageFormat.timestamp(at);
}

/** Stored reservation with its related records. */
interface StoredReservation {
  readonly contract: Contract;
  readonly allowed: readonly BookingAction[];
  readonly row: ContractForOffice & {
    readonly agencyName: string | null;
    readonly salesChannelName: string | null;
    readonly billing: {
      readonly customerId: number | null;
      readonly customerName: string | null;
      readonly period: "month" | null;
    } | null;
  };
  readonly history: readonly StoredHistoryEntry[];
  readonly documents: readonly OfficeDocumentRow[];
  readonly charges: readonly ChargeForIntegration[];
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
  readonly holds: readonly Parameters<typeof toCardHoldMessage>[0][];
  readonly paymentLinks: readonly Parameters<typeof toPaymentLinkMessage>[0][];
  readonly missing: readonly HandOverCheck[];
  readonly doNotRent: string | null;
  readonly contractData: ContractData;
  readonly notes: readonly Parameters<typeof toNoteMessage>[0][];
  readonly tasks: readonly Parameters<typeof toTaskMessage>[0][];
  readonly messages: readonly Parameters<typeof toCustomerMailMessage>[0][];
  readonly damages: readonly {
    readonly id: number;
    readonly reference: string;
    readonly part: string;
    readonly kind: string;
    readonly severity: string;
    readonly note: string | null;
    readonly photos: readonly string[];
    readonly since: string;
    readonly repairedAt: number | null;
    readonly isOfReturn: boolean;
    readonly chargedCents: number | null;
  }[];
}

export function toReservationMessage(
  storedReservation: StoredReservation,
  messageFormat: MessageFormat,
): z.output<typeof reservationAnswer> {
  const {
    contract: contractRow,
    allowed,
    row,
    history,
    documents,
    charges,
    codes,
    holds,
    paymentLinks,
  } = storedReservation;
  return {
    reservation: {
      ...toContractMessage(row, messageFormat),
      agency_name: row.agencyName,
      sales_channel_name: row.salesChannelName,
      billing_customer_id: row.billing?.customerId ?? null,
      billing_customer_name: row.billing?.customerName ?? null,
      billing_period: row.billing?.period ?? null,
      units: contractRow.units.map((unit) => ({
        id: unit.id,
        line_id: unit.lineId,
        reference: unit.reference ?? null,
        delivered: formatInstant(unit.deliveredAt, messageFormat),
        collected: formatInstant(unit.collectedAt, messageFormat),
      })),
      transfer: contractRow.transfer
        ? toOfficeTransferMessage(contractRow.transfer, storedReservation.contractData, messageFormat.decimals)
        : null,
      allowed: [...allowed],
    },
    documents: documents.map((document) => toOfficeDocumentMessage(document, codes, messageFormat)),
    charges: charges.map((charge) => toChargeDocumentMessage(charge, messageFormat)),
    history: history.map((entry) => toHistoryEntryMessage(entry, messageFormat)),
    holds: holds.map((item) => toCardHoldMessage(item, messageFormat)),
    payment_links: paymentLinks.map((link) => toPaymentLinkMessage(link, messageFormat)),
    notes: storedReservation.notes.map((item) => toNoteMessage(item, messageFormat)),
    tasks: storedReservation.tasks.map((item) => toTaskMessage(item, messageFormat)),
    messages: storedReservation.messages.map((item) => toCustomerMailMessage(item, messageFormat)),
    damages: storedReservation.damages.map((damage) => ({
      ...{ id: damage.id, vehicle_reference: damage.reference, part: damage.part, kind: damage.kind },
      ...{ severity: damage.severity, note: damage.note, photos: [...damage.photos], since: damage.since },
      ...{ is_repaired: damage.repairedAt !== null, is_of_return: damage.isOfReturn },
      charged: damage.chargedCents === null ? null : toAmount(damage.chargedCents, messageFormat.decimals),
    })),
    do_not_rent: storedReservation.doNotRent === null ? null : { reason: storedReservation.doNotRent },
    missing: [...storedReservation.missing],
    drivers: toContractDriversMessage(storedReservation),
    flight: formatContractFlight(storedReservation),
    luggage: toLuggageMessage(findLuggage(storedReservation.contractData)),
    accepted_terms: toAcceptanceMessage(storedReservation.contractData, messageFormat),
  };
}

const toLuggageMessage = (luggage: Luggage | undefined) =>
  luggage ? { bags: luggage.bags ?? null, large_items: luggage.largeItems ?? null } : null;

function toAcceptanceMessage(data: ContractData, messageFormat: MessageFormat) {
  const [version, at] = [data[ACCEPTED_TERMS_FIELD], data[TERMS_ACCEPTED_AT_FIELD]];
  return version === undefined || at === undefined ? null : { version, at: messageFormat.timestamp(Date.parse(at)) };
}

interface StoredHistoryEntry {
  readonly at: number;
  readonly actor: string;
  readonly staffName: string | null;
  readonly agencyName?: string | null;
  readonly event: string;
  readonly detail: string;
}

type Particulars = z.output<typeof particulars>;

/** Converts a history entry. Older entries store their details in `after`. */
export function toHistoryEntryMessage(
  entry: StoredHistoryEntry,
  messageFormat: MessageFormat,
): z.output<typeof reservationHistoryEntrySchema> {
  const { before, after, reason, reasonCode, reasonParams, ...rest } = JSON.parse(entry.detail) as Readonly<
    Record<string, unknown>
  > &
    Readonly<Partial<Record<"before" | "after", Particulars>>>;
  const changed = toHistoryValues<Particulars>({ ...(rest as Particulars), ...after }, messageFormat);
  return {
    at: messageFormat.timestamp(entry.at),
    who: entry.staffName ?? (entry.agencyName ? `agency:${entry.agencyName}` : entry.actor),
    move: entry.event,
    before: before ? toHistoryValues(before, messageFormat) : null,
    after: Object.keys(changed).length > 0 ? changed : null,
    reason: typeof reason === "string" ? reason : null,
    reason_code: typeof reasonCode === "string" ? reasonCode : null,
    reason_params: (reasonParams ?? {}) as z.output<typeof reservationHistoryEntrySchema>["reason_params"],
  };
}

/** Reason of a refusal or warning, by code. Includes the invalid field, if any. */
export const refusalReasonSchema = z
  .object({
    code: z.union([officeFailureCode, problemCode]),
    params: reasonParams.optional(),
    message: z.string(),
    field: z.string().optional(),
  })
  .meta({ id: "Reason" });
export type ReasonMessage = z.output<typeof refusalReasonSchema>;

const sums = {
  ...createCostFields(decimalAmountSchema),
  ...discountShape,
  total_cost: decimalAmountSchema,
  booking_amount: decimalAmountSchema,
  product_deposit_cost: decimalAmountSchema,
  product_guarantee_cost: decimalAmountSchema,
  driver_age_deposit: decimalAmountSchema,
  total_deposit: decimalAmountSchema,
};

export const reservationQuoteSchema = z
  .object({
    date_from: z.string(),
    time_from: z.string(),
    date_to: z.string(),
    time_to: z.string(),
    days: z.int(),
    pickup_place: z.string(),
    return_place: z.string(),
    products: z.array(
      z.object({
        category_code: z.string(),
        ...acrissFields,
        description: z.string(),
        quantity: z.int(),
        unit_cost: decimalAmountSchema,
        cost: decimalAmountSchema,
      }),
    ),
    extras: z.array(
      z.object({
        code: z.string(),
        description: z.string(),
        quantity: z.int(),
        unit_cost: decimalAmountSchema,
        cost: decimalAmountSchema,
      }),
    ),
    ...sums,
  })
  .meta({ id: "Quote" });
export type ReservationQuoteMessage = z.output<typeof reservationQuoteSchema>;

export const reservationQuoteAnswer = z
  .object({
    available: z.boolean(),
    reasons: z.array(refusalReasonSchema),
    warnings: z.array(refusalReasonSchema).meta({ description: "Selling rules that staff may override" }),
    quote: reservationQuoteSchema.nullable(),
  })
  .meta({ id: "ReservationQuote" });
export type SaleQuoteMessage = z.output<typeof reservationQuoteAnswer>;

const returnCharges = z
  .object({
    closes: z.boolean().meta({ description: "Whether it's the last vehicle, so that the contract is invoiced" }),
    extra_days: z.int(),
    extra_days_cost: decimalAmountSchema,
    missing_fuel_eighths: z.int(),
    fuel_cost: decimalAmountSchema,
    extra_kilometres: z.int(),
    kilometres_cost: decimalAmountSchema,
    sold_cost: decimalAmountSchema.meta({ description: "Cost of extras and charges that it adds" }),
    unused_days: z.int().meta({ description: "Agreed days that remain if the contract is completed now" }),
    total_cost: decimalAmountSchema,
    due: decimalAmountSchema.meta({ description: "Amount owed afterwards. Negative for an overpayment" }),
    deposit_held: decimalAmountSchema,
    is_to_check: z.boolean().meta({ description: "Whether an office review comes before the invoice" }),
  })
  .meta({ id: "ReturnCharges" });

export const actionQuoteAnswer = z
  .object({
    move: z.enum(BOOKING_ACTIONS),
    allowed: z.boolean(),
    reasons: z.array(refusalReasonSchema),
    warnings: z
      .array(refusalReasonSchema)
      .meta({ description: "Broken selling rules, dependent reservations, due inspections" }),
    difference: decimalAmountSchema,
    fee: decimalAmountSchema,
    to_refund: decimalAmountSchema,
    quote: reservationQuoteSchema
      .nullable()
      .meta({ description: "Reservation after the action. Null if its amounts don't change" }),
    transfer: transferQuoteSchema.nullable().meta({ description: "Same for a transfer" }),
    missing: missing.optional().meta({ description: "Missing requirements. Only for `deliver`" }),
    return_charges: returnCharges
      .nullable()
      .optional()
      .meta({ description: "Charges of the return. Only for `collect`, null if it can't be made" }),
    documents: documentPreviewsAnswer.shape.documents.optional().meta({
      description: "Documents issued by `cancel` or `no-show`: the invoice of the fee, and credit notes",
    }),
  })
  .meta({ id: "ReservationActionQuote" });
export type ActionQuoteMessage = z.output<typeof actionQuoteAnswer>;

interface Quoted {
  readonly period: Period;
  readonly days: number;
  readonly pickupPlace: { readonly name: string };
  readonly returnPlace: { readonly name: string };
  readonly lines: readonly {
    readonly categoryCode: string;
    readonly description: string;
    readonly quantity: number;
    readonly unitCents: Cents;
    readonly itemCents: Cents;
  }[];
  readonly extras: readonly {
    readonly code: string;
    readonly description: string;
    readonly quantity: number;
    readonly unitCents: Cents;
    readonly extraCents: Cents;
  }[];
  readonly totals: RentalTotals;
  readonly discount?: AppliedDiscount | undefined;
}

// Converts the agreed state of a contract to the message of a quote, in which nothing is saved yet.
function toAgreedQuoteMessage(
  agreed: AgreedContract,
  messageFormat: MessageFormat,
): z.output<typeof reservationQuoteSchema> {
  return toQuotedMessage(agreed, messageFormat);
}

/** Converts a draft of a reservation to the message of a quote, in which nothing is saved yet. */
export function toDraftQuoteMessage(
  { terms, lines, extras, totals, discount }: StorableDraft,
  messageFormat: MessageFormat,
): z.output<typeof reservationQuoteSchema> {
  const quoted = {
    ...terms,
    totals,
    discount,
    lines: lines.map((line) => ({ ...line, categoryCode: line.category.code, description: line.category.name })),
    extras: extras.map((extra) => ({ ...extra, code: extra.extra.code, description: extra.extra.name })),
  };
  return toQuotedMessage(quoted, messageFormat);
}

function toQuotedMessage(
  { period, days, lines, extras, totals, discount, ...places }: Quoted,
  messageFormat: MessageFormat,
) {
  const cost = (cents: Cents) => toAmount(cents, messageFormat.decimals);
  return {
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    date_to: period.dateTo,
    time_to: period.timeTo,
    days,
    pickup_place: places.pickupPlace.name,
    return_place: places.returnPlace.name,
    products: lines.map(({ categoryCode, description, quantity, unitCents, itemCents }) => ({
      category_code: categoryCode,
      ...messageFormat.acriss(categoryCode),
      description,
      quantity,
      unit_cost: cost(unitCents),
      cost: cost(itemCents),
    })),
    extras: extras.map(({ code, description, quantity, unitCents, extraCents }) => ({
      code,
      description,
      quantity,
      unit_cost: cost(unitCents),
      cost: cost(extraCents),
    })),
    ...toCostFieldValues(totals, totals.categorySupplementCents, cost),
    ...toDiscountMessage(totals.totalCents, discount, messageFormat.decimals),
    total_cost: cost(totals.totalCents),
    booking_amount: cost(totals.bookingAmountCents),
    product_deposit_cost: cost(totals.productDepositCents),
    product_guarantee_cost: cost(totals.productGuaranteeCents),
    driver_age_deposit: cost(totals.driverAgeDepositCents),
    total_deposit: cost(totals.totalDepositCents),
  };
}

/** Converts the planned effects of an action to the message that previews them. */
export function toActionQuoteMessage(
  action: BookingAction,
  {
    plan,
    reason,
    warnings,
    documents,
  }: {
    readonly plan: ActionPlan | undefined;
    readonly reason: z.output<typeof refusalReasonSchema> | undefined;
    readonly warnings: readonly ReasonMessage[];
    readonly documents?: PreviewedDocuments | undefined;
  },
  messageFormat: MessageFormat,
): z.output<typeof actionQuoteAnswer> {
  const { decimals } = messageFormat;
  return {
    move: action,
    allowed: reason === undefined,
    reasons: reason ? [reason] : [],
    warnings: [...warnings],
    difference: toAmount(plan?.differenceCents ?? 0, decimals),
    fee: toAmount(plan?.feeCents ?? 0, decimals),
    to_refund: toAmount(plan?.toRefundCents ?? 0, decimals),
    quote: plan?.agreed ? toAgreedQuoteMessage(plan.agreed, messageFormat) : null,
    transfer: plan?.transfer ? toTransferQuoteMessage(plan.transfer, decimals) : null,
    ...(documents && toDocumentPreviewsMessage(documents, messageFormat)),
  };
}

/** Converts the amounts of a return from minor units to the message that previews them. */
export function toReturnChargesMessage(
  charges: ReturnCharges,
  { decimals }: MessageFormat,
): z.output<typeof returnCharges> {
  const cost = (cents: Cents) => toAmount(cents, decimals);
  return {
    closes: charges.closes,
    extra_days: charges.extraDays,
    extra_days_cost: cost(charges.extraDaysCents),
    missing_fuel_eighths: charges.missingEighths,
    fuel_cost: cost(charges.fuelCents),
    extra_kilometres: charges.extraKilometres,
    kilometres_cost: cost(charges.kilometresCents),
    sold_cost: cost(charges.soldCents),
    unused_days: charges.unusedDays,
    total_cost: cost(charges.totalCents),
    due: cost(charges.dueCents),
    deposit_held: cost(charges.depositHeldCents),
    is_to_check: charges.isToCheck,
  };
}

import { z } from "zod";
import type { RentalBooking } from "#domain/bookings/bookings.ts";
import {
  canCompleteContractData,
  listMissingContractFields,
  listRequiredContractFields,
} from "#domain/bookings/contract-data.ts";
import { getExtraNames } from "#domain/bookings/extra-names.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, divideRounded, toAmount } from "#domain/money.ts";
import { decidePaymentOptions, getPrepaymentCents } from "#domain/payments/payments.ts";
import {
  addPrefixToNames,
  createSchemaFields,
  createValueFields,
  nullableText,
  type RequestMoment,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { reductionFields, toReductionMessage } from "#worker/api/booking-engine/shared/reduction-messages.ts";
import {
  getRentalWebsiteOptions,
  salesProcessAnswer,
  toSalesProcessMessage,
} from "#worker/api/booking-engine/shared/sales-process-messages.ts";
import { summaryFields, toStatusSummaryMessage } from "#worker/api/booking-engine/shared/summary-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import { bookingLineSchema, type LineUnit, toBookingLineMessage } from "./booking-line-messages.ts";
import { bookingPeopleFields, toBookingPeopleFields } from "./booking-people-messages.ts";
import { chosenExtraSchema } from "./cart-item-messages.ts";
import { periodFields, toPeriodMessage } from "./period-messages.ts";
import { bookingSettingsAnswer, toBookingSettingsMessage } from "./settings-messages.ts";
import { sumFields, toTotalsMessage } from "./sums-messages.ts";

// Fields that websites read but the platform doesn't have.
const UNUSED_BOOKING_FIELDS = [
  "item_hired_info",
  "optional_external_driver",
  "item_driving_license_type_name",
] as const;
const UNSIGNED = ["engine_sign_contract", "contract_signed", "customer_documents_uploaded"] as const;
const NOWHERE = ["documentation_url", "electronic_signature_url", "signed_contract_url"] as const;
const UNUSED_DRIVER_FIELDS = ["driver_age", "driver_driving_license_years"] as const;
const placeFields = createSchemaFields(z.string(), "place", "place_name", "place_customer_translation");

const engineBooking = z
  .object({
    id: z.int(),
    free_access_id: z.string(),
    status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
    payment_status: z.enum(["none", "deposit", "total", "refunded"]),
    pay_now: z.boolean(),
    payment_method_id: z.null(),
    ...summaryFields,
    customer_language: z.string(),
    comments: nullableText,
    ...periodFields,
    ...createSchemaFields(z.int(), "days", "hours"),
    ...addPrefixToNames("pickup_", placeFields),
    ...addPrefixToNames("return_", placeFields),
    ...createSchemaFields(z.boolean(), "custom_pickup_place", "custom_return_place", "has_optional_external_driver"),
    rental_location_code: z.string(),
    ...sumFields,
    ...reductionFields,
    ...createSchemaFields(decimalAmountSchema, "total_paid", "total_pending"),
    promotion_code: nullableText,
    ...createSchemaFields(z.int().nullable(), "number_of_adults", "number_of_children", "driver_age_rule_id"),
    ...createSchemaFields(z.null(), ...UNUSED_BOOKING_FIELDS, ...UNUSED_DRIVER_FIELDS, ...NOWHERE),
    ...bookingPeopleFields,
    driver_type: z.string(),
    ...createSchemaFields(
      nullableText,
      "driver_age_rule_description",
      "driver_age_rule_description_customer_translation",
    ),
    ...createSchemaFields(
      z.boolean(),
      "driver_age_allowed",
      "driver_under_age",
      "manager_complete_authorized",
      "can_edit_online",
    ),
    ...createSchemaFields(z.boolean(), "required_data_completed", ...UNSIGNED),
    contract_errors: z.record(z.string(), z.string()).meta({ description: "Problems of the contract by field" }),
    booking_lines: z.array(bookingLineSchema),
    booking_extras: z.array(chosenExtraSchema),
  })
  .meta({ id: "WebsiteBooking" });

/** A booking with its payment options, the website's settings and the required contract fields. */
export const rentalBookingAnswer = z.object({
  booking: engineBooking,
  sales_process: salesProcessAnswer,
  settings: bookingSettingsAnswer,
  required_fields: z.array(z.string()),
});
export type RentalBookingMessage = z.output<typeof rentalBookingAnswer>;

/** Converts a booking for its customer (docs/interfaces/booking-engine-vehicles.md#booking). */
export function toRentalBookingMessage(
  {
    booking,
    units,
    catalogue,
  }: { readonly booking: RentalBooking; readonly units: readonly LineUnit[]; readonly catalogue: Catalogue },
  requestedLanguage: string | undefined,
  { now, civil, origin }: RequestMoment,
): z.output<typeof rentalBookingAnswer> {
  const { settings } = catalogue;
  const visitor = { language: requestedLanguage ?? booking.customerLanguage, origin };
  const amountsDue = {
    totalCents: booking.totals.totalCents - booking.notOwedCents,
    bookingAmountCents: booking.totals.bookingAmountCents,
  };
  const options = decidePaymentOptions(settings, { ...booking, ...amountsDue }, now);
  const reportsToMinistry = catalogue.settings.sesMode !== "none";
  const missing = listMissingContractFields(booking, reportsToMinistry);
  return {
    booking: {
      id: booking.id,
      free_access_id: booking.freeAccessId,
      status: booking.status,
      payment_status: booking.paymentStatus,
      pay_now: false,
      payment_method_id: null,
      ...toStatusSummaryMessage(booking, visitor, now),
      customer_language: booking.customerLanguage,
      comments: booking.comments ?? null,
      ...toPeriodMessage(booking.period, visitor, catalogue.settings.frontendDateFormat),
      days: booking.days,
      hours: 0,
      ...toBookingPlacesMessage(booking, catalogue, visitor),
      ...toBookingSumsMessage(booking, settings.currencyDecimals),
      ...toReductionMessage(booking, settings.currencyDecimals),
      booking_amount: toAmount(getPrepaymentCents(amountsDue), settings.currencyDecimals),
      promotion_code: booking.promotionCode ?? null,
      number_of_adults: toCount(booking.contractData["number_of_adults"]),
      number_of_children: toCount(booking.contractData["number_of_children"]),
      ...createValueFields(null, ...UNUSED_BOOKING_FIELDS),
      has_optional_external_driver: false,
      ...toBookingPeopleFields(booking),
      driver_type: "driver",
      ...toDriverAgeMessage(booking, catalogue, visitor),
      driver_age_allowed: true,
      driver_under_age: false,
      manager_complete_authorized: canCompleteContractData(booking.status),
      can_edit_online: canCompleteContractData(booking.status),
      required_data_completed: missing.length === 0,
      contract_errors: {},
      ...createValueFields(false, ...UNSIGNED),
      ...createValueFields(null, ...NOWHERE),
      booking_lines: booking.lines.map((line) => toBookingLineMessage(line, booking, units, catalogue, visitor)),
      booking_extras: booking.extras.map((extra) => ({
        id: extra.id,
        extra_id: extra.extraCode,
        extra_description: extra.description,
        extra_description_customer_translation: translateText(
          visitor,
          getExtraNames(catalogue, extra),
          extra.description,
        ),
        extra_unit_cost: toAmount(divideRounded(extra.extraCents, extra.quantity), settings.currencyDecimals),
        extra_cost: toAmount(extra.extraCents, settings.currencyDecimals),
        quantity: extra.quantity,
      })),
    },
    sales_process: { ...toSalesProcessMessage(settings, options, false, civil), ...getRentalWebsiteOptions(settings) },
    settings: toBookingSettingsMessage(catalogue, civil),
    required_fields: canCompleteContractData(booking.status) ? [...listRequiredContractFields(reportsToMinistry)] : [],
  };
}

function toCount(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function toDriverAgeMessage({ driverAgeRuleId }: RentalBooking, { driverAgeRules }: Catalogue, visitor: Visitor) {
  const rule = driverAgeRules.find(({ id }) => id === driverAgeRuleId);
  return {
    ...createValueFields(null, ...UNUSED_DRIVER_FIELDS),
    driver_age_rule_id: driverAgeRuleId ?? null,
    driver_age_rule_description: rule?.description ?? null,
    driver_age_rule_description_customer_translation: rule
      ? translateText(visitor, rule.descriptions, rule.description)
      : null,
  };
}

function toBookingSumsMessage(booking: RentalBooking, decimals: number) {
  const money = (cents: Cents) => toAmount(cents, decimals);
  const { totals, notOwedCents } = booking;
  const bookingAmountCents = getPrepaymentCents({ ...totals, totalCents: totals.totalCents - notOwedCents });
  return {
    ...toTotalsMessage({ ...totals, bookingAmountCents }, money, booking.closingCents),
    total_paid: money(booking.totalPaidCents),
    total_pending: money(booking.pendingCents),
  };
}

function toBookingPlacesMessage(booking: RentalBooking, catalogue: Catalogue, visitor: Visitor) {
  const place = (id: number | undefined, name: string) => ({
    place: id === undefined ? name : String(id),
    place_name: name,
    place_customer_translation: translateText(
      visitor,
      (id !== undefined && catalogue.places.get(id)?.names) || {},
      name,
    ),
  });
  return {
    ...addPrefixToNames("pickup_", place(booking.pickupPlaceId, booking.pickupPlace)),
    custom_pickup_place: false,
    ...addPrefixToNames("return_", place(booking.returnPlaceId, booking.returnPlace)),
    custom_return_place: false,
    rental_location_code: booking.branchCode,
  };
}

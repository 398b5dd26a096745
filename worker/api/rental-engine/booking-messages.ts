import { z } from "zod";
import type { Booking, BookingLine, Reservation } from "#domain/bookings/bookings.ts";
import {
  isOpenForContract,
  listMissingContractFields,
  REQUIRED_CONTRACT_FIELDS,
} from "#domain/bookings/contract-data.ts";
import { discountsOfBooked } from "#domain/bookings/pricing.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { decidePaymentOptions } from "#domain/payments/payments.ts";
import { amount, imageAddress } from "#worker/api/primitives.ts";
import { CONTRACT_FIELD_NAMES, RESOURCE_FIELD_NAMES } from "./contract-messages.ts";
import {
  costs,
  fromPeriod,
  fromSalesProcess,
  fromSettings,
  type Moment,
  nullableText,
  salesProcessAnswer,
  settingsAnswer,
  textIn,
  type Visitor,
} from "./messages.ts";
import { allAs, fromDiscounts } from "./offer-messages.ts";
import { fromTotals } from "./sums-messages.ts";

export const checkoutAnswer = z
  .object({
    free_access_id: z.string(),
    pay_now: z.boolean(),
    payment: nullableText,
    payment_method_id: nullableText,
    total_cost: amount,
    customer_email: nullableText,
    customer_name: z.string(),
    customer_surname: z.string(),
  })
  .meta({ id: "Checkout" });

export const bookingAnswer = z.object({
  booking: z
    .looseObject({
      id: z.number(),
      free_access_id: z.string(),
      status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
      payment_status: z.enum(["none", "deposit", "total", "refunded"]),
      ...costs,
      total_paid: amount,
      total_pending: amount,
      booking_lines: z.array(z.looseObject({ id: z.number(), item_id: z.string() })),
      booking_extras: z.array(z.looseObject({ id: z.number(), extra_id: z.string() })),
    })
    .meta({ id: "WebsiteBooking" }),
  sales_process: salesProcessAnswer,
  settings: settingsAnswer,
  required_fields: z.array(z.string()),
});

const SUMMARIES: Readonly<Record<string, Readonly<Record<Booking["status"], string>>>> = {
  en: {
    pending_confirmation: "your request has been received",
    confirmed: "your reservation is confirmed",
    in_progress: "your rental has begun",
    done: "thank you for your visit",
    cancelled: "your reservation is cancelled",
  },
  es: {
    pending_confirmation: "hemos recibido su solicitud",
    confirmed: "su reserva está confirmada",
    in_progress: "su alquiler ha comenzado",
    done: "gracias por su visita",
    cancelled: "su reserva está cancelada",
  },
  ca: {
    pending_confirmation: "hem rebut la vostra sol·licitud",
    confirmed: "la vostra reserva està confirmada",
    in_progress: "el vostre lloguer ha començat",
    done: "gràcies per la vostra visita",
    cancelled: "la vostra reserva està cancel·lada",
  },
  de: {
    pending_confirmation: "Ihre Anfrage ist eingegangen",
    confirmed: "Ihre Buchung ist bestätigt",
    in_progress: "Ihre Miete hat begonnen",
    done: "vielen Dank für Ihren Besuch",
    cancelled: "Ihre Buchung ist storniert",
  },
};

/** A booking as its customer sees it (client contract, 2.9). */
export function fromEngineBooking(
  {
    booking,
    units,
    catalogue,
  }: { readonly booking: Booking; readonly units: readonly Unit[]; readonly catalogue: Catalogue },
  requestedLanguage: string | undefined,
  { now, civil, origin }: Moment,
) {
  const { settings } = catalogue;
  const visitor = { language: requestedLanguage ?? booking.customerLanguage, origin };
  const options = decidePaymentOptions(
    settings,
    { ...booking, totalCents: booking.totals.totalCents, bookingAmountCents: booking.totals.bookingAmountCents },
    now,
  );
  const missing = listMissingContractFields(booking);
  return {
    booking: {
      id: booking.id,
      free_access_id: booking.freeAccessId,
      status: booking.status,
      payment_status: booking.paymentStatus,
      pay_now: false,
      payment_method_id: null,
      ...fromSummary(booking, visitor),
      customer_language: booking.customerLanguage,
      comments: booking.comments ?? null,
      ...fromPeriod(booking.period, visitor),
      days: booking.days,
      hours: 0,
      ...fromPlaces(booking, catalogue, visitor),
      ...fromSums(booking, settings.currencyDecimals),
      promotion_code: booking.promotionCode ?? null,
      number_of_adults: toCount(booking.contractData["number_of_adults"]),
      number_of_children: toCount(booking.contractData["number_of_children"]),
      ...allAs(null, "item_hired_info", "optional_external_driver", "item_driving_license_type_name"),
      has_optional_external_driver: false,
      ...fromPeople(booking),
      driver_type: "driver",
      ...fromDriverAge(booking, catalogue, visitor),
      driver_age_allowed: true,
      driver_under_age: false,
      manager_complete_authorized: isOpenForContract(booking.status),
      can_edit_online: isOpenForContract(booking.status),
      required_data_completed: missing.length === 0,
      contract_errors: {},
      ...allAs(false, "engine_sign_contract", "contract_signed", "customer_documents_uploaded"),
      ...allAs(null, "documentation_url", "electronic_signature_url", "signed_contract_url"),
      booking_lines: booking.lines.map((line) => fromLine(line, booking, units, catalogue, visitor)),
      booking_extras: booking.extras.map((extra) => ({
        id: extra.id,
        extra_id: extra.extraCode,
        extra_description: extra.description,
        extra_description_customer_translation: textIn(
          visitor,
          catalogue.extras.get(extra.extraCode)?.names ?? {},
          extra.description,
        ),
        extra_unit_cost: toAmount(extra.unitCents, settings.currencyDecimals),
        extra_cost: toAmount(extra.extraCents, settings.currencyDecimals),
        quantity: extra.quantity,
      })),
    },
    sales_process: fromSalesProcess(settings, options, false, civil),
    settings: fromSettings(catalogue, civil),
    required_fields: isOpenForContract(booking.status) ? [...REQUIRED_CONTRACT_FIELDS] : [],
  };
}

/** One unit of a line, and the vehicle once it is assigned. */
export interface Unit {
  readonly id: number;
  readonly lineId: number;
  readonly reference: string | null;
  readonly plate: string | null;
  readonly model: string | null;
  /** The account's own four fields of a vehicle. */
  readonly characteristics: readonly (string | null)[];
}

/** The state of a reservation in a sentence, shown as HTML by websites: the name is the customer's own text. */
export function fromSummary({ customer, status }: Pick<Reservation, "customer" | "status">, visitor: Visitor) {
  const name = `${customer.name} ${customer.surname}`
    .trim()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const sentence = (SUMMARIES[visitor.language] ?? SUMMARIES["en"])?.[status] ?? status;
  return { summary_status: `${name}, ${sentence}`, summary_message_ok: "" };
}

function toCount(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function fromDriverAge({ driverAgeRuleId }: Booking, { driverAgeRules }: Catalogue, visitor: Visitor) {
  const rule = driverAgeRules.find(({ id }) => id === driverAgeRuleId);
  return {
    ...allAs(null, "driver_age", "driver_driving_license_years"),
    driver_age_rule_id: driverAgeRuleId ?? null,
    driver_age_rule_description: rule?.description ?? null,
    driver_age_rule_description_customer_translation: rule
      ? textIn(visitor, rule.descriptions, rule.description)
      : null,
  };
}

function fromSums(booking: Booking, decimals: number) {
  const money = (cents: Cents) => toAmount(cents, decimals);
  return {
    ...fromTotals(booking.totals, money),
    total_paid: money(booking.totalPaidCents),
    total_pending: money(booking.totals.totalCents - booking.totalPaidCents),
  };
}

function fromPlaces(booking: Booking, catalogue: Catalogue, visitor: Visitor) {
  const place = (role: "pickup" | "return", id: number | undefined, name: string) => ({
    [`${role}_place`]: id === undefined ? name : String(id),
    [`${role}_place_name`]: name,
    [`${role}_place_customer_translation`]: textIn(
      visitor,
      (id !== undefined && catalogue.places.get(id)?.names) || {},
      name,
    ),
    [`custom_${role}_place`]: false,
  });
  return {
    ...place("pickup", booking.pickupPlaceId, booking.pickupPlace),
    ...place("return", booking.returnPlaceId, booking.returnPlace),
    rental_location_code: booking.branchCode,
  };
}

function fromPeople({ customer, contractData }: Booking) {
  const contract = Object.fromEntries(CONTRACT_FIELD_NAMES.map((name) => [name, contractData[name] ?? null]));
  const address = Object.fromEntries(
    Object.entries(contract).flatMap(([name, value]) =>
      name.startsWith("customer_address_") ? [[name.replace("customer_", ""), value]] : [],
    ),
  );
  const countryCode = (name: string) => contractData[name]?.match(/^[A-Z]{2}$/)?.[0] ?? null;
  return {
    ...contract,
    ...address,
    address_country_code: countryCode("customer_address_country"),
    driver_address_country_code: countryCode("driver_address_country"),
    customer_type: contractData["customer_type"] ?? "individual",
    customer_fullname: `${customer.name} ${customer.surname}`.trim(),
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email ?? null,
    customer_phone_prefix: customer.phonePrefix ?? null,
    customer_phone: customer.phone ?? null,
    customer_document_id: customer.documentId ?? null,
    driver_is_customer: contractData["driver_is_customer"] === "true",
  };
}

function fromLine(
  line: BookingLine,
  { contractData, promotionCode }: Booking,
  units: readonly Unit[],
  catalogue: Catalogue,
  visitor: Visitor,
) {
  const { settings } = catalogue;
  const category = catalogue.categories.get(line.categoryCode);
  const discounts = discountsOfBooked(catalogue, line, promotionCode);
  const money = (cents: Cents) => toAmount(cents, settings.currencyDecimals);
  return {
    id: line.id,
    item_id: line.categoryCode,
    item_description: line.description,
    item_description_customer_translation: textIn(visitor, category?.names ?? {}, line.description),
    item_full_description_customer_translation: category
      ? textIn(visitor, category.descriptions, category.description)
      : "",
    item_unit_cost_base: money(line.unitBaseCents),
    item_unit_cost: money(line.unitCents),
    item_cost: money(line.itemCents),
    quantity: line.quantity,
    photo_medium: imageAddress(category?.photos[0]?.photoPath, visitor.origin),
    photo_full: imageAddress(category?.photos[0]?.fullPhotoPath, visitor.origin),
    ...allAs(null, "item_performance_id", "item_rate_type_name"),
    ...fromDiscounts(discounts, visitor, settings.currencyDecimals),
    promotion_code: discounts.promotionCode?.code ?? null,
    product_deposit_unit_cost: money(line.depositUnitCents),
    product_deposit_cost: money(line.depositUnitCents * line.quantity),
    product_guarantee_cost: money(line.guaranteeUnitCents * line.quantity),
    booking_line_resources: units
      .filter((unit) => unit.lineId === line.id)
      .map((unit) => ({
        id: unit.id,
        pax: 1,
        booking_item_category: line.categoryCode,
        booking_item_reference: unit.reference,
        booking_item_stock_plate: unit.plate,
        booking_item_stock_model: unit.model,
        ...Object.fromEntries(unit.characteristics.map((text, at) => [`booking_item_characteristic_${at + 1}`, text])),
        ...Object.fromEntries(
          RESOURCE_FIELD_NAMES.map((name) => [name, contractData[`unit_${unit.id}_${name}`] ?? null]),
        ),
      })),
  };
}

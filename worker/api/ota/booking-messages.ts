import { z } from "zod";
import { type AgencyBookingRequest, getTotalWithoutClosing, type RentalBooking } from "#domain/bookings/bookings.ts";
import { getExtraNames } from "#domain/bookings/extra-names.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { RequestedContractChange } from "#domain/contracts/change.ts";
import { type Cents, divideRounded, toAmount } from "#domain/money.ts";
import { acrissFields, findAcrissFields } from "#worker/api/acriss-messages.ts";
import { createCostFields, toCostFieldValues } from "#worker/api/cost-messages.ts";
import {
  civilDateSchema,
  decimalAmountSchema,
  documentNumber,
  emailAddressSchema,
  integerTextSchema,
  languageCode,
  personName,
  phoneNumber,
  pickTranslation,
  promotionCode,
  textLineSchema,
  timeTextSchema,
} from "#worker/api/primitives.ts";
import {
  agencyPeriodFields,
  createSuccessSchema,
  MAX_AGE_YEARS,
  MAX_PLACE_ID,
  MAX_PROMOTION_CODE_LENGTH,
  rentalPlaceFields,
} from "./messages.ts";

const MAX_QUANTITY = 999;

export const agencyReferenceQuery = z.object({
  "agency-reservation-id": textLineSchema(100).meta({ example: "EXAMPLE-1" }),
});

const NO_PLACE_ID = "must be a place identifier, a whole number";
const placeIdError = { error: NO_PLACE_ID, abort: true };

/** Place id, as a number or as decimal text. */
const placeId = z
  .union(
    [z.number().min(0, placeIdError).max(MAX_PLACE_ID, placeIdError).int(), integerTextSchema(MAX_PLACE_ID)],
    NO_PLACE_ID,
  )
  .meta({ type: "integer", example: 1 });

const choice = z.object(
  {
    code: textLineSchema(30),
    quantity: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(MAX_QUANTITY, `must be at most ${MAX_QUANTITY}`)
      .nullish(),
  },
  "must be an object with a code",
);

const email = emailAddressSchema();

export const agencyBookingBody = z.object({
  reservation: z.object(
    {
      date_from: civilDateSchema,
      time_from: timeTextSchema,
      date_to: civilDateSchema,
      time_to: timeTextSchema,
      pickup_place: placeId,
      return_place: placeId,
      customer_name: personName(100),
      customer_surname: personName(100),
      agency_reservation_id: textLineSchema(100),
      sales_channel_code: textLineSchema(30).nullish(),
      products: z
        .array(choice, "must be an array")
        .min(1, "must have at least one product")
        .max(20, "must have at most 20 products"),
      extras: z.array(choice, "must be an array").max(50, "must have at most 50 extras").nullish(),
      customer_language: languageCode.nullish(),
      customer_document_id: documentNumber(50).nullish(),
      customer_phone_number: phoneNumber(30).nullish(),
      customer_email: email.nullish(),
      // The specification doesn't have this field. Availability prices depend on the driver's age, so the booking must
      // accept it too.
      driver_age: z
        .int("must be a whole number")
        .min(0, "must be at least 0")
        .max(MAX_AGE_YEARS, `must be at most ${MAX_AGE_YEARS}`)
        .nullish(),
      promotion_code: promotionCode(MAX_PROMOTION_CODE_LENGTH).nullish(),
    },
    "must be an object",
  ),
});

/** Converts the body of an agency's booking. */
export function toAgencyBookingRequest(
  { reservation }: z.output<typeof agencyBookingBody>,
  agencyChannel: string | undefined,
): AgencyBookingRequest {
  return {
    reference: reservation.agency_reservation_id,
    rental: {
      period: {
        dateFrom: reservation.date_from,
        timeFrom: reservation.time_from,
        dateTo: reservation.date_to,
        timeTo: reservation.time_to,
      },
      pickupPlaceId: reservation.pickup_place,
      returnPlaceId: reservation.return_place,
      salesChannel: reservation.sales_channel_code ?? agencyChannel,
      driverAge: reservation.driver_age ?? undefined,
      promotionCode: reservation.promotion_code || undefined,
    },
    products: reservation.products.map(toChoice),
    extras: (reservation.extras ?? []).map(toChoice),
    customer: {
      name: reservation.customer_name,
      surname: reservation.customer_surname,
      email: reservation.customer_email ?? undefined,
      phone: reservation.customer_phone_number ?? undefined,
      documentId: reservation.customer_document_id ?? undefined,
    },
    language: reservation.customer_language ?? undefined,
  };
}

function toChoice({ code, quantity }: z.output<typeof choice>) {
  return { code, quantity: quantity ?? 1 };
}

const { reservation: bookingFields } = agencyBookingBody.shape;

/** Changed members of a booking. Absent ones stay. */
export const agencyChangeBody = z.object({
  reservation: bookingFields
    .omit({ sales_channel_code: true, customer_language: true, agency_reservation_id: true, products: true })
    .partial()
    .extend({
      agency_reservation_id: textLineSchema(100),
      products: z.array(choice, "must be an array").length(1, "must have one product").nullish(),
    }),
});

interface RequestedAgencyChange {
  readonly reference: string;
  readonly requestedChange: RequestedContractChange;
  readonly customer: { readonly [Name in "name" | "surname" | "email" | "phone" | "documentId"]?: string } | undefined;
}

/** Converts the body of a change. */
export function toAgencyChange({ reservation: body }: z.output<typeof agencyChangeBody>): RequestedAgencyChange {
  const [product] = body.products ?? [];
  const period = pickFilled({
    ...{ dateFrom: body.date_from, timeFrom: body.time_from, dateTo: body.date_to, timeTo: body.time_to },
  });
  const requested = pickFilled({
    ...{ period, pickupPlaceId: body.pickup_place, returnPlaceId: body.return_place, driverAge: body.driver_age },
    promotionCode: body.promotion_code,
    ...{ categoryCode: product?.code, quantity: product && toChoice(product).quantity },
    extras: body.extras?.map(toChoice),
  });
  const customer = pickFilled({
    ...{ name: body.customer_name, surname: body.customer_surname, email: body.customer_email },
    ...{ phone: body.customer_phone_number, documentId: body.customer_document_id },
  });
  return { reference: body.agency_reservation_id, requestedChange: requested ?? {}, customer };
}

/** Returns the members with a value. Undefined if there are none. */
function pickFilled<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } | undefined {
  const filledEntries = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  if (filledEntries.length === 0) return undefined;
  return Object.fromEntries(filledEntries) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

export const agencyCancellationBody = z.object({
  reservation: z.object({ agency_reservation_id: textLineSchema(100) }, "must be an object"),
});

const productLine = z
  .object({
    item_id: z.string(),
    ...acrissFields,
    item_description: z.string(),
    item_description_customer_translation: z.string(),
    item_unit_cost: decimalAmountSchema,
    item_cost: decimalAmountSchema,
    quantity: z.number(),
    category_supplement_1_unit_cost: decimalAmountSchema,
    category_supplement_1_cost: decimalAmountSchema,
    category_supplement_2_unit_cost: decimalAmountSchema,
    category_supplement_2_cost: decimalAmountSchema,
    category_supplement_3_unit_cost: decimalAmountSchema,
    category_supplement_3_cost: decimalAmountSchema,
    product_deposit_unit_cost: decimalAmountSchema,
    product_deposit_cost: decimalAmountSchema,
    product_guarantee_unit_cost: decimalAmountSchema,
    product_guarantee_cost: decimalAmountSchema,
  })
  .meta({ id: "ProductLine" });

const extraLine = z
  .object({
    extra_id: z.string(),
    extra_description: z.string(),
    extra_description_customer_translation: z.string(),
    extra_unit_cost: decimalAmountSchema,
    quantity: z.number(),
    extra_cost: decimalAmountSchema,
  })
  .meta({ id: "ExtraLine" });

const reservation = z
  .object({
    id: z.number(),
    agency_reservation_id: z.string(),
    ...agencyPeriodFields,
    ...rentalPlaceFields,
    rental_location_code: z.string(),
    customer_language: z.string(),
    days: z.number(),
    ...createCostFields(decimalAmountSchema),
    total_cost: decimalAmountSchema,
    product_deposit_cost: decimalAmountSchema,
    product_guarantee_cost: decimalAmountSchema,
    driver_age_deposit: decimalAmountSchema,
    total_deposit: decimalAmountSchema,
    promotion_code: z.string().nullable().meta({ description: "Addition: code that lowers the price. null: none" }),
    products: z.array(productLine),
    extras: z.array(extraLine),
  })
  .meta({ id: "Booking" });

const status = z.enum(["reserved", "canceled"]);

const booking = z.object({ status, reservation });
export const agencyBookingAnswer = createSuccessSchema(booking);

export const agencyCancellationAnswer = createSuccessSchema(z.object({ status: z.literal("canceled") }));

/** Converts a booking to the agency's view. */
export function toAgencyBookingMessage(storedBooking: RentalBooking, catalogue: Catalogue): z.output<typeof booking> {
  const { totals, customerLanguage } = storedBooking;
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  return {
    status: storedBooking.status === "cancelled" ? ("canceled" as const) : ("reserved" as const),
    reservation: {
      id: storedBooking.id,
      agency_reservation_id: storedBooking.agencyReservationId ?? "",
      date_from: storedBooking.period.dateFrom,
      time_from: storedBooking.period.timeFrom,
      date_to: storedBooking.period.dateTo,
      time_to: storedBooking.period.timeTo,
      pickup_place_id: storedBooking.pickupPlaceId ?? null,
      pickup_place: storedBooking.pickupPlace,
      pickup_place_customer_translation: placeIn(
        customerLanguage,
        catalogue,
        storedBooking.pickupPlaceId,
        storedBooking.pickupPlace,
      ),
      return_place_id: storedBooking.returnPlaceId ?? null,
      return_place: storedBooking.returnPlace,
      return_place_customer_translation: placeIn(
        customerLanguage,
        catalogue,
        storedBooking.returnPlaceId,
        storedBooking.returnPlace,
      ),
      rental_location_code: storedBooking.branchCode,
      customer_language: customerLanguage,
      days: storedBooking.days,
      ...toCostFieldValues(totals, totals.categorySupplementCents, money),
      total_cost: money(getTotalWithoutClosing(storedBooking)),
      product_deposit_cost: money(totals.productDepositCents),
      product_guarantee_cost: money(totals.productGuaranteeCents),
      driver_age_deposit: money(totals.driverAgeDepositCents),
      total_deposit: money(totals.totalDepositCents),
      promotion_code: storedBooking.promotionCode ?? null,
      products: storedBooking.lines.map((line) => ({
        item_id: line.categoryCode,
        ...findAcrissFields(catalogue, line.categoryCode),
        item_description: line.description,
        item_description_customer_translation: pickTranslation(
          customerLanguage,
          catalogue.categories.get(line.categoryCode)?.names ?? {},
          line.description,
        ),
        item_unit_cost: money(divideRounded(line.itemCents, line.quantity)),
        item_cost: money(line.itemCents),
        quantity: line.quantity,
        category_supplement_1_unit_cost: money(line.supplementUnitCents[0]),
        category_supplement_1_cost: money(line.supplementUnitCents[0] * line.quantity),
        category_supplement_2_unit_cost: money(line.supplementUnitCents[1]),
        category_supplement_2_cost: money(line.supplementUnitCents[1] * line.quantity),
        category_supplement_3_unit_cost: money(line.supplementUnitCents[2]),
        category_supplement_3_cost: money(line.supplementUnitCents[2] * line.quantity),
        product_deposit_unit_cost: money(line.depositUnitCents),
        product_deposit_cost: money(line.depositUnitCents * line.quantity),
        product_guarantee_unit_cost: money(line.guaranteeUnitCents),
        product_guarantee_cost: money(line.guaranteeUnitCents * line.quantity),
      })),
      extras: storedBooking.extras.map((line) => ({
        extra_id: line.extraCode,
        extra_description: line.description,
        extra_description_customer_translation: pickTranslation(
          customerLanguage,
          getExtraNames(catalogue, line),
          line.description,
        ),
        extra_unit_cost: money(divideRounded(line.extraCents, line.quantity)),
        quantity: line.quantity,
        extra_cost: money(line.extraCents),
      })),
    },
  };
}

function placeIn(customerLanguage: string, catalogue: Catalogue, id: number | undefined, name: string): string {
  const place = id === undefined ? undefined : catalogue.places.get(id);
  return pickTranslation(customerLanguage, place?.names ?? {}, name);
}

import { z } from "zod";
import type { BookingLine, RentalBooking } from "#domain/bookings/bookings.ts";
import { findBookedDiscounts } from "#domain/bookings/pricing.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Cents, divideRounded, toAmount } from "#domain/money.ts";
import {
  createSchemaFields,
  createValueFields,
  mapNamesToValues,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { toImageUrl } from "#worker/api/primitives.ts";
import { rentalLineFields } from "./cart-item-messages.ts";
import { UNIT_CONTRACT_FIELD_NAMES } from "./contract-messages.ts";
import { toDiscountsMessage } from "./offer-messages.ts";

const UNUSED_LINE_FIELDS = ["item_performance_id", "item_rate_type_name"] as const;

const CHARACTERISTICS = [
  "booking_item_characteristic_1",
  "booking_item_characteristic_2",
  "booking_item_characteristic_3",
  "booking_item_characteristic_4",
] as const;

const resource = z
  .object({
    ...createSchemaFields(z.int(), "id", "pax"),
    booking_item_category: z.string(),
    acriss_code: nullableText,
    ...createSchemaFields(
      nullableText,
      "booking_item_reference",
      "booking_item_stock_plate",
      "booking_item_stock_model",
    ),
    ...createSchemaFields(nullableText, ...CHARACTERISTICS),
    ...createSchemaFields(nullableText, ...UNIT_CONTRACT_FIELD_NAMES),
  })
  .meta({ id: "BookingLineResource" });

/** A booking line with its units. */
export const bookingLineSchema = z
  .object({
    ...rentalLineFields,
    ...createSchemaFields(z.null(), ...UNUSED_LINE_FIELDS),
    booking_line_resources: z.array(resource),
  })
  .meta({ id: "EngineBookingLine" });

/** A unit of a line, with the vehicle once assigned. */
export interface LineUnit {
  readonly id: number;
  readonly lineId: number;
  readonly reference: string | null;
  readonly plate: string | null;
  readonly model: string | null;
  /** The account's four custom fields of a vehicle. */
  readonly characteristics: readonly (string | null)[];
}

/** Converts a booking line for its customer. */
export function toBookingLineMessage(
  line: BookingLine,
  { contractData, promotionCode }: RentalBooking,
  units: readonly LineUnit[],
  catalogue: Catalogue,
  visitor: Visitor,
): z.output<typeof bookingLineSchema> {
  const { settings } = catalogue;
  const category = catalogue.categories.get(line.categoryCode);
  const discounts = findBookedDiscounts(catalogue, line, promotionCode);
  const money = (cents: Cents) => toAmount(cents, settings.currencyDecimals);
  return {
    id: line.id,
    item_id: line.categoryCode,
    acriss_code: category?.acrissCode ?? null,
    item_description: line.description,
    item_description_customer_translation: translateText(visitor, category?.names ?? {}, line.description),
    item_full_description_customer_translation: category
      ? translateText(visitor, category.descriptions, category.description)
      : "",
    item_unit_cost_base: money(line.unitBaseCents),
    item_unit_cost: money(divideRounded(line.itemCents, line.quantity)),
    item_cost: money(line.itemCents),
    quantity: line.quantity,
    photo_medium: toImageUrl(category?.photos[0]?.photoPath, visitor.origin),
    photo_full: toImageUrl(category?.photos[0]?.fullPhotoPath, visitor.origin),
    ...createValueFields(null, ...UNUSED_LINE_FIELDS),
    ...toDiscountsMessage(discounts, visitor, settings.currencyDecimals),
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
        acriss_code: category?.acrissCode ?? null,
        booking_item_reference: unit.reference,
        booking_item_stock_plate: unit.plate,
        booking_item_stock_model: unit.model,
        ...mapNamesToValues(CHARACTERISTICS, (name) => unit.characteristics[CHARACTERISTICS.indexOf(name)] ?? null),
        ...mapNamesToValues(UNIT_CONTRACT_FIELD_NAMES, (name) => contractData[`unit_${unit.id}_${name}`] ?? null),
      })),
  };
}

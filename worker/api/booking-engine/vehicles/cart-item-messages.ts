import { z } from "zod";
import type { CartView } from "#domain/bookings/carts.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import {
  createSchemaFields,
  createValueFields,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { decimalAmountSchema, toImageUrl } from "#worker/api/primitives.ts";
import { UNIT_USER_FIELD_NAMES } from "./contract-messages.ts";
import { discountFields, toDiscountsMessage } from "./offer-messages.ts";

const UNUSED_ITEM_FIELDS = [
  "item_performance_id",
  "item_performance_description_customer_translation",
  "item_rate_type_name",
  "parent_variant_item_id",
] as const;

/** Common fields of cart and booking lines. */
export const rentalLineFields = {
  id: z.int(),
  ...createSchemaFields(
    z.string(),
    "item_id",
    "item_description",
    "item_description_customer_translation",
    "item_full_description_customer_translation",
  ),
  ...createSchemaFields(decimalAmountSchema, "item_unit_cost_base", "item_unit_cost", "item_cost"),
  quantity: z.int(),
  ...createSchemaFields(
    decimalAmountSchema,
    "product_deposit_unit_cost",
    "product_deposit_cost",
    "product_guarantee_cost",
  ),
  ...createSchemaFields(nullableText, "photo_medium", "photo_full", "promotion_code", "acriss_code"),
  ...discountFields,
};

/** A product in a cart. */
export const cartItemSchema = z
  .object({
    ...rentalLineFields,
    ...createSchemaFields(
      decimalAmountSchema,
      "product_deposit_reduction_amount",
      "product_guarantee_reduction_amount",
    ),
    ...createSchemaFields(z.null(), ...UNUSED_ITEM_FIELDS),
    item_resources: z.array(
      z.object({
        ...createSchemaFields(z.int(), "id", "pax"),
        ...createSchemaFields(z.null(), ...UNIT_USER_FIELD_NAMES),
      }),
    ),
  })
  .meta({ id: "ShoppingCartItem" });

/** A selected or booked extra. */
export const chosenExtraSchema = z
  .object({
    id: z.int(),
    ...createSchemaFields(z.string(), "extra_id", "extra_description", "extra_description_customer_translation"),
    ...createSchemaFields(decimalAmountSchema, "extra_unit_cost", "extra_cost"),
    quantity: z.int(),
  })
  .meta({ id: "ChosenExtra" });

/** Converts a cart line for its visitor. */
export function toCartItemMessage(
  line: CartView["draft"]["lines"][number],
  id: number,
  visitor: Visitor,
  settings: Settings,
): z.output<typeof cartItemSchema> {
  const { category } = line;
  const money = (cents: Cents) => toAmount(cents, settings.currencyDecimals);
  return {
    id,
    item_id: category.code,
    acriss_code: category.acrissCode ?? null,
    item_description: category.name,
    item_description_customer_translation: translateText(visitor, category.names, category.name),
    item_full_description_customer_translation: translateText(visitor, category.descriptions, category.description),
    item_unit_cost_base: money(line.unitBaseCents),
    item_unit_cost: money(line.unitCents),
    item_cost: money(line.itemCents),
    quantity: line.quantity,
    product_deposit_unit_cost: money(line.depositUnitCents),
    product_deposit_cost: money(line.depositUnitCents * line.quantity),
    product_guarantee_cost: money(line.guaranteeUnitCents * line.quantity),
    product_deposit_reduction_amount: money(line.depositReductionUnitCents * line.quantity),
    product_guarantee_reduction_amount: money(line.guaranteeReductionUnitCents * line.quantity),
    photo_medium: toImageUrl(category.photos[0]?.photoPath, visitor.origin),
    photo_full: toImageUrl(category.photos[0]?.fullPhotoPath, visitor.origin),
    ...createValueFields(null, ...UNUSED_ITEM_FIELDS),
    ...toDiscountsMessage(line, visitor, settings.currencyDecimals),
    promotion_code: line.promotionCode?.code ?? null,
    item_resources: Array.from({ length: line.quantity }, (_, index) => ({
      id: index + 1,
      pax: 1,
      ...createValueFields(null, ...UNIT_USER_FIELD_NAMES),
    })),
  };
}

import { z } from "zod";
import { type Cents, divideRounded, toAmount } from "#domain/money.ts";
import type { StoredBookingCharge, StoredExtra, StoredVehicleLine } from "#domain/reporting/extracted-contracts.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const SUPPLEMENTS = [1, 2, 3] as const;
const supplementShape = Object.fromEntries(
  SUPPLEMENTS.flatMap((n) => [
    [`category_supplement_${n}_unit_cost`, decimalAmountSchema],
    [`category_supplement_${n}_cost`, decimalAmountSchema],
  ]),
) as Record<
  `category_supplement_${1 | 2 | 3}_unit_cost` | `category_supplement_${1 | 2 | 3}_cost`,
  typeof decimalAmountSchema
>;

/** A contract line with its vehicles. */
export const integrationLineSchema = z
  .object({
    id: z.number(),
    object: z.literal("reservation_line"),
    item_id: z.string(),
    ...acrissFields,
    item_description: z.string(),
    item_unit_cost_base: decimalAmountSchema,
    item_unit_cost: decimalAmountSchema,
    item_cost: decimalAmountSchema,
    quantity: z.number(),
    product_deposit_unit_cost: decimalAmountSchema,
    product_deposit_cost: decimalAmountSchema,
    ...supplementShape,
    reservation_line_resources: z.array(
      z.object({
        id: z.number(),
        object: z.literal("reservation_line_resource"),
        reference: nullableText,
        stock_plate: nullableText,
      }),
    ),
  })
  .meta({ id: "BookingLine" });

export const integrationExtraSchema = z
  .object({
    id: z.number(),
    object: z.literal("reservation_extra"),
    extra_id: z.string(),
    extra_description: z.string(),
    extra_unit_cost: decimalAmountSchema,
    extra_cost: decimalAmountSchema,
    quantity: z.number(),
  })
  .meta({ id: "BookingExtra" });

export const integrationChargeSchema = z
  .object({
    id: z.number(),
    object: z.literal("charge"),
    date: timestampTextSchema,
    amount: decimalAmountSchema.meta({ description: "Amount paid, negative for refunds" }),
    currency: z.string(),
    payment_method_id: z.string(),
  })
  .meta({ id: "BookingCharge" });

export function toIntegrationLineMessage(
  row: StoredVehicleLine,
  { decimals, acriss: getAcriss }: MessageFormat,
): z.output<typeof integrationLineSchema> {
  const cost = (cents: Cents) => toAmount(cents, decimals);
  const [first, second, third] = row.supplementUnitCents;
  return {
    id: row.id,
    object: "reservation_line",
    item_id: row.itemId,
    ...getAcriss(row.itemId),
    item_description: row.description,
    item_unit_cost_base: cost(row.unitBaseCents),
    item_unit_cost: cost(divideRounded(row.itemCents, row.quantity)),
    item_cost: cost(row.itemCents),
    quantity: row.quantity,
    product_deposit_unit_cost: cost(row.depositUnitCents),
    product_deposit_cost: cost(row.depositUnitCents * row.quantity),
    category_supplement_1_unit_cost: cost(first),
    category_supplement_1_cost: cost(first * row.quantity),
    category_supplement_2_unit_cost: cost(second),
    category_supplement_2_cost: cost(second * row.quantity),
    category_supplement_3_unit_cost: cost(third),
    category_supplement_3_cost: cost(third * row.quantity),
    reservation_line_resources: row.units.map(([id, reference, plate]) => ({
      id,
      object: "reservation_line_resource",
      reference,
      stock_plate: plate,
    })),
  };
}

export function toIntegrationExtraMessage(
  row: StoredExtra,
  { decimals }: MessageFormat,
): z.output<typeof integrationExtraSchema> {
  return {
    id: row.id,
    object: "reservation_extra",
    extra_id: row.extraId,
    extra_description: row.description,
    extra_unit_cost: toAmount(divideRounded(row.extraCents, row.quantity), decimals),
    extra_cost: toAmount(row.extraCents, decimals),
    quantity: row.quantity,
  };
}

export function toIntegrationChargeMessage(
  row: StoredBookingCharge,
  messageFormat: MessageFormat,
): z.output<typeof integrationChargeSchema> {
  return {
    id: row.id,
    object: "charge",
    date: messageFormat.timestamp(row.date),
    amount: toAmount(row.type === "charge" ? row.amountCents : -row.amountCents, messageFormat.decimals),
    currency: row.currency,
    payment_method_id: row.method,
  };
}

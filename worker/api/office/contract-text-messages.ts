import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { parseAmount } from "#domain/money.ts";
import type { UnsavedHandOver } from "#domain/printing/typed-hand-over.ts";
import { integerTextSchema, MAX_ID, textLineSchema } from "#worker/api/primitives.ts";
import { FULL_TANK, MAX_METER_READING } from "./hand-over-messages.ts";
import { amountText } from "./request-messages.ts";

/** Hand-over that isn't recorded. */
export const contractTextQuery = z.object({
  unit_id: integerTextSchema(MAX_ID, 1).optional().meta({ description: "The next unit to deliver by default" }),
  reference: textLineSchema(50).optional().meta({ description: "The vehicle. The assigned one by default" }),
  kilometres: integerTextSchema(MAX_METER_READING).optional().meta({ description: "Typed reading, or engine hours" }),
  fuel_eighths: integerTextSchema(FULL_TANK).optional().meta({ description: "Typed fuel level in eighths" }),
  payment: amountText.optional().meta({ description: "Amount that the customer pays at the hand-over" }),
});

/** Converts the query to a hand-over, or returns the field that is too fine. Undefined for the whole contract. */
export function toUnsavedHandOver(
  {
    unit_id: unitId,
    reference,
    kilometres,
    fuel_eighths: fuelEighths,
    payment = "0",
  }: z.output<typeof contractTextQuery>,
  decimals: number,
  now: number,
): UnsavedHandOver | { readonly field: string } | undefined {
  if (unitId === undefined && reference === undefined) return undefined;
  const paidCents = parseAmount(payment, decimals);
  if (paidCents === undefined) return { field: "payment" };
  return { unitId, reference, reading: { at: now, kilometres, fuelEighths }, paidCents };
}

export const contractTextsAnswer = z
  .object({
    data: z.array(
      z.object({
        text: z.string().meta({ description: "Lines of one to three cells, separated by tabs" }),
        language: z.enum(PLATFORM_LANGUAGES),
        is_signed: z.boolean().meta({ description: "Whether the customer signed this text" }),
      }),
    ),
  })
  .meta({ id: "ContractTexts" });

/** Text of a return that isn't recorded. */
export const returnRecordAnswer = z
  .object({
    data: contractTextsAnswer.shape.data,
    at: z.string().meta({
      description: "Time of the return in the text. Send it as `at` of the signed return",
      example: "2030-06-10T10:00",
    }),
  })
  .meta({ id: "ReturnRecord" });
export type ReturnRecordMessage = z.output<typeof returnRecordAnswer>;

export type ContractTextsMessage = z.output<typeof contractTextsAnswer>;

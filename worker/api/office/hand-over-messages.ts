import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import type { HandOverRequest } from "#domain/check-in/desk.ts";
import { parseCivilDate, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { parseAmount } from "#domain/money.ts";
import {
  fileHashSchema,
  checkInChargeSchema as phoneCharge,
  damageReportSchema as phoneDamage,
} from "#worker/api/check-in/operation-messages.ts";
import { createRefineOptions, textLineSchema } from "#worker/api/primitives.ts";
import {
  amountText,
  baseActionQuoteBody,
  expectedVersion,
  parseFeeAmount,
  reasonForActionSchema,
  rentalExtraChoices,
  reservationNotes,
  surchargeShape,
} from "./request-messages.ts";

export const MAX_METER_READING = 9_999_999;
export const FULL_TANK = 8;

const kilometres = z.int("must be a whole number").min(0).max(MAX_METER_READING);
const fuel = z
  .int("must be a whole number of eighths")
  .min(0, "must be at least 0")
  .max(FULL_TANK, "must be at most 8");
const unitId = z.int().min(1);

/** Date and time in the account's time zone. Seconds are ignored. */
const civilMoment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, "must be a moment of the account's clock, 2030-06-10T10:00")
  .refine((text) => parseMoment(text) !== undefined, createRefineOptions("moment"))
  .meta({ type: "string", example: "2030-06-10T10:00" });

function parseMoment(text: string) {
  const [date, time] = [parseCivilDate(text.slice(0, 10)), parseTimeText(text.slice(11, 16))];
  return date && time && toCivilMinute(date, time);
}

/** New damage in the format of a device. The office has no photos of it. */
const damages = z
  .array(phoneDamage.omit({ damage_id: true, photos: true }), "must be an array")
  .max(100, "must have at most 100 damages")
  .default([]);

/** Hand-over or return of a vehicle at the desk, with the data that a device would send. */
export const handOverBody = z.strictObject({
  expected_version: expectedVersion,
  unit_id: unitId.optional(),
  reference: textLineSchema(50).optional().meta({ description: "Vehicle. Required if none is assigned" }),
  kilometres: kilometres.optional(),
  fuel_eighths: fuel.optional(),
  at: civilMoment.optional().meta({ description: "Time of the delivery or return, not in the future. Now by default" }),
  notes: reservationNotes.optional(),
  extras: rentalExtraChoices.default([]),
  charges: z
    .array(phoneCharge.omit({ charge_id: true }), "must be an array")
    .max(20)
    .default([]),
  damages,
  readings_confirmed: z.boolean().optional(),
  signature: z
    .strictObject({
      name: textLineSchema(120).refine((name) => name.trim() !== "", createRefineOptions("empty")),
      hash: fileHashSchema,
      contract: z
        .strictObject({ hash: fileHashSchema, language: z.enum(PLATFORM_LANGUAGES) })
        .optional()
        .meta({ description: "Text that the customer read. `hash` is its SHA-256, a check-in file of the booking" }),
    })
    .optional()
    .meta({ description: "Drawn by the customer. `hash` is the SHA-256 of its PNG, a check-in file of the booking" }),
  reason: reasonForActionSchema.optional(),
});
export type HandOverBodyRequest = z.input<typeof handOverBody>;

const surcharges = z
  .array(
    z.strictObject({
      ...surchargeShape,
      damage: z.int().min(0).max(99).optional().meta({ description: "Index of the damage that it pays for" }),
    }),
    "must be an array",
  )
  .max(20, "must have at most 20 charges")
  .default([])
  .meta({ description: "Damage, cleaning and the like, invoiced with the return" });

const returnShape = {
  return_rental_location_code: textLineSchema(50)
    .optional()
    .meta({ description: "Branch of the return, the agreed one by default", example: "AIR" }),
  surcharges,
};

/** Return of a vehicle, possibly at another branch than agreed. */
export const vehicleReturnBody = handOverBody.extend(returnShape);
export type VehicleReturnRequest = z.input<typeof vehicleReturnBody>;

/** Return whose text the customer reads before signing. */
export const returnRecordBody = vehicleReturnBody.pick({
  ...{ unit_id: true, kilometres: true, fuel_eighths: true, at: true, readings_confirmed: true, damages: true },
  ...{ return_rental_location_code: true, surcharges: true },
});
export type ReturnRecordRequest = z.input<typeof returnRecordBody>;

/** Body that requests the quote of an action. The quote of a return includes readings and surcharges. */
export const actionQuoteBody = baseActionQuoteBody.extend({
  ...returnShape,
  kilometres: kilometres.optional(),
  fuel_eighths: fuel.optional(),
  at: handOverBody.shape.at,
  readings_confirmed: handOverBody.shape.readings_confirmed,
  damages,
});
export type ActionQuoteRequest = z.input<typeof actionQuoteBody>;

/** Converts the return to quote, or returns the field with excessive precision, if any. */
export function toReturnToQuote(
  bookingId: number,
  body: z.output<typeof returnRecordBody> & Pick<z.output<typeof actionQuoteBody>, "extras">,
  decimals: number,
) {
  const { kilometres, fuel_eighths, at, readings_confirmed, damages, surcharges, unit_id, extras = [] } = body;
  return toHandOverRequest(
    "collect",
    bookingId,
    {
      ...{ kilometres, fuel_eighths, at, readings_confirmed, damages, surcharges, unit_id, extras },
      ...{ expected_version: 0, charges: [], return_rental_location_code: body.return_rental_location_code },
    },
    decimals,
  );
}

/** Converts the body to a hand-over, or returns the field with excessive precision, if any. */
export function toHandOverRequest(
  action: HandOverRequest["action"],
  bookingId: number,
  body: z.output<typeof handOverBody> & Partial<Pick<z.output<typeof vehicleReturnBody>, keyof typeof returnShape>>,
  decimals: number,
): HandOverRequest | { readonly field: string } {
  const amounts = body.charges.map(({ amount }) => parseAmount(amount, decimals));
  const invalidChargeIndex = amounts.findIndex((cents) => !cents);
  if (invalidChargeIndex >= 0) return { field: `charges.${invalidChargeIndex}.amount` };
  const prices = (body.surcharges ?? []).map(({ amount }) => parseFeeAmount(amount, decimals));
  const tooFine = prices.findIndex(({ isTooFine }) => isTooFine);
  if (tooFine >= 0) return { field: `surcharges.${tooFine}.amount` };
  return {
    action,
    bookingId,
    expectedVersion: body.expected_version,
    unitId: body.unit_id,
    reference: body.reference,
    kilometres: body.kilometres,
    fuelEighths: body.fuel_eighths,
    at: body.at === undefined ? undefined : parseMoment(body.at),
    notes: body.notes,
    returnBranchCode: body.return_rental_location_code,
    extras: body.extras.filter(({ quantity }) => quantity > 0),
    charges: body.charges.map((charge, index) => ({
      kind: charge.kind,
      amountCents: amounts[index] ?? 0,
      method: charge.payment_method_id,
      externalOperationNumber: charge.external_operation_number,
      terminal: charge.offline_physical_device_id,
    })),
    damages: toReportedDamages(body.damages),
    surcharges: (body.surcharges ?? []).map(({ code, quantity, text, damage }, index) => ({
      ...{ code, quantity, text, damage },
      unitCents: prices[index]?.feeCents,
    })),
    hasConfirmedReadings: body.readings_confirmed ?? false,
    signature: body.signature,
    reason: body.reason,
    sent: body,
  };
}

/** Converts new damage without ids. */
export function toReportedDamages(damageReports: z.output<typeof damages>): HandOverRequest["damages"] {
  return damageReports.map((damage) => ({ ...damage, note: damage.note, photos: [] }));
}

/** Exchange of the rented vehicle for another one. */
export const vehicleExchangeBody = z.strictObject({
  expected_version: expectedVersion,
  unit_id: unitId.optional(),
  reference: textLineSchema(50).meta({ description: "The vehicle that goes out instead", example: "A-2" }),
  kilometres_in: kilometres.meta({ description: "Reading of the returned vehicle" }),
  fuel_eighths_in: fuel,
  kilometres_out: kilometres.meta({ description: "Reading of the delivered vehicle" }),
  fuel_eighths_out: fuel,
  damages_in: damages.meta({ description: "New on the vehicle that comes back" }),
  readings_confirmed: z
    .boolean("must be true or false")
    .default(false)
    .meta({ description: "Confirms an improbable reading" }),
  upgrade_price: amountText.optional().meta({ description: "A paid upgrade: added to the price of the line" }),
  reason: reasonForActionSchema.optional(),
});
export type VehicleExchangeBodyRequest = z.input<typeof vehicleExchangeBody>;

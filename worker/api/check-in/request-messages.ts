import { z } from "zod";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { toStoredCompletion } from "#domain/ministry-reports/completion-fields.ts";
import { type Cents, parseAmount } from "#domain/money.ts";
import { createProblem } from "#domain/problems.ts";
import {
  civilDateSchema,
  createRefineOptions,
  type FieldDetail,
  integerTextSchema,
  textLineSchema,
  toFieldDetail,
} from "#worker/api/primitives.ts";
import { type checkInOperationSchema, fileHashSchema } from "./operation-messages.ts";

const id = integerTextSchema(Number.MAX_SAFE_INTEGER).refine(
  (number) => number >= 1,
  createRefineOptions("at_least", 1),
);
const bookingId = id.meta({ example: 1 });

export const checkInDayQuery = z.object({
  date: civilDateSchema,
  rental_location_code: textLineSchema(30).meta({ example: "PMI" }).optional(),
});

export const checkInVehiclesQuery = z.object({
  term: textLineSchema(60).optional(),
  category_code: textLineSchema(30).optional(),
  family_id: id.optional(),
  rental_storage_id: id.meta({ example: 1 }).optional(),
});

export const bookingParams = z.object({ id: bookingId });
export const fileParams = z.object({ id: bookingId, hash: fileHashSchema });
export const operationParams = z.object({
  op_id: z.string().max(36).meta({ example: "01890000-0000-7000-8000-000000000001" }),
});

export const applicableExtrasQuery = z.object({
  action: z.enum(["delivery", "collection"], "must be delivery or collection").optional(),
});

export const operationsToReviewQuery = z.object({
  state: z.enum(["conflict", "held", "incomplete", "all"], "must be conflict, held, incomplete or all").default("all"),
  page: integerTextSchema(100_000).default(0),
  page_size: integerTextSchema(500)
    .refine((size) => size >= 1, createRefineOptions("whole", 1, 500))
    .default(20),
});

/** Converts a message to an operation. Returns errors for amounts more precise than the currency. */
export function toCheckInOperation(
  message: z.output<typeof checkInOperationSchema>,
  rawOperation: unknown,
  currencyDecimals: number,
): CheckInOperation | { readonly wrong: readonly FieldDetail[] } {
  const amounts = message.charges.map((charge) => parseAmount(charge.amount, currencyDecimals));
  const fieldProblems = amounts.flatMap((amount, index) =>
    amount === undefined || amount === 0
      ? [toFieldDetail(createProblem(`charges.${index}.amount`, "account_amount"))]
      : [],
  );
  const upgradeCents = message.exchange?.upgrade_price && parseAmount(message.exchange.upgrade_price, currencyDecimals);
  if (message.exchange?.upgrade_price !== undefined && upgradeCents === undefined)
    fieldProblems.push(toFieldDetail(createProblem("exchange.upgrade_price", "account_amount")));
  const surcharges = message.surcharges.map(({ amount, damage_id, ...surcharge }, index) => {
    const unitCents = amount === undefined ? undefined : parseAmount(amount, currencyDecimals);
    if (amount !== undefined && !unitCents)
      fieldProblems.push(toFieldDetail(createProblem(`surcharges.${index}.amount`, "account_amount")));
    return { ...surcharge, text: surcharge.text, unitCents, damageId: damage_id };
  });
  if (fieldProblems.length > 0) return { wrong: fieldProblems };
  return {
    opId: message.op_id,
    deviceId: message.device_id,
    seq: message.seq,
    kind: message.kind,
    bookingId: message.booking_id,
    unitId: message.resource_id,
    baseVersion: message.base_version,
    author: message.author,
    recordedAt: Date.parse(message.recorded_at) + message.clock_offset_ms,
    clockOffset: message.clock_offset_ms,
    vehicleReference: message.vehicle_reference,
    kilometres: message.kilometres,
    fuelEighths: message.fuel_eighths,
    hasConfirmedReadings: message.readings_confirmed ?? false,
    notes: message.notes,
    overrideReason: message.override_reason,
    returnBranchCode: message.return_rental_location_code,
    standing: message.standing && toVehicleCondition(message.standing),
    driver: message.driver && toDriver(message.driver),
    authorities: message.authorities && toStoredCompletion(message.authorities),
    trip: message.trip,
    exchange: message.exchange && toReplacement(message.exchange, upgradeCents || undefined),
    extras: mergedExtras(message.extras),
    damages: message.damages.map(({ vehicle, ...damage }) => ({
      ...{ ...damage, damageId: damage.damage_id, note: damage.note },
      isReplacement: vehicle === "replacement",
    })),
    ...(surcharges.length > 0 && { surcharges }),
    charges: message.charges.map((charge, index) => toCharge(charge, amounts[index] ?? 0)),
    signature: message.signature && {
      method: message.signature.method,
      contractHash: message.signature.contract_hash,
    },
    files: listFiles(message),
    removedFiles: message.removed_photos,
    // Validated by the schema as a JSON object.
    sent: rawOperation as Readonly<Record<string, unknown>>,
  };
}

type Message = z.output<typeof checkInOperationSchema>;

function toVehicleCondition(condition: NonNullable<Message["standing"]>): CheckInOperation["standing"] {
  return {
    parkingPlace: condition.parking_place,
    keyNumber: condition.key_number,
    needsCleaning: condition.needs_cleaning,
    needsFuel: condition.needs_fuel,
  };
}

function toReplacement(
  { vehicle_reference, kilometres, fuel_eighths }: NonNullable<Message["exchange"]>,
  upgradeCents: Cents | undefined,
): CheckInOperation["exchange"] {
  return { reference: vehicle_reference, kilometres, fuelEighths: fuel_eighths, upgradeCents };
}

function toDriver(read: NonNullable<Message["driver"]>): CheckInOperation["driver"] {
  return {
    name: read.name,
    surname: read.surname,
    documentId: read.document_id,
    dateOfBirth: read.date_of_birth,
    licenceNumber: read.driving_license_number,
    licenceExpires: read.driving_license_expiration_date,
  };
}

function toCharge(charge: Message["charges"][number], amountCents: Cents): CheckInOperation["charges"][number] {
  return {
    chargeId: charge.charge_id,
    kind: charge.kind,
    amountCents,
    method: charge.payment_method_id,
    externalOperationNumber: charge.external_operation_number,
    terminal: charge.offline_physical_device_id,
  };
}

function mergedExtras(extras: Message["extras"]): CheckInOperation["extras"] {
  const quantities = new Map<string, number>();
  for (const { extra_code, quantity } of extras)
    quantities.set(extra_code, (quantities.get(extra_code) ?? 0) + quantity);
  return [...quantities].map(([code, quantity]) => ({ code, quantity }));
}

function isHash(text: string | undefined): text is string {
  return fileHashSchema.safeParse(text).success;
}

// Lists the files that an operation refers to, in order.
function listFiles({ photos, damages, signature }: Message): CheckInOperation["files"] {
  const contractPhotos = photos.map(({ hash, view }) => ({ hash, view: view as string }));
  const known = new Set(contractPhotos.map(({ hash }) => hash));
  const damagePhotos = damages.flatMap((damage) => damage.photos).filter((hash) => !known.has(hash));
  return [
    ...contractPhotos,
    ...[...new Set(damagePhotos)].map((hash) => ({ hash, view: "damage" })),
    ...(signature?.hash ? [{ hash: signature.hash, view: "signature" }] : []),
    ...(signature?.contract_language && isHash(signature.contract_hash)
      ? [{ hash: signature.contract_hash, view: "contract" }]
      : []),
  ];
}

import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import {
  CHARGE_KINDS,
  CUSTOMER_CHECKS,
  DAMAGE_KINDS,
  DAMAGE_SEVERITIES,
  DESK_PAYMENT_METHODS,
  PHOTO_VIEWS,
  TRIP_MOMENTS,
  VEHICLE_PARTS,
} from "#domain/check-in/codes.ts";
import { COMPLETING, COMPLETING_FIELDS } from "#domain/communications/completing.ts";
import { toPlainLine, toPlainLines } from "#domain/plain-text.ts";
import { civilDate, shapeFrom, textLine } from "#worker/api/primitives.ts";

// What the check-in app sends, and how the Worker answers it. No earlier client of these interfaces records field
// work: these operations are ours (docs/interfaces/check-in.md). The app takes its types from here.

const MAX_LIST_LENGTH = 100;
const OPERATION_KINDS = ["delivery", "collection", "exchange", "evidence", "correction"] as const;

/** A UUID in lower case; the app makes them of version 7, so that they sort by time. */
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "must be a UUID in lower case");

/** The SHA-256 of a file's bytes: its name. */
export const fileHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256, 64 hexadecimal digits in lower case")
  .meta({ example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" });

/** A moment by the phone's own clock. */
const moment = z.iso
  .datetime({ offset: true, error: "must be a moment, 2027-05-03T10:00:00.000Z" })
  .meta({ example: "2027-05-03T10:00:00.000Z" });

const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,3})?$/, "must be an amount, 120.00")
  .meta({ example: "120.00" });

/**
 * What somebody typed at a vehicle: whole work is not refused for an emoji in it. What cannot be written down is left
 * out; as it was typed it stays in what was sent.
 */
function typedText(maxLength: number, toPlain = toPlainLine) {
  return z
    .string("must be text")
    .refine((text) => text.trim() !== "", "must not be empty")
    .transform((text) => toPlain(text) || undefined)
    .refine((text = "") => [...text].length <= maxLength, `must have at most ${maxLength} characters`)
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

const note = typedText(2000);
const code = textLine(50);
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

const photo = z.strictObject({
  hash: fileHash,
  view: z.enum(PHOTO_VIEWS),
  taken_at: moment,
});

export const damage = z.strictObject({
  damage_id: uuid,
  part: z.enum(VEHICLE_PARTS),
  kind: z.enum(DAMAGE_KINDS),
  severity: z.enum(DAMAGE_SEVERITIES),
  /** Where on the diagram, in thousandths of its width and height. */
  x: z.int().min(0).max(1000),
  y: z.int().min(0).max(1000),
  note: note.optional(),
  photos: z.array(fileHash).max(MAX_LIST_LENGTH).default([]),
});

export const charge = z.strictObject({
  charge_id: uuid,
  kind: z.enum(CHARGE_KINDS),
  amount: money,
  payment_method_id: z.enum(DESK_PAYMENT_METHODS),
  /** The card terminal's own number of the operation. */
  external_operation_number: typedText(60).optional(),
  offline_physical_device_id: typedText(60).optional(),
});

/** Where a vehicle was left, and what it needs before it goes out again. An empty text: none any more. */
const vehicleCondition = z.strictObject({
  parking_place: z.string().trim().max(60).optional(),
  key_number: z.string().trim().max(30).optional(),
  needs_cleaning: z.boolean().optional(),
  needs_fuel: z.boolean().optional(),
});

/** What was read from the driver's papers; what is left out stays as it is known. */
const driver = z.strictObject({
  name: typedText(100).optional(),
  surname: typedText(100).optional(),
  document_id: typedText(50).optional(),
  date_of_birth: civilDate.optional(),
  driving_license_number: typedText(50).optional(),
  driving_license_expiration_date: civilDate.optional(),
});

// Lenient but for dates: what was typed at a vehicle is never refused for its form.
const authorityFields = shapeFrom(
  COMPLETING_FIELDS,
  (name): z.ZodOptional<z.ZodType<string | undefined, string>> =>
    (COMPLETING[name] === "date" ? civilDate : typedText(100)).optional(),
);

/** What was said of the people for the authorities, by the names that the day has. */
const authorities = z.strictObject(authorityFields);

/** The customer of a transfer's trip was picked up, or dropped where they wanted to go. */
const trip = z.strictObject({ position: z.enum(["outward", "return"]), moment: z.enum(TRIP_MOMENTS) });

/** What goes out in exchange, and what was read of it. */
const exchange = z.strictObject({
  vehicle_reference: code,
  kilometres: z.int().min(0).max(9_999_999),
  fuel_eighths: z.int().min(0).max(99),
  /** What the customer pays for a better vehicle. */
  upgrade_price: money.optional(),
});

const signature = z.strictObject({
  method: z.enum(["drawn", "typed", "absent"]),
  /** Who signed; where the customer is absent, who says so. */
  name: typedText(120),
  signed_at: moment,
  /** The PNG of what was drawn. */
  hash: fileHash.optional(),
  /** The contract that was shown above the signature. */
  contract_hash: z.string().max(64).optional(),
  /** With it, `contract_hash` is the SHA-256 of the text that was read and signed, which comes as a file. */
  contract_language: z.enum(PLATFORM_LANGUAGES).optional(),
  absent_reason: note.optional(),
});

/** More than a phone ever counts. */
const MAX_SEQUENCE = 2 ** 40;

const deviceId = z.string().regex(/^[A-Za-z0-9-]{8,64}$/, "must have 8 to 64 letters, digits or hyphens");

export const deviceParams = z.object({ device_id: deviceId.meta({ example: "example-phone" }) });

/** What a phone says of the work on it that has not been received. */
export const phoneReport = z.strictObject({
  waiting: z.int().min(0).max(100_000),
  blocked: z.int().min(0).max(100_000),
  begun: z
    .array(
      z.strictObject({
        booking_id: id,
        kind: z.enum(OPERATION_KINDS),
        step: textLine(30),
        at: moment,
      }),
    )
    .max(20),
  last_seq: z.int().min(0).max(MAX_SEQUENCE).optional(),
});

export const reportAnswer = z.object({
  device_id: z.string(),
  reported_at: z.string(),
  /** The highest number that is known of the phone. One that knows a lower one was put back: its report is not kept. */
  last_seq: z.int(),
});

const sealNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Whose work waits on a phone, by the numbers that it is sealed under. */
export const sealsBody = z.strictObject({ seals: z.array(sealNumber).max(100).default([]) });

export const sealsAnswer = z.object({
  own: z.number(),
  data: z.array(z.object({ seal: z.number(), key: z.string() })),
});

/** One piece of work at a vehicle. */
export const checkInOperation = z
  .strictObject({
    op_id: uuid,
    device_id: deviceId,
    /** Counts the operations of the device from 1: the order in which they were done, whatever its clock says. */
    seq: z.int().min(1).max(MAX_SEQUENCE),
    /**
     * `evidence`: a draft's photos and notes, or more of them after the work. `correction`: of what was recorded
     * before. `exchange`: the vehicle that is out comes back, whose readings and damage these are, and another goes
     * out.
     */
    kind: z.enum(OPERATION_KINDS),
    booking_id: id,
    /** The unit of the booking (`resources[].resource_id` of the day); required but for evidence. */
    resource_id: id.optional(),
    /** The booking's version that the phone saw. */
    base_version: z.int().min(1),
    /** The username of who did the work, where somebody else sends it. */
    author: textLine(120).optional(),
    recorded_at: moment,
    /** What to add to the phone's clock to get the server's, by the last answer it had. */
    clock_offset_ms: z
      .int()
      .min(-(10 ** 13))
      .max(10 ** 13)
      .default(0),
    vehicle_reference: code.optional(),
    kilometres: z.int().min(0).max(9_999_999).optional(),
    /** Eighths of the tank or of the battery; more than 8 is kept and warned of. */
    fuel_eighths: z.int().min(0).max(99).optional(),
    /** Somebody was asked whether improbable readings are right, and said so. */
    readings_confirmed: z.boolean().optional(),
    notes: typedText(2000, toPlainLines).optional(),
    /** Of a collection: the branch where the vehicle came back, where that is not the one that was agreed. */
    return_rental_location_code: code.optional(),
    standing: vehicleCondition.optional(),
    driver: driver.optional(),
    authorities: authorities.optional(),
    /** With it the booking is a transfer, and the kind `evidence`. */
    trip: trip.optional(),
    exchange: exchange.optional(),
    /** Sold on the spot, beside what the booking has. */
    extras: z
      .array(z.strictObject({ extra_code: code, quantity: z.int().min(1).max(999) }))
      .max(MAX_LIST_LENGTH)
      .default([]),
    damages: z.array(damage).max(MAX_LIST_LENGTH).default([]),
    charges: z.array(charge).max(20).default([]),
    checks: z.array(z.enum(CUSTOMER_CHECKS)).max(CUSTOMER_CHECKS.length).default([]),
    signature: signature.optional(),
    photos: z.array(photo).max(MAX_LIST_LENGTH).default([]),
    /** Photos taken by mistake: they are marked, never deleted. */
    removed_photos: z.array(fileHash).max(MAX_LIST_LENGTH).default([]),
  })
  .meta({ id: "CheckInOperation" });

export type CheckInOperationMessage = z.input<typeof checkInOperation>;

const severalOperations = z.strictObject({ operations: z.array(checkInOperation).min(1).max(50) });

/**
 * One operation, or several at once: each is taken or refused by itself. Read by what it is, so that each wrong field
 * is named.
 */
export const operationsBody = z
  .unknown()
  .transform((body, context) => {
    const isSeveral = typeof body === "object" && body !== null && "operations" in body;
    const read = (isSeveral ? severalOperations : checkInOperation).safeParse(body);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  })
  .meta({
    anyOf: [
      { $ref: "#/components/schemas/CheckInOperation" },
      {
        type: "object",
        required: ["operations"],
        properties: {
          operations: {
            type: "array",
            minItems: 1,
            maxItems: 50,
            items: { $ref: "#/components/schemas/CheckInOperation" },
          },
        },
      },
    ],
  });

const warning = z.object({
  field: z.string(),
  /** kilometres_lower, kilometres_jump, fuel_impossible, closing_to_check, contract_changed, signature_missing, … */
  code: z.string(),
  message: z.string(),
});

// What became of one operation.
const operationResult = z
  .object({
    op_id: z.string(),
    /**
     * `applied`: it is in the booking. `held`: a collection that came before its delivery waits for it, up to 24 hours.
     * `conflict`: kept as evidence for the office, the booking stays as it was. `rejected`: not kept, `code` and
     * `message` say why.
     */
    state: z.enum(["applied", "held", "conflict", "rejected"]),
    /** The HTTP status that the operation alone would answer: 200, 202, 409, or 4xx. */
    status: z.int(),
    /**
     * applied, held, already_delivered, already_collected, already_exchanged, booking_cancelled, no_return_trip,
     * vehicle_unavailable, unknown_booking, …
     */
    code: z.string(),
    message: z.string(),
    booking_id: z.int(),
    booking_status: z.string().nullable(),
    /** The booking's version from now on. */
    version: z.int().nullable(),
    /**
     * parallel: others changed the booking since `base_version`. clock: the phone's clock was off. late: held before it
     * was applied.
     */
    flags: z.array(z.string()),
    warnings: z.array(warning),
    /** Files that the operation speaks of and that have not arrived yet. */
    missing_photos: z.array(z.string()),
    /** Who did before what this one wanted to do, and when. */
    by: z.string().nullable(),
    at: z.string().nullable(),
    received_at: z.string(),
  })
  .meta({ id: "CheckInResult" });

export type OperationResultMessage = z.infer<typeof operationResult>;

export const operationsAnswer = z.object({ results: z.array(operationResult) });
export type OperationsAnswerMessage = z.infer<typeof operationsAnswer>;

/** A photo or a signature that is kept: the answer to its PUT. */
export const storedFile = z
  .object({
    hash: z.string(),
    bytes: z.int(),
    content_type: z.string(),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: "CheckInFile" });

/** An operation as the office sees it. */
export const operationRecord = z
  .object({
    op_id: z.string(),
    booking_id: z.int(),
    resource_id: z.int().nullable(),
    kind: z.string(),
    state: z.enum(["applied", "held", "conflict", "accepted", "dismissed"]),
    code: z.string(),
    message: z.string(),
    flags: z.array(z.string()),
    warnings: z.array(warning),
    /** Who did before what this one wanted to do, or said the same of a trip, and when. */
    by: z.string().nullable(),
    at: z.string().nullable(),
    author: z.string(),
    sent_by: z.string(),
    device_id: z.string(),
    seq: z.int(),
    /** By the phone's clock, corrected. */
    recorded_at: z.string(),
    received_at: z.string(),
    vehicle_reference: z.string().nullable(),
    customer_fullname: z.string(),
    rental_location_code: z.string(),
    /** How many of the operation's files have arrived, and how many it has. */
    files_arrived: z.int(),
    files_total: z.int(),
    operation: z
      .record(z.string(), z.unknown())
      .meta({ description: "The operation as it was sent: a CheckInOperation" }),
  })
  .meta({ id: "CheckInRecord" });

export type OperationRecordMessage = z.infer<typeof operationRecord>;

export const bookingWorkAnswer = z.object({ booking_id: z.int(), operations: z.array(operationRecord) });

// A phone, and whether work it has counted has not arrived.
const deviceRecord = z
  .object({
    device_id: z.string(),
    user: z.string(),
    last_seq: z.int(),
    received: z.int(),
    missing: z.int(),
    /**
     * Of what was received, what came under a number that had come before: the phone was put back to an older copy of
     * itself, or copied.
     */
    repeated: z.int(),
    last_seen_at: z.string(),
    /** When it last said what is on it; null: never. What follows is of then. */
    reported_at: z.string().nullable(),
    /** Work that was finished and not received. */
    waiting: z.int(),
    /** Of it, work that needs a person. */
    blocked: z.int(),
    /** Work that was begun and not finished. */
    begun: z.array(z.object({ booking_id: z.int(), kind: z.string(), step: z.string(), at: z.string() })),
  })
  .meta({ id: "CheckInDevice" });

export const officeAnswer = z.object({
  data: z.array(operationRecord),
  total: z.int(),
  devices: z.array(deviceRecord),
});
export type OfficeAnswerMessage = z.infer<typeof officeAnswer>;

/**
 * What the office does with work that was refused: take it as done, or set it aside. Either way it stays as evidence.
 */
export const resolutionBody = z.strictObject({ action: z.enum(["accept", "dismiss"]), note: note.optional() });

import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import {
  DESK_CHARGE_KINDS,
  DESK_PAYMENT_METHODS,
  PHOTO_VIEWS,
  STAFF_CONFIRMATIONS,
  TRIP_OUTCOMES,
} from "#domain/check-in/codes.ts";
import { CHECK_IN_WARNING_CODES, OPERATION_FLAGS } from "#domain/check-in/operations.ts";
import { OUTCOME_CODES } from "#domain/check-in/outcome.ts";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { parseCountryCode } from "#domain/countries.ts";
import { cleanPastedText, isDocumentId, normalizeDocumentId, normalizeOrCleanEmail } from "#domain/identity.ts";
import {
  COMPLETION_FIELD_KINDS,
  COMPLETION_FIELDS,
  type CompletionFieldKind,
} from "#domain/ministry-reports/completion-fields.ts";
import { normalizeName, removeInvisibleCharacters, toPrintableLine, toPrintableLines } from "#domain/plain-text.ts";
import { problemCode, reasonParams } from "#worker/api/failure-messages.ts";
import { civilDateSchema, createRefineOptions, mapNamesToSchemas, textLineSchema } from "#worker/api/primitives.ts";

// Requests of the check-in app and the Worker's responses. No earlier client records field work, so the format is our
// own (docs/interfaces/check-in.md). The app imports its types from here.

const MAX_LIST_LENGTH = 100;
const OPERATION_KINDS = ["delivery", "collection", "exchange", "evidence", "correction"] as const;

/** Lower-case UUID. The app creates version 7, so that ids sort by time. */
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "must be a UUID in lower case");

/** SHA-256 of a file, which is its name. */
export const fileHashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256, 64 hexadecimal digits in lower case")
  .meta({ example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" });

/** A time by the device's clock. */
const moment = z.iso
  .datetime({ offset: true, error: "must be a moment, 2027-05-03T10:00:00.000Z" })
  .meta({ example: "2027-05-03T10:00:00.000Z" });

const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,3})?$/, "must be an amount, 120.00")
  .meta({ example: "120.00" });

/**
 * Creates the schema of text typed at a vehicle. An emoji must not reject the whole operation, so unsupported
 * characters are removed. The sent content is stored unchanged.
 */
function typedText(maxLength: number, toPlain = toPrintableLine) {
  return z
    .string("must be text")
    .refine((text) => text.trim() !== "", createRefineOptions("empty"))
    .transform((text) => toPlain(text) || undefined)
    .refine((text = "") => [...text].length <= maxLength, createRefineOptions("too_long", maxLength))
    .meta({ type: "string", minLength: 1, maxLength: maxLength });
}

// Identities are stored as at every other entry, but never rejected for their format.
const personName = typedText(100, (text) => normalizeName(removeInvisibleCharacters(toPrintableLine(text))));
const pastedText = (maxLength: number) => typedText(maxLength, (text) => cleanPastedText(toPrintableLine(text)));
const documentId = (maxLength: number) => typedText(maxLength, (text) => toDocumentId(toPrintableLine(text)));
// A placeholder counts as missing, so that the office asks for the number.
const toDocumentId = (text: string) => (isDocumentId(text) ? normalizeDocumentId(text) : "");

const note = typedText(2000);
const code = textLineSchema(50);
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Set for photos and damage of the vehicle that goes out in an exchange. */
const replacementTag = { vehicle: z.literal("replacement").optional() };

const photo = z.strictObject({
  hash: fileHashSchema,
  view: z.enum(PHOTO_VIEWS),
  taken_at: moment,
  ...replacementTag,
});

export const damageReportSchema = z.strictObject({
  damage_id: uuid,
  part: z.enum(VEHICLE_PARTS),
  kind: z.enum(DAMAGE_KINDS),
  severity: z.enum(DAMAGE_SEVERITIES),
  /** Position on the diagram, in thousandths of its width and height. */
  x: z.int().min(0).max(1000),
  y: z.int().min(0).max(1000),
  note: note.optional(),
  photos: z.array(fileHashSchema).max(MAX_LIST_LENGTH).default([]),
});

export const checkInChargeSchema = z.strictObject({
  charge_id: uuid,
  kind: z.enum(DESK_CHARGE_KINDS),
  amount: money,
  payment_method_id: z.enum(DESK_PAYMENT_METHODS),
  /** Reference of the card terminal. */
  external_operation_number: typedText(60).optional(),
  offline_physical_device_id: typedText(60).optional(),
});

/** Parking location and needs of a vehicle. An empty text clears the value. */
const vehicleCondition = z.strictObject({
  parking_place: z.string().trim().max(60).optional(),
  key_number: z.string().trim().max(30).optional(),
  needs_cleaning: z.boolean().optional(),
  needs_fuel: z.boolean().optional(),
});

/** Data of the driver's documents. Missing values stay unchanged. */
const driver = z.strictObject({
  name: personName.optional(),
  surname: personName.optional(),
  document_id: documentId(50).optional(),
  date_of_birth: civilDateSchema.optional(),
  driving_license_number: pastedText(50).optional(),
  driving_license_expiration_date: civilDateSchema.optional(),
});

const AUTHORITY_FIELD_SCHEMAS = {
  name: personName,
  number: documentId(100),
  phone: pastedText(100),
  email: typedText(100, (text) => normalizeOrCleanEmail(toPrintableLine(text))),
  text: typedText(100),
  municipality: pastedText(100),
  zip: pastedText(100),
  country: typedText(100, (text) => parseCountryCode(text) ?? cleanPastedText(toPrintableLine(text))),
  date: civilDateSchema,
} satisfies Readonly<Record<CompletionFieldKind, z.ZodType<string | undefined, string>>>;

// Only dates are validated, because data typed at a vehicle must not be rejected for its format.
const authorityFields = mapNamesToSchemas(
  COMPLETION_FIELDS,
  (name): z.ZodOptional<z.ZodType<string | undefined, string>> =>
    AUTHORITY_FIELD_SCHEMAS[COMPLETION_FIELD_KINDS[name]].optional(),
);

/** Data of persons for the authorities, named as in the day. */
const authorities = z.strictObject(authorityFields);

/** Pickup or drop-off of a transfer trip's customer. */
const trip = z.strictObject({ position: z.enum(["outward", "return"]), moment: z.enum(TRIP_OUTCOMES) });

/** Outgoing vehicle of an exchange with its readings. */
const exchange = z.strictObject({
  vehicle_reference: code,
  kilometres: z.int().min(0).max(9_999_999),
  fuel_eighths: z.int().min(0).max(99),
  /** Price of an upgrade for the customer. */
  upgrade_price: money.optional(),
});

const signature = z.strictObject({
  method: z.enum(["drawn", "typed", "absent"]),
  /** Name of the signer, or if the customer is absent, of the employee who confirms the contract. */
  name: typedText(120),
  signed_at: moment,
  /** Hash of the drawing's PNG. */
  hash: fileHashSchema.optional(),
  /** Hash of the contract shown above the signature. */
  contract_hash: z.string().max(64).optional(),
  /** If set, `contract_hash` is the SHA-256 of the signed text, which is sent as a file. */
  contract_language: z.enum(PLATFORM_LANGUAGES).optional(),
  absent_reason: note.optional(),
});

/** Higher than the sequence number that any device reaches. */
const MAX_SEQUENCE = 2 ** 40;

const deviceId = z.string().regex(/^[A-Za-z0-9-]{8,64}$/, "must have 8 to 64 letters, digits or hyphens");

export const deviceParams = z.object({ device_id: deviceId.meta({ example: "example-phone" }) });

/** A device's counts of operations that it hasn't sent to the server yet. */
export const deviceReportBody = z.strictObject({
  waiting: z.int().min(0).max(100_000),
  blocked: z.int().min(0).max(100_000),
  begun: z
    .array(
      z.strictObject({
        booking_id: id,
        kind: z.enum(OPERATION_KINDS),
        step: textLineSchema(30),
        at: moment,
      }),
    )
    .max(20),
  last_seq: z.int().min(0).max(MAX_SEQUENCE).optional(),
});
export type DeviceReportRequest = z.input<typeof deviceReportBody>;

export const deviceReportAnswer = z.object({
  device_id: z.string(),
  reported_at: z.string(),
  /**
   * Highest known sequence number of the device. If the device knows only a lower one, it was restored from a backup
   * and its report isn't stored.
   */
  last_seq: z.int(),
});

const sealNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Numbers of the encryption keys with which a device stores its pending operations. */
export const encryptionKeysBody = z.strictObject({ seals: z.array(sealNumber).max(100).default([]) });
export type EncryptionKeysRequest = z.input<typeof encryptionKeysBody>;

export const encryptionKeysAnswer = z.object({
  own: z.number(),
  data: z.array(z.object({ seal: z.number(), key: z.string() })),
});

/** An operation at a vehicle. */
export const checkInOperationSchema = z
  .strictObject({
    op_id: uuid,
    device_id: deviceId,
    /** Sequence number of the device from 1, which determines the order regardless of its clock. */
    seq: z.int().min(1).max(MAX_SEQUENCE),
    /**
     * `evidence`: photos and notes of a draft, or additional ones after the work. `correction`: of earlier records.
     * `exchange`: the current vehicle returns, with these readings and damage, and another goes out.
     */
    kind: z.enum(OPERATION_KINDS),
    booking_id: id,
    /** Unit of the booking (`resources[].resource_id` of the day). Required except for evidence. */
    resource_id: id.optional(),
    /** Version of the booking that the device had when the user worked. */
    base_version: z.int().min(1),
    /** User name of the author, if sent by another user. */
    author: textLineSchema(120).optional(),
    recorded_at: moment,
    /** Offset from the device's clock to the server's, by its last response. */
    clock_offset_ms: z
      .int()
      .min(-(10 ** 13))
      .max(10 ** 13)
      .default(0),
    vehicle_reference: code.optional(),
    kilometres: z.int().min(0).max(9_999_999).optional(),
    /** Eighths of the tank or battery. More than 8 is stored with a warning. */
    fuel_eighths: z.int().min(0).max(99).optional(),
    /** Whether the user confirmed improbable readings. */
    readings_confirmed: z.boolean().optional(),
    notes: typedText(2000, toPrintableLines).optional(),
    /** A manager's reason to deliver although blocking checks aren't met. */
    override_reason: typedText(500).optional(),
    /** For a collection, the return branch if it differs from the agreed one. */
    return_rental_location_code: code.optional(),
    standing: vehicleCondition.optional(),
    driver: driver.optional(),
    authorities: authorities.optional(),
    /** If set, the booking is a transfer and the kind is `evidence`. */
    trip: trip.optional(),
    exchange: exchange.optional(),
    /** Extras sold on site, in addition to booked ones. */
    extras: z
      .array(z.strictObject({ extra_code: code, quantity: z.int().min(1).max(999) }))
      .max(MAX_LIST_LENGTH)
      .default([]),
    damages: z.array(damageReportSchema.extend(replacementTag)).max(MAX_LIST_LENGTH).default([]),
    /** Charges of a collection for damage, cleaning and the like, by the extras' prices. */
    surcharges: z
      .array(
        z.strictObject({
          code: textLineSchema(30),
          quantity: z.int().min(1).max(999).default(1),
          amount: money.optional(),
          text: typedText(200).optional(),
          damage_id: uuid.optional(),
        }),
      )
      .max(20)
      .default([]),
    charges: z.array(checkInChargeSchema).max(20).default([]),
    checks: z.array(z.enum(STAFF_CONFIRMATIONS)).max(STAFF_CONFIRMATIONS.length).default([]),
    signature: signature.optional(),
    photos: z.array(photo).max(MAX_LIST_LENGTH).default([]),
    /** Photos marked as mistakes. They're never deleted. */
    removed_photos: z.array(fileHashSchema).max(MAX_LIST_LENGTH).default([]),
  })
  .meta({ id: "CheckInOperation" });

export type CheckInOperationMessage = z.input<typeof checkInOperationSchema>;

const severalOperations = z.strictObject({ operations: z.array(checkInOperationSchema).min(1).max(50) });

/**
 * One or several operations, each accepted or rejected separately. Parsed by kind, so that invalid fields are named.
 */
export const checkInOperationsBody = z
  .unknown()
  .transform((body, context) => {
    const isSeveral = typeof body === "object" && body !== null && "operations" in body;
    const read = (isSeveral ? severalOperations : checkInOperationSchema).safeParse(body);
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
  code: z.enum(CHECK_IN_WARNING_CODES),
  message: z.string(),
});

const fieldProblem = z.object({
  field: z.string(),
  message: z.string(),
  code: problemCode,
  params: reasonParams.optional(),
});

// Result of an operation.
const operationResult = z
  .object({
    op_id: z.string(),
    /**
     * `applied`: included in the booking. `held`: a collection before its delivery, waiting up to 24 hours. `conflict`:
     * stored as evidence for the office, booking unchanged. `rejected`: not stored, see `code` and `message`.
     */
    state: z.enum(["applied", "held", "conflict", "rejected"]),
    /** HTTP status that the operation alone would return: 200, 202, 409, or 4xx. */
    status: z.int(),
    code: z.enum(OUTCOME_CODES),
    message: z.string(),
    /** Refused fields of `invalid_input`. */
    detail: z.array(fieldProblem).optional(),
    booking_id: z.int(),
    booking_status: z.string().nullable(),
    /** New version of the booking. */
    version: z.int().nullable(),
    /**
     * parallel: others changed the booking since `base_version`. clock: the device's clock was off. late: held before
     * it was applied.
     */
    flags: z.array(z.enum(OPERATION_FLAGS)),
    warnings: z.array(warning),
    /** Hashes of the operation's files (photos, signature, contract) that haven't arrived yet. */
    missing_photos: z.array(z.string()),
    /** User who already recorded the same delivery or collection, and when. Null without one. */
    by: z.string().nullable(),
    at: z.string().nullable(),
    received_at: z.string(),
  })
  .meta({ id: "CheckInResult" });

export type OperationResultMessage = z.infer<typeof operationResult>;

export const operationResultsAnswer = z.object({ results: z.array(operationResult) });
export type OperationResultsMessage = z.infer<typeof operationResultsAnswer>;

/** A stored photo or signature, returned by its PUT. */
export const storedFileAnswer = z
  .object({
    hash: z.string(),
    bytes: z.int(),
    content_type: z.string(),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: "CheckInFile" });

/** A received operation as the office sees it, with its review. */
export const operationRecordSchema = z
  .object({
    op_id: z.string(),
    booking_id: z.int(),
    resource_id: z.int().nullable(),
    kind: z.string(),
    state: z.enum(["applied", "held", "conflict", "accepted", "dismissed"]),
    code: z.enum(OUTCOME_CODES),
    message: z.string(),
    flags: z.array(z.enum(OPERATION_FLAGS)),
    warnings: z.array(warning),
    /** User who already recorded the same delivery, collection or trip event, and when. Null without one. */
    by: z.string().nullable(),
    at: z.string().nullable(),
    author: z.string(),
    sent_by: z.string(),
    device_id: z.string(),
    seq: z.int(),
    /** Time when the work was done, by the device's corrected clock. */
    recorded_at: z.string(),
    received_at: z.string(),
    vehicle_reference: z.string().nullable(),
    customer_fullname: z.string(),
    rental_location_code: z.string(),
    /** Number of files that arrived, and in total. */
    files_arrived: z.int(),
    files_total: z.int(),
    operation: z
      .record(z.string(), z.unknown())
      .meta({ description: "The operation as it was sent: a CheckInOperation" }),
  })
  .meta({ id: "CheckInRecord" });

export type OperationRecordMessage = z.infer<typeof operationRecordSchema>;

export const bookingOperationsAnswer = z.object({ booking_id: z.int(), operations: z.array(operationRecordSchema) });
export type BookingOperationsMessage = z.output<typeof bookingOperationsAnswer>;

// A device of the app, with the number of operations that it created and that haven't arrived.
const deviceRecord = z
  .object({
    device_id: z.string(),
    user: z.string(),
    last_seq: z.int(),
    received: z.int(),
    missing: z.int(),
    /** Operations received with an already used number, because the device was restored from a backup or copied. */
    repeated: z.int(),
    last_seen_at: z.string(),
    /** Time of the device's last report, null without one. The following fields are from this report. */
    reported_at: z.string().nullable(),
    /** Finished operations that the server hasn't received yet. */
    waiting: z.int(),
    /** Waiting operations that need attention. */
    blocked: z.int(),
    /** Operations that a user has begun but not finished. */
    begun: z.array(z.object({ booking_id: z.int(), kind: z.string(), step: z.string(), at: z.string() })),
  })
  .meta({ id: "CheckInDevice" });

export const officeOperationsAnswer = z.object({
  data: z.array(operationRecordSchema),
  total: z.int(),
  devices: z.array(deviceRecord),
});
export type OfficeOperationsMessage = z.infer<typeof officeOperationsAnswer>;

/**
 * The office's decision about a rejected operation: accept or dismiss. The operation stays stored as evidence in both
 * cases.
 */
export const operationResolutionBody = z.strictObject({ action: z.enum(["accept", "dismiss"]), note: note.optional() });
export type OperationResolutionRequest = z.input<typeof operationResolutionBody>;

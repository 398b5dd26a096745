import { z } from "zod";
import {
  COMPLETION_FIELD_KINDS,
  COMPLETION_FIELDS,
  type CompletionFieldKind,
  type ReportCompletion,
} from "#domain/ministry-reports/completion-fields.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import {
  birthDate,
  civilDateSchema,
  countryCode,
  documentNumber,
  emailAddressSchema,
  integerTextSchema,
  mapNamesToSchemas,
  pastedCodeSchema,
  personName,
  phoneNumber,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { idCursorField } from "./cursor-messages.ts";

const STORED_STATES = ["waiting", "dry", "sent", "accepted", "refused", "annulling", "annulled"] as const;
const STATES = ["not_due", "from_before", "missing_data", "due", "by_hand", ...STORED_STATES] as const;

const ministryReport = z
  .object({
    id: z.int().nullable().meta({ description: "Id of the report. Null before it is made" }),
    kind: z.enum(["RV", "AV"]).meta({ description: "RV for the reservation, AV for each vehicle that went out" }),
    unit_id: z.int().nullable(),
    vehicle_number: z.int().meta({ description: "Vehicle of the unit, from 1. Each exchange adds one" }),
    plate: z.string().nullable().meta({ description: "Plate of the reported vehicle" }),
    part: z.int().meta({ description: "Part of the report, from 1, for further additional drivers" }),
    state: z.enum(STATES).meta({
      description:
        "by_hand: reported manually. from_before: made before reporting was enabled, reported after a change",
    }),
    register: z.string().nullable().meta({ description: "Register of a manual report" }),
    missing: z.array(z.string()).meta({ description: "Fields to ask for before the delivery" }),
    wished: z.array(z.string()).meta({ description: "Optional fields that the law also lists" }),
    shortened: z.array(z.string()).meta({
      description:
        "Fields whose text exceeds the ministry's limit. The report has their start, or the usual licence type",
    }),
    province: z
      .string()
      .nullable()
      .meta({ description: "Province of the customer's postcode, to choose its municipality" }),
    xml: z.string().nullable().meta({ description: "Message to the ministry. Null if data is missing" }),
    code: z.string().nullable().meta({ description: "The ministry's code of the report, once accepted" }),
    error: z.string().nullable().meta({ description: "Error from the ministry. to_annul_by_hand: cancel it manually" }),
  })
  .meta({ id: "MinistryReport" });

export const ministryReportList = z.array(ministryReport);
export type MinistryReportsMessage = z.output<typeof ministryReportList>;
export const connectionTestAnswer = z.object({ works: z.boolean(), problem: z.string().nullable() });
export type ConnectionTestMessage = z.output<typeof connectionTestAnswer>;

const FIELD_SCHEMAS = {
  name: personName(50),
  number: documentNumber(25),
  phone: phoneNumber(20),
  email: emailAddressSchema(),
  text: textLineSchema(60),
  municipality: z.string("must be text").regex(/^\d{5}$/, "must be the five digits of the municipality"),
  zip: pastedCodeSchema(10),
  country: countryCode,
  date: civilDateSchema,
} satisfies Readonly<Record<CompletionFieldKind, z.ZodType<string, string>>>;

const completionFields = mapNamesToSchemas(
  COMPLETION_FIELDS,
  (name): z.ZodOptional<z.ZodType<string, string>> =>
    (name === "driver_date_of_birth" ? birthDate : FIELD_SCHEMAS[COMPLETION_FIELD_KINDS[name]]).optional(),
);

/** Personal data of a reservation's customer and drivers. Members use the same names as `missing`. */
export const ministryReportCompletionBody = z
  .strictObject({ expected_version: z.int("must be a whole number").min(1), ...completionFields })
  .meta({ id: "MinistryReportCompletion" });
export type MissingReportDataRequest = z.input<typeof ministryReportCompletionBody>;

export function toMinistryReportCompletion(body: z.output<typeof ministryReportCompletionBody>) {
  const { expected_version: expectedVersion, ...rest } = body;
  const definedEntries = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { expectedVersion, completion: Object.fromEntries(definedEntries) as ReportCompletion };
}

interface MinistryReport {
  readonly kind: "RV" | "AV";
  readonly unitId: number | null;
  readonly vehicleNumber: number;
  readonly plate: string | undefined;
  readonly part: number;
  readonly isDue: boolean;
  readonly isOlderThanReporting: boolean;
  readonly missing: readonly string[];
  readonly optional: readonly string[];
  readonly shortened: readonly string[];
  readonly province: string | undefined;
  readonly manualRegister: string | undefined;
  readonly xml: string | undefined;
  readonly storedReport:
    | {
        readonly id: number;
        readonly state: string;
        readonly xml: string;
        readonly code: string | null;
        readonly error: string | null;
      }
    | undefined;
}

export function toMinistryReportsMessage(
  ministryReports: readonly MinistryReport[],
): z.output<typeof ministryReportList> {
  return ministryReports.map((ministryReport) => ({
    id: ministryReport.storedReport?.id ?? null,
    kind: ministryReport.kind,
    unit_id: ministryReport.unitId,
    vehicle_number: ministryReport.vehicleNumber,
    plate: ministryReport.plate ?? null,
    part: ministryReport.part,
    state:
      STATES.find((state) => state === ministryReport.storedReport?.state) ?? getMinistryReportState(ministryReport),
    register: ministryReport.manualRegister ?? null,
    missing: [...ministryReport.missing],
    wished: [...ministryReport.optional],
    shortened: [...ministryReport.shortened],
    province: ministryReport.province ?? null,
    xml: ministryReport.storedReport?.xml ?? ministryReport.xml ?? null,
    code: ministryReport.storedReport?.code ?? null,
    error: ministryReport.storedReport?.error ?? null,
  }));
}

function getMinistryReportState({
  isDue,
  isOlderThanReporting,
  missing,
  manualRegister,
}: MinistryReport): (typeof STATES)[number] {
  if (!isDue) return "not_due";
  if (isOlderThanReporting) return "from_before";
  if (manualRegister !== undefined) return "by_hand";
  return missing.length > 0 ? "missing_data" : "due";
}

export const ministryReportsQuery = z.object({
  state: z.enum(STORED_STATES, `must be one of ${STORED_STATES.join(", ")}`).optional(),
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});

const listed = z
  .object({
    id: z.int(),
    reservation_id: z.int(),
    customer: z.string(),
    rental_location_code: z.string(),
    kind: z.enum(["RV", "AV"]),
    state: z.enum(STORED_STATES),
    code: z.string().nullable(),
    error: z.string().nullable().meta({ description: "Error from the ministry. to_annul_by_hand: cancel it manually" }),
    can_be_sent_again: z
      .boolean()
      .meta({ description: "Whether it can be sent again: refused, and the reservation is not cancelled" }),
    attempts: z.int(),
    created_at: timestampTextSchema,
    answered_at: timestampTextSchema.nullable(),
  })
  .meta({ id: "ListedMinistryReport" });

export const ministryReportPage = z.object({
  data: z.array(listed),
  total: z.int(),
  next: z.string().nullable(),
  counts: z.record(z.string(), z.int()).meta({ description: "How many there are of each state" }),
  mode: z.enum(["none", "dry_run", "ses"]).meta({ description: "Whether what is rented now is reported at all" }),
});
export type MinistryReportPageMessage = z.output<typeof ministryReportPage>;

interface MinistryReportListRow {
  readonly id: number;
  readonly bookingId: number;
  readonly customer: string;
  readonly branchCode: string;
  readonly kind: "RV" | "AV";
  readonly state: (typeof STORED_STATES)[number];
  readonly code: string | null;
  readonly error: string | null;
  readonly isToSendAgain: boolean;
  readonly attempts: number;
  readonly createdAt: number;
  readonly answeredAt: number | null;
}

/** Converts a report of the list. */
export function toListedMinistryReportMessage(
  row: MinistryReportListRow,
  messageFormat: MessageFormat,
): z.output<typeof listed> {
  return {
    id: row.id,
    reservation_id: row.bookingId,
    customer: row.customer,
    rental_location_code: row.branchCode,
    kind: row.kind,
    state: row.state,
    code: row.code,
    error: row.error,
    can_be_sent_again: row.isToSendAgain,
    attempts: row.attempts,
    created_at: messageFormat.timestamp(row.createdAt),
    answered_at: row.answeredAt === null ? null : messageFormat.timestamp(row.answeredAt),
  };
}

export function toMinistryReportPageMessage(
  page: {
    readonly rows: readonly MinistryReportListRow[];
    readonly total: number;
    readonly next: number | undefined;
    readonly counts: Readonly<Record<string, number>>;
    readonly mode: "none" | "dry_run" | "ses";
  },
  messageFormat: MessageFormat,
): z.output<typeof ministryReportPage> {
  return {
    data: page.rows.map((row) => toListedMinistryReportMessage(row, messageFormat)),
    total: page.total,
    next: page.next === undefined ? null : String(page.next),
    counts: { ...page.counts },
    mode: page.mode,
  };
}

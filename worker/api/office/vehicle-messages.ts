import { z } from "zod";
import { BOOKING_STATUSES, type BookingStatus } from "#domain/bookings/bookings.ts";
import type { SoldDay } from "#domain/catalogue/planning.ts";
import { VEHICLE_STATES, type VehicleState } from "#domain/catalogue/vehicle-states.ts";
import { type CivilMinute, formatCivilMinute, parseCivilDate, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { parseAmount } from "#domain/money.ts";
import { acrissFields } from "#worker/api/acriss-messages.ts";
import { type MessageFormat, nullableText } from "#worker/api/integration/messages.ts";
import { integrationVehicleSchema, toIntegrationVehicleMessage } from "#worker/api/integration/vehicle-messages.ts";
import {
  civilDateSchema,
  createCrossFieldRuleOptions,
  createRefineOptions,
  integerTextSchema,
  MAX_ID,
  pastedCodeSchema,
  searchedTextSchema,
  textLineSchema,
} from "#worker/api/primitives.ts";
import type { VehicleForIntegration } from "#worker/usecases/reporting/read-models.ts";
import { createSingleValueCursorParser, parseCursorText } from "./cursor-messages.ts";
import { officeFailureAnswer } from "./failure-messages.ts";
import { totalIsExactSchema } from "./list-messages.ts";
import { amountText } from "./request-messages.ts";
import { reservationHistoryEntrySchema, toHistoryEntryMessage } from "./reservation-messages.ts";
import { checkCursorMatchesSort, createSortedCursorField, createSortFields } from "./sort-messages.ts";

const REASONS = ["workshop", "transfer", "other"] as const;
const FUELS = ["none", "petrol", "diesel", "electric", "hybrid"] as const;
const ACQUISITIONS = ["purchase", "renting", "rented", "supplier", "virtual"] as const;

/** Vehicle fields that both the office and partners see. Fields not listed here are only for partners. */
const listedVehicleFields = integrationVehicleSchema.pick({
  reference: true,
  object: true,
  name: true,
  category_code: true,
  acriss_code: true,
  rental_storage_id: true,
  owner_rental_storage_id: true,
  rental_location_code: true,
  stock_brand: true,
  stock_model: true,
  stock_plate: true,
  stock_reference: true,
  stock_color: true,
  characteristic_1: true,
  characteristic_2: true,
  characteristic_3: true,
  characteristic_4: true,
  purchasable_acquisition_mode: true,
  purchasable_adquisition_date: true, // sic
  purchasable_sold_release_date: true,
  purchasable_purchase_price: true,
  purchasable_purchase_units: true,
  purchasable_sale_price: true,
  purchasable_renting_monthly_fee: true,
  purchasable_insurance_monthly_fee: true,
  purchasable_renting_duration: true,
  usage_units: true,
  usage_available_fuel: true,
  fuel: true,
  tank_capacity: true,
  active: true,
  assignable: true,
  creation_date: true,
  last_update: true,
});

const listed = listedVehicleFields.extend({
  version: z.int(),
  is_out: z.boolean().meta({ description: "Whether a customer has it" }),
  state: z
    .enum(VEHICLE_STATES)
    .meta({ description: "Current state: with a customer (`out`), not in the fleet any more, blocked, or free" }),
  parking_place: nullableText.meta({ description: "Parking place, until the next delivery" }),
  key_number: nullableText,
  needs_cleaning: z.boolean(),
  needs_fuel: z.boolean(),
  stock_vin: nullableText.meta({ description: "Chassis number (VIN). Null if unknown" }),
  own_property: z.boolean(),
  inspection_due: z.string().nullable().meta({ description: "Last day of the inspection" }),
  insured_until: z.string().nullable(),
  service_due: z.string().nullable(),
  service_due_units: z
    .int()
    .nullable()
    .meta({ description: "Kilometres, or hours, at which the next service is due. Null if none is planned" }),
});
const listedVehicle = listed.meta({ id: "ListedVehicle" });

/** Local time in the account's time zone. A date alone means its midnight. */
const localTime = z.string().meta({ example: "2030-06-10T10:00" });

/** Block of a vehicle, as in answers. */
export const listedBlockSchema = z
  .object({
    id: z.int(),
    reference: z.string(),
    from: localTime,
    to: localTime,
    reason: z.string(),
    note: z.string(),
    version: z.int(),
  })
  .meta({ id: "Block" });

const damage = z.object({
  id: z.int(),
  part: z.string(),
  kind: z.string(),
  severity: z.string(),
  note: nullableText,
  since: z.string(),
  booking_id: z.int().nullable(),
});

const officeVehicle = listed
  .extend({ blocks: z.array(listedBlockSchema), damages: z.array(damage) })
  .meta({ id: "OfficeVehicle" });

export const vehicleAnswer = z
  .object({ vehicle: officeVehicle, history: z.array(reservationHistoryEntrySchema) })
  .meta({
    id: "VehicleWithHistory",
  });
export type VehicleDetailMessage = z.output<typeof vehicleAnswer>;
export const vehicleBlockAnswer = z.object({ block: listedBlockSchema });
export type VehicleBlockMessage = z.output<typeof vehicleBlockAnswer>;
export const vehicleList = z.object({
  data: z.array(listedVehicle),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type VehicleListMessage = z.output<typeof vehicleList>;
export const vehicleConflictAnswer = officeFailureAnswer
  .extend(vehicleAnswer.partial().shape)
  .meta({ id: "VehicleConflict" });
export const vehicleBlockConflictAnswer = officeFailureAnswer
  .extend(vehicleBlockAnswer.partial().shape)
  .meta({ id: "BlockConflict" });

type ListedRow = VehicleForIntegration & { readonly isOut: number; readonly state: VehicleState };

export function toListedVehicleMessage(row: ListedRow, messageFormat: MessageFormat): z.output<typeof listedVehicle> {
  const { version, isOut, state, parkingPlace, keyNumber, needsCleaning, needsFuel } = row;
  const { inspectionDue, insuredUntil, serviceDue, serviceDueUnits } = row;
  return {
    ...listedVehicleFields.parse(toIntegrationVehicleMessage(row, messageFormat)),
    ...{ version, is_out: isOut === 1, state },
    ...{ parking_place: parkingPlace, key_number: keyNumber, needs_cleaning: needsCleaning, needs_fuel: needsFuel },
    ...{
      stock_vin: row.vin,
      own_property: row.ownProperty,
      inspection_due: inspectionDue,
      insured_until: insuredUntil,
    },
    ...{ service_due: serviceDue, service_due_units: serviceDueUnits },
  };
}

interface StoredBlock {
  readonly id: number;
  readonly vehicleReference: string;
  readonly kind: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly reason: string;
  readonly version: number;
}

export function toVehicleBlockMessage(row: StoredBlock): z.output<typeof listedBlockSchema> {
  return {
    id: row.id,
    reference: row.vehicleReference,
    from: formatCivilMinute(row.startsAt),
    to: formatCivilMinute(row.endsAt),
    reason: row.kind,
    note: row.reason,
    version: row.version,
  };
}

interface StoredVehicle {
  readonly vehicle: ListedRow;
  readonly blocks: readonly StoredBlock[];
  readonly damages: readonly {
    readonly id: number;
    readonly part: string;
    readonly kind: string;
    readonly severity: string;
    readonly note: string | null;
    readonly since: string;
    readonly bookingId: number | null;
  }[];
  readonly history: readonly Parameters<typeof toHistoryEntryMessage>[0][];
}

export function toOfficeVehicleMessage(
  storedVehicle: StoredVehicle,
  messageFormat: MessageFormat,
): z.output<typeof vehicleAnswer> {
  return {
    vehicle: {
      ...toListedVehicleMessage(storedVehicle.vehicle, messageFormat),
      blocks: storedVehicle.blocks.map(toVehicleBlockMessage),
      damages: storedVehicle.damages.map(({ id, part, kind, severity, note, since, bookingId }) => ({
        id,
        part,
        kind,
        severity,
        note,
        since,
        booking_id: bookingId,
      })),
    },
    history: storedVehicle.history.map((entry) => toHistoryEntryMessage(entry, messageFormat)),
  };
}

const at = z
  .string("must be a time of the account's clock, yyyy-mm-ddThh:mm")
  .refine((value) => parseLocalTime(value) !== undefined, createRefineOptions("moment"))
  .transform((value) => parseLocalTime(value) ?? 0)
  .meta({ type: "string", example: "2030-06-10T10:00" });

function parseLocalTime(value: string): CivilMinute | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::00(?:\.0+)?)?)?$/.exec(value);
  const date = match?.[1] && parseCivilDate(match[1]);
  const time = parseTimeText(match?.[2] ?? "00:00");
  return date && time ? toCivilMinute(date, time) : undefined;
}

export const vehicleRenterQuery = z.object({ at: at.optional() });

export const vehicleRenterAnswer = z.object({
  data: z.array(
    z
      .object({
        reservation_id: z.int(),
        rental_location_code: z.string(),
        customer_fullname: z.string(),
        driver_fullname: nullableText.meta({ description: "Driver, if known" }),
        out: z.string().meta({ description: "When it went out" }),
        back: z.string().nullable().meta({ description: "When it came back. Null if it is still out" }),
      })
      .meta({ id: "VehicleRenter" }),
  ),
});
export type VehicleRenterMessage = z.output<typeof vehicleRenterAnswer>;

interface StoredVehicleRenter {
  readonly bookingId: number;
  readonly branchCode: string;
  readonly customerFullName: string;
  readonly driverFullName: string;
  readonly outAt: number;
  readonly backAt: number | null;
}

export function toVehicleRenterMessage(
  uses: readonly StoredVehicleRenter[],
  messageFormat: MessageFormat,
): z.output<typeof vehicleRenterAnswer> {
  return {
    data: uses.map((use) => ({
      reservation_id: use.bookingId,
      rental_location_code: use.branchCode,
      customer_fullname: use.customerFullName,
      driver_fullname: use.driverFullName || null,
      out: messageFormat.timestamp(use.outAt),
      back: use.backAt === null ? null : messageFormat.timestamp(use.backAt),
    })),
  };
}

const reason = z.enum(REASONS, `must be one of ${REASONS.join(", ")}`);
const note = z.string("must be text").max(500, "must have at most 500 characters");

export const vehicleBlockBody = z
  .strictObject({ from: at, to: at, reason: reason.default("other"), note: note.default("") })
  .refine(({ from, to }) => to > from, {
    ...createRefineOptions("later", "from"),
    ...createCrossFieldRuleOptions(["to", "from"]),
  });
export type VehicleBlockRequest = z.input<typeof vehicleBlockBody>;

const expectedVersion = z
  .int("must be the version that this was decided on")
  .min(1, "must be at least 1")
  .meta({ description: "Version that was read. 409 changed_meanwhile if outdated" });

export const vehicleBlockChangeBody = z.strictObject({
  expected_version: expectedVersion,
  from: at.optional(),
  to: at.optional(),
  reason: reason.optional(),
  note: note.optional(),
});
export type VehicleBlockChangeRequest = z.input<typeof vehicleBlockChangeBody>;

/** Converts the fields of a block. */
export function toVehicleBlockFields(body: Omit<z.output<typeof vehicleBlockChangeBody>, "expected_version">) {
  return {
    ...(body.from !== undefined && { startsAt: body.from }),
    ...(body.to !== undefined && { endsAt: body.to }),
    ...(body.reason !== undefined && { kind: body.reason }),
    ...(body.note !== undefined && { note: body.note }),
  };
}

const line = textLineSchema(100);
const units = z.int("must be a whole number").min(0, "must be at least 0").max(9_999_999, "must be at most 9999999");
const vehicleDetailFields = {
  name: line,
  category_code: textLineSchema(30),
  rental_location_code: textLineSchema(30).meta({ description: "Current branch" }),
  stock_brand: line.nullish(),
  stock_model: line.nullish(),
  stock_plate: pastedCodeSchema(20).nullish(),
  stock_reference: line.nullish(),
  stock_color: line.nullish(),
  stock_vin: pastedCodeSchema(17).nullish().meta({ description: "The chassis number: SES.HOSPEDAJES wants it" }),
  characteristic_1: line.nullish(),
  characteristic_2: line.nullish(),
  characteristic_3: line.nullish(),
  characteristic_4: line.nullish(),
  fuel: z.enum(FUELS, `must be one of ${FUELS.join(", ")}`).optional(),
  usage_units: units.optional(),
  tank_capacity: z
    .string()
    .refine((value) => parseAmount(value, 2) !== undefined, createRefineOptions("number"))
    .nullish(),
  own_property: z.boolean("must be true or false").optional(),
  purchasable_acquisition_mode: z.enum(ACQUISITIONS, `must be one of ${ACQUISITIONS.join(", ")}`).optional(),
  purchasable_adquisition_date: civilDateSchema.nullish(), // sic
  purchasable_purchase_price: amountText.nullish(),
  purchasable_purchase_units: units.nullish(),
  purchasable_sale_price: amountText.nullish(),
  purchasable_renting_monthly_fee: amountText.nullish(),
  purchasable_insurance_monthly_fee: amountText.nullish(),
  purchasable_renting_duration: z
    .int("must be a whole number of months")
    .min(0, "must be at least 0")
    .max(600, "must be at most 600")
    .nullish(),
  inspection_due: civilDateSchema.nullish().meta({ description: "Last day of the inspection" }),
  insured_until: civilDateSchema.nullish(),
  service_due: civilDateSchema.nullish(),
  service_due_units: units
    .nullish()
    .meta({ description: "Kilometres, or hours, at which the next service is due. Null if none is planned" }),
  parking_place: textLineSchema(60).nullish(),
  key_number: textLineSchema(30).nullish(),
  needs_cleaning: z.boolean("must be true or false").optional(),
  needs_fuel: z.boolean("must be true or false").optional(),
  active: z.boolean("must be true or false").optional(),
  assignable: z.boolean("must be true or false").optional(),
};

export const vehicleCreationBody = z.strictObject({ reference: textLineSchema(50), ...vehicleDetailFields });
export type VehicleCreationRequest = z.input<typeof vehicleCreationBody>;
export const vehicleChangeBody = z.strictObject({
  expected_version: expectedVersion,
  ...vehicleDetailFields,
  name: vehicleDetailFields.name.optional(),
  category_code: vehicleDetailFields.category_code.optional(),
  rental_location_code: vehicleDetailFields.rental_location_code.optional(),
});
export type VehicleChangeRequest = z.input<typeof vehicleChangeBody>;

const COLUMNS = {
  name: "name",
  category_code: "categoryCode",
  rental_location_code: "branchCode",
  stock_brand: "brand",
  stock_model: "model",
  stock_plate: "plate",
  stock_reference: "alias",
  stock_color: "color",
  stock_vin: "vin",
  characteristic_1: "characteristic1",
  characteristic_2: "characteristic2",
  characteristic_3: "characteristic3",
  characteristic_4: "characteristic4",
  fuel: "fuel",
  usage_units: "usageUnits",
  own_property: "ownProperty",
  purchasable_acquisition_mode: "acquisitionMode",
  purchasable_adquisition_date: "acquisitionDate",
  purchasable_purchase_units: "purchaseUnits",
  purchasable_renting_duration: "rentingDuration",
  inspection_due: "inspectionDue",
  insured_until: "insuredUntil",
  service_due: "serviceDue",
  service_due_units: "serviceDueUnits",
  parking_place: "parkingPlace",
  key_number: "keyNumber",
  needs_cleaning: "needsCleaning",
  needs_fuel: "needsFuel",
  active: "active",
  assignable: "assignable",
} as const;

const AMOUNTS = {
  purchasable_purchase_price: "purchasePriceCents",
  purchasable_sale_price: "salePriceCents",
  purchasable_renting_monthly_fee: "rentingMonthlyFeeCents",
  purchasable_insurance_monthly_fee: "insuranceMonthlyFeeCents",
} as const;
type AmountField = keyof typeof AMOUNTS;

type VehicleChangeInput = Partial<Omit<z.output<typeof vehicleChangeBody>, "expected_version">>;

type VehicleChange = Readonly<Record<string, string | number | boolean | null>>;

/** Converts the vehicle fields to their internal names, or returns the first amount with excessive precision. */
export function toVehicleChange(
  body: VehicleChangeInput,
  decimals: number,
): { readonly change: VehicleChange } | { readonly field: AmountField } {
  const field = findTooFine(body, decimals);
  if (field) return { field };
  const changedColumns = Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = body[name as keyof typeof COLUMNS];
    return value === undefined ? [] : [[column, value] as const];
  });
  const amounts = Object.entries({ ...AMOUNTS, tank_capacity: "tankCapacityHundredths" }).flatMap(([name, column]) => {
    const value = body[name as AmountField | "tank_capacity"];
    const places = name === "tank_capacity" ? 2 : decimals;
    return value === undefined ? [] : [[column, value && (parseAmount(value, places) ?? null)] as const];
  });
  return { change: Object.fromEntries([...changedColumns, ...amounts]) };
}

function findTooFine(body: VehicleChangeInput, decimals: number): AmountField | undefined {
  return (Object.keys(AMOUNTS) as AmountField[]).find(
    (field) => body[field] && parseAmount(body[field], decimals) === undefined,
  );
}

export const vehicleRelocationBody = z.strictObject({
  rental_location_code: textLineSchema(30),
  at: at.meta({ description: "From when on the group of that branch counts on it" }),
});
export type VehicleRelocationRequest = z.input<typeof vehicleRelocationBody>;

export const vehicleRetirementBody = z.strictObject({
  expected_version: expectedVersion,
  date: civilDateSchema.nullish().meta({
    description: "Retirement date, today by default. null: not retired",
  }),
});
export type VehicleRetirementRequest = z.input<typeof vehicleRetirementBody>;

export const vehicleParams = z.object({ reference: textLineSchema(50).meta({ example: "ECON-901" }) });
export const blockParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });
export const damageParams = vehicleParams.extend(blockParams.shape);

const flag = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");

/** Filters of the list of vehicles and of its table. */
export const vehicleFilters = z.object({
  q: searchedTextSchema(60).optional(),
  category_code: textLineSchema(30).meta({ example: "ECON" }).optional(),
  rental_location_code: textLineSchema(30).meta({ example: "PMI" }).optional(),
  rental_storage_id: integerTextSchema(MAX_ID).optional(),
  active: flag.optional(),
  state: z.enum(VEHICLE_STATES, `must be one of ${VEHICLE_STATES.join(", ")}`).optional(),
  ...createSortFields("vehicles"),
});
export const vehiclesQuery = vehicleFilters
  .extend({
    page_size: integerTextSchema(200, 1).default(50),
    after: createSortedCursorField(createSingleValueCursorParser(parseCursorText), parseCursorText).optional(),
  })
  .superRefine(checkCursorMatchesSort);

const MAX_PLANNING_DAYS = 92;

export const officePlanningQuery = z.object({
  date_from: civilDateSchema,
  days: integerTextSchema(MAX_PLANNING_DAYS, 1).default(31),
  rental_storage_id: integerTextSchema(MAX_ID).meta({ type: "integer", example: 1 }).optional(),
  rental_location_code: textLineSchema(30).optional(),
  category_code: textLineSchema(30).optional(),
});

const plannedContract = z.object({
  id: z.int(),
  version: z.int(),
  status: z.enum(BOOKING_STATUSES),
  unit_id: z.int(),
  date_from: z.string(),
  time_from: z.string(),
  date_to: z.string(),
  time_to: z.string(),
  customer_fullname: z.string(),
  rental_location_code: z.string(),
  return_rental_location_code: z.string(),
  from: z.string().meta({
    description: "Start of the use, as agreed or as it was, in the company's time zone",
  }),
  to: z.string(),
});

const planningShape = {
  date_from: z.string(),
  days: z.int(),
  vehicles: z.array(
    z.object({
      reference: z.string(),
      name: z.string(),
      stock_plate: nullableText,
      category_code: z.string(),
      ...acrissFields,
      rental_location_code: z.string(),
      out: z
        .object({
          reservation_id: z.int(),
          customer_fullname: z.string().nullable(),
          date_to: z.string(),
          time_to: z.string(),
        })
        .nullable()
        .meta({ description: "The contract that it is out with now" }),
      inspection_due: nullableText.meta({ description: "Last day of the inspection. Null if unknown" }),
      insured_until: nullableText.meta({ description: "Last day of the insurance. Null if unknown" }),
      needs_cleaning: z.boolean(),
      needs_fuel: z.boolean(),
      contracts: z.array(plannedContract),
      exchanged: z.array(plannedContract).meta({ description: "Contracts for which it was exchanged" }),
      blocks: z.array(listedBlockSchema),
    }),
  ),
  unassigned: z.array(z.object({ category_code: z.string(), ...acrissFields, contracts: z.array(plannedContract) })),
  sold: z.array(z.object({ category_code: z.string(), date: z.string(), sold: z.int(), stock: z.int() })),
};
export const planningAnswer = z.object(planningShape).meta({ id: "Planning" });
export type PlanningMessage = z.output<typeof planningAnswer>;

interface PlannedContractRow {
  readonly id: number;
  readonly version: number;
  readonly status: BookingStatus;
  readonly unitId: number;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly customer: string;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly span: { readonly startsAt: CivilMinute; readonly endsAt: CivilMinute };
}

interface PlanningData {
  readonly vehicles: readonly {
    readonly reference: string;
    readonly name: string;
    readonly plate: string | null;
    readonly categoryCode: string;
    readonly branchCode: string;
    readonly inspectionDue: string | null;
    readonly insuredUntil: string | null;
    readonly needsCleaning: 0 | 1;
    readonly needsFuel: 0 | 1;
    readonly out: {
      readonly id: number;
      readonly customer: string | null;
      readonly dateTo: string;
      readonly timeTo: string;
    } | null;
  }[];
  readonly contracts: readonly (PlannedContractRow & {
    readonly reference: string | null;
    readonly categoryCode: string;
  })[];
  readonly exchanged: readonly (PlannedContractRow & { readonly reference: string })[];
  readonly blocks: readonly (Omit<StoredBlock, "vehicleReference"> & { readonly reference: string })[];
  readonly days: readonly SoldDay[];
}

/** Converts the planning board of vehicles by day. */
export function toPlanningMessage(
  planning: PlanningData,
  { date_from, days }: { readonly date_from: string; readonly days: number },
  { acriss: getAcriss }: MessageFormat,
): z.output<typeof planningAnswer> {
  const contracts = Map.groupBy(planning.contracts, ({ reference }) => reference ?? "");
  const exchanged = Map.groupBy(planning.exchanged, ({ reference }) => reference);
  const blocks = Map.groupBy(planning.blocks, ({ reference }) => reference);
  const unassigned = Map.groupBy(contracts.get("") ?? [], ({ categoryCode }) => categoryCode);
  return {
    date_from,
    days,
    vehicles: planning.vehicles.map(({ reference, name, plate, categoryCode, branchCode, out, ...until }) => ({
      reference,
      name,
      stock_plate: plate,
      category_code: categoryCode,
      ...getAcriss(categoryCode),
      rental_location_code: branchCode,
      out: out && {
        reservation_id: out.id,
        customer_fullname: out.customer,
        date_to: out.dateTo,
        time_to: out.timeTo,
      },
      inspection_due: until.inspectionDue,
      insured_until: until.insuredUntil,
      needs_cleaning: until.needsCleaning === 1,
      needs_fuel: until.needsFuel === 1,
      contracts: (contracts.get(reference) ?? []).map(toPlannedContractMessage),
      exchanged: (exchanged.get(reference) ?? []).map(toPlannedContractMessage),
      blocks: (blocks.get(reference) ?? []).map((item) =>
        toVehicleBlockMessage({ ...item, vehicleReference: reference }),
      ),
    })),
    unassigned: [...unassigned].map(([category_code, of]) => ({
      category_code,
      ...getAcriss(category_code),
      contracts: of.map(toPlannedContractMessage),
    })),
    sold: planning.days.map(({ categoryCode, date, soldUnits, stock }) => ({
      category_code: categoryCode,
      date,
      sold: soldUnits,
      stock,
    })),
  };
}

function toPlannedContractMessage(keptPlannedContract: PlannedContractRow): z.output<typeof plannedContract> {
  return {
    id: keptPlannedContract.id,
    version: keptPlannedContract.version,
    status: keptPlannedContract.status,
    unit_id: keptPlannedContract.unitId,
    date_from: keptPlannedContract.dateFrom,
    time_from: keptPlannedContract.timeFrom,
    date_to: keptPlannedContract.dateTo,
    time_to: keptPlannedContract.timeTo,
    customer_fullname: keptPlannedContract.customer,
    rental_location_code: keptPlannedContract.branchCode,
    return_rental_location_code: keptPlannedContract.returnBranchCode,
    from: formatCivilMinute(keptPlannedContract.span.startsAt),
    to: formatCivilMinute(keptPlannedContract.span.endsAt),
  };
}

/** Converts a query to the filter of vehicles. */
export function toVehicleFilter(query: Omit<z.output<typeof vehicleFilters>, "sort">) {
  return {
    text: query.q,
    categoryCode: query.category_code,
    branchCode: query.rental_location_code,
    branchGroupId: query.rental_storage_id,
    active: query.active,
    state: query.state ?? query.view,
  };
}

import { formatFlightNumber } from "#domain/bookings/contract-data.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  type CheckInDay,
  type CheckInDayBooking,
  type CheckInDayUnit,
  getListedVehicleState,
  getPendingDeposit,
  type HandOverReading,
  type ListedVehicle,
  listVehiclesForOpenDeliveries,
} from "#domain/check-in/day.ts";
import { type CivilMinute, formatCivilMinute } from "#domain/dates.ts";
import { NO_AUTHORITY_CODES } from "#domain/ministry-reports/lists.ts";
import { findDataToRequestAtHandOver } from "#domain/ministry-reports/missing-data.ts";
import { toAmount } from "#domain/money.ts";
import { formatCustomerAddress } from "#domain/printing/contract-facts.ts";
import { findAcrissFields } from "#worker/api/acriss-messages.ts";
import type { CheckInDayBookingMessage, CheckInDayMessage, CheckInVehicleMessage } from "./day-messages.ts";

/** Settings and catalogue data needed to convert a day to the API format. */
export interface CheckInDayMessageContext {
  readonly currencyDecimals: number;
  readonly familyIdsByCategory: ReadonlyMap<string, number>;
  readonly categories: Catalogue["categories"];
  readonly now: CivilMinute;
  /** Whether the account reports its rentals to the ministry. */
  readonly reportsToMinistry: boolean;
  /** Hash of the contract to sign, by booking. */
  readonly contractHashes: ReadonlyMap<number, string>;
}

export function toCheckInDayMessage(day: CheckInDay, context: CheckInDayMessageContext): CheckInDayMessage {
  const candidates = Map.groupBy(listVehiclesForOpenDeliveries(day), ({ categoryCode }) => categoryCode);
  return {
    date: day.date,
    rental_location_code: day.branchCode,
    deliveries: day.deliveries.map((entry) => toDayEntryMessage(entry, context)),
    collections: day.collections.map((entry) => toDayEntryMessage(entry, context)),
    candidates: Object.fromEntries(
      [...candidates].map(([code, vehicles]) => [code, vehicles.map(({ reference }) => reference)]),
    ),
    vehicles: day.candidates.map((candidate) => toCheckInVehicleMessage(candidate, context)),
  };
}

export function toCheckInVehicleMessage(
  vehicle: ListedVehicle,
  {
    familyIdsByCategory,
    categories,
    now,
  }: Pick<CheckInDayMessageContext, "familyIdsByCategory" | "categories" | "now">,
): CheckInVehicleMessage {
  return {
    reference: vehicle.reference,
    name: vehicle.name,
    category_code: vehicle.categoryCode,
    ...findAcrissFields({ categories }, vehicle.categoryCode),
    family_id: familyIdsByCategory.get(vehicle.categoryCode) ?? null,
    stock_plate: vehicle.plate,
    stock_reference: vehicle.alias,
    stock_brand: vehicle.brand,
    stock_model: vehicle.model,
    stock_color: vehicle.color,
    fuel: vehicle.fuel,
    rental_storage_id: vehicle.storageId,
    rental_location_code: vehicle.branchCode,
    kilometres: vehicle.kilometres,
    fuel_eighths: vehicle.fuelEighths ?? null,
    state: getListedVehicleState(vehicle, now),
    engagements: vehicle.engagements.map(({ kind, startsAt, endsAt, bookingId }) => ({
      kind,
      from: formatCivilMinute(startsAt),
      to: formatCivilMinute(endsAt),
      booking_id: bookingId,
    })),
    parking_place: vehicle.parkingPlace,
    key_number: vehicle.keyNumber,
    needs_cleaning: vehicle.needsCleaning,
    needs_fuel: vehicle.needsFuel,
    inspection_due: vehicle.inspectionDue,
    insured_until: vehicle.insuredUntil,
    damages: vehicle.damages.map(({ damageId, bookingId, opId: _, isCharged, ...damage }) => ({
      damage_id: damageId,
      ...damage,
      booking_id: bookingId,
      photos: [...damage.photos],
      is_charged: isCharged,
    })),
  };
}

function toDayEntryMessage(entry: CheckInDayBooking, context: CheckInDayMessageContext): CheckInDayBookingMessage {
  const amount = (cents: number) => toAmount(cents, context.currencyDecimals);
  const { period, customer } = entry;
  return {
    booking_id: entry.id,
    version: entry.version,
    status: entry.status,
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    pickup_place_id: entry.pickupPlaceId,
    pickup_place: entry.pickupPlace,
    date_to: period.dateTo,
    time_to: period.timeTo,
    return_place_id: entry.returnPlaceId,
    return_place: entry.returnPlace,
    days: entry.days,
    rental_location_code: entry.branchCode,
    return_rental_location_code: entry.returnBranchCode,
    rental_storage_id: entry.branchGroupId,
    customer: {
      full_name: `${customer.name} ${customer.surname}`.trim(),
      customer_type: customer.type,
      phone: customer.phone,
      email: customer.email,
      document_id: customer.documentId,
      address: formatCustomerAddress(entry.contractData) ?? null,
      language: customer.language,
    },
    drivers: toContractDriversMessage(entry),
    authorities: toAuthorityFields(entry, context),
    contract_signed: entry.isSigned,
    do_not_rent: entry.doNotRent !== null && isAhead(entry) ? { reason: entry.doNotRent } : null,
    flight: formatContractFlight(entry),
    notes: entry.comments,
    resources: entry.units.map((unit) => toResourceMessage(unit, entry, context)),
    extras: entry.extras.map((extra) => ({
      extra_code: extra.code,
      name: extra.name,
      quantity: extra.quantity,
      unit_price: amount(extra.unitCents),
      cost: amount(extra.cents),
    })),
    amounts: {
      item_cost: amount(entry.itemCents),
      extras_cost: amount(entry.extrasCents),
      supplements_cost: amount(entry.totalCents - entry.itemCents - entry.extrasCents),
      total_cost: amount(entry.totalCents),
      total_paid: amount(entry.totalPaidCents),
      total_credited: amount(entry.creditedCents),
      total_pending: amount(entry.pendingCents),
    },
    deposit: {
      total: amount(entry.totalDepositCents),
      held: amount(entry.depositHeldCents),
      pending: amount(getPendingDeposit(entry)),
    },
    contract_hash: context.contractHashes.get(entry.id) ?? "",
    operations: entry.operations.map((operation) => ({
      op_id: operation.opId,
      kind: operation.kind,
      resource_id: operation.unitId,
      state: operation.state,
      by: operation.author,
      at: new Date(operation.at).toISOString(),
      files_arrived: operation.filesTotal - operation.filesMissing,
      files_total: operation.filesTotal,
      notes: operation.notes,
    })),
  };
}

const isAhead = ({ units }: Pick<CheckInDayBooking, "units">) => units.some(({ delivery }) => delivery === undefined);

const NO_AUTHORITY_FIELDS = { missing: [], wished: [] };

function toAuthorityFields(
  { customer, contractData: data, units }: CheckInDayBooking,
  { reportsToMinistry }: CheckInDayMessageContext,
) {
  if (!reportsToMinistry || !isAhead({ units })) return NO_AUTHORITY_FIELDS;
  const { name, surname, type } = customer;
  const toOptional = (text: string | null) => text ?? undefined;
  const known = {
    phone: toOptional(customer.phone),
    email: toOptional(customer.email),
    documentId: toOptional(customer.documentId),
  };
  const { missing, optional } = findDataToRequestAtHandOver({
    customer: { isCompany: type !== "individual", name, surname, ...known },
    data,
    codes: NO_AUTHORITY_CODES,
  });
  return { missing: [...missing], wished: [...optional] };
}

// The names of the contract data are joined once, because a day asks for twenty per booking.
const DRIVERS = (["driver", "additional_driver_1", "additional_driver_2"] as const).map((position) => ({
  position,
  name: `${position}_name`,
  surname: `${position}_surname`,
  documentId: `${position}_document_id`,
  licenseNumber: `${position}_driving_license_number`,
  licenseExpiry: `${position}_driving_license_expiration_date`,
  birthDate: `${position}_date_of_birth`,
}));

/** Returns the drivers of a contract. */
export function toContractDriversMessage({
  contractData,
}: Pick<CheckInDayBooking, "contractData">): CheckInDayBookingMessage["drivers"] {
  const getText = (field: string) => contractData[field] || null;
  return DRIVERS.map(({ position, ...fields }) => ({
    position,
    full_name: [getText(fields.name), getText(fields.surname)].filter(Boolean).join(" "),
    document_id: getText(fields.documentId),
    driving_license_number: getText(fields.licenseNumber),
    driving_license_expiration_date: getText(fields.licenseExpiry),
    date_of_birth: getText(fields.birthDate),
  })).filter(({ position: _, ...driver }) => Object.values(driver).some(Boolean));
}

/** Returns the flight of a contract: company, number and time. */
export function formatContractFlight({ contractData }: Pick<CheckInDayBooking, "contractData">): string | null {
  const { flight_company: company, flight_number: number, flight_time: time } = contractData;
  return [formatFlightNumber(company, number), time].filter(Boolean).join(" ") || null;
}

function toResourceMessage(
  unit: CheckInDayUnit,
  entry: CheckInDayBooking,
  context: CheckInDayMessageContext,
): CheckInDayBookingMessage["resources"][number] {
  const amount = (cents: number) => toAmount(cents, context.currencyDecimals);
  return {
    resource_id: unit.unitId,
    line_id: unit.lineId,
    category_code: unit.categoryCode,
    ...findAcrissFields(context, unit.categoryCode),
    category_name: unit.categoryName,
    state: getUnitState(unit),
    vehicle: unit.vehicle ? toCheckInVehicleMessage(unit.vehicle, context) : null,
    earlier: { kilometres: unit.earlier.kilometres, missing_eighths: unit.earlier.missingEighths },
    delivery: toReadingMessage(unit.delivery, unit, entry, "delivery"),
    collection: toReadingMessage(unit.collection, unit, entry, "collection"),
    rates: {
      extra_day: amount(unit.rates.extraDayCents),
      fuel_eighth: amount(unit.rates.fuelEighthCents),
      kilometres_included: unit.rates.kilometresIncluded ?? null,
      extra_kilometre: amount(unit.rates.extraKilometreCents),
    },
  };
}

function getUnitState({ delivery, collection }: CheckInDayUnit): "to_deliver" | "out" | "collected" {
  if (collection) return "collected";
  return delivery ? "out" : "to_deliver";
}

function toReadingMessage(
  reading: HandOverReading | undefined,
  unit: CheckInDayUnit,
  { operations }: CheckInDayBooking,
  kind: string,
) {
  if (!reading) return null;
  const operation = operations.find((operation) => operation.kind === kind && operation.unitId === unit.unitId);
  return {
    at: new Date(reading.at).toISOString(),
    by: operation?.state === "applied" ? operation.author : null,
    kilometres: reading.kilometres ?? null,
    fuel_eighths: reading.fuelEighths ?? null,
  };
}

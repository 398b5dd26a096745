import type { AuthorityRegister } from "#domain/catalogue/authority-registers.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { type AuthorityCodes, findMunicipalityCode, getProvinceCode } from "#domain/ministry-reports/lists.ts";
import { needsManualAnnulment } from "#domain/ministry-reports/manual-annulment.ts";
import { findOptionalPersonData } from "#domain/ministry-reports/missing-data.ts";
import { PAYMENT_CODES } from "#domain/ministry-reports/payment-codes.ts";
import { listReportPartNumbers } from "#domain/ministry-reports/people.ts";
import type { MinistryReportKind, RentalPlace, ReportedRental } from "#domain/ministry-reports/rental.ts";
import { ministryRegisters } from "#worker/authorities/registers.ts";
import type { MinistryReportRow } from "#worker/store/ministry-reports/ministry-reports.ts";
import type { BookingToReportRows } from "#worker/store/ministry-reports/rentals.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";

/** Report to the ministry that a contract requires now or later. */
export interface RequiredMinistryReport {
  readonly kind: MinistryReportKind;
  readonly unitId: number | null;
  /** Vehicle of the unit, from 1. Each exchange adds one. */
  readonly vehicleNumber: number;
  readonly plate: string | undefined;
  /** Part number. Each further additional driver is reported in a separate part. */
  readonly part: number;
  /** Whether the report to the ministry is due now. A rental is due once its vehicle is delivered. */
  readonly isDue: boolean;
  /** Whether the contract was agreed before the account started reporting and hasn't changed since. */
  readonly isOlderThanReporting: boolean;
  readonly missing: readonly string[];
  /** Optional fields that may be added. The report to the ministry is sent without them. */
  readonly optional: readonly string[];
  /** Fields whose text is longer than the register accepts. The report contains their start. */
  readonly shortened: readonly string[];
  /** Undefined if required data is missing. */
  readonly xml: string | undefined;
  /** Two-digit code of the province for a missing municipality. */
  readonly province: string | undefined;
  /** Register to which staff report manually, if the platform doesn't. */
  readonly manualRegister: AuthorityRegister | undefined;
  /** Last stored report to the ministry of this kind that wasn't withdrawn. */
  readonly storedReport: MinistryReportRow | undefined;
}

const MANUAL_REPORTING = { missing: [], optional: [], shortened: [], province: undefined, xml: undefined } as const;

type Unit = BookingToReportRows[1][number] | undefined;
type ReportingSettings = Pick<Settings, "timezone" | "sesCodes">;

/**
 * Returns the reports to the ministry that a contract requires now: its reservation, and each vehicle once delivered,
 * also after an exchange.
 * If the branch's register isn't supported, staff report manually.
 */
export function listRequiredMinistryReports(
  [booking, units, item, lists]: BookingToReportRows,
  terms: ReportingSettings,
): readonly RequiredMinistryReport[] {
  const register = ministryRegisters[booking.register];
  if (booking.register === "none") return [];
  const codes: AuthorityCodes = {
    chosen: terms.sesCodes,
    lists: Object.fromEntries(lists.map(({ name, entries }) => [name, entries])),
  };
  const isLiving = booking.status !== "cancelled" && booking.status !== "pending_confirmation";
  const hasStarted = units.some(({ deliveredAt }) => deliveredAt !== null);
  const data = JSON.parse(booking.contractData) as ReportedRental["data"];
  const parts = listReportPartNumbers({ data });
  const wantPart = (kind: MinistryReportKind, unit: Unit, isDue: boolean, part: number): RequiredMinistryReport => {
    const rentedUnit = kind === "AV" ? unit : undefined;
    const key = { kind, unitId: rentedUnit?.id ?? null, vehicleNumber: rentedUnit?.vehicleNumber ?? 1, part };
    const about = {
      ...key,
      plate: rentedUnit?.plate ?? undefined,
      isDue,
      isOlderThanReporting: booking.isFromBefore,
      storedReport: item.findLast((item) => isSameReport(item, key) && !isWithdrawn(item)),
    };
    if (!register) return { ...MANUAL_REPORTING, ...about, manualRegister: booking.register };
    const rental = { ...toRental(booking, unit, { timezone: terms.timezone, codes }), data, part };
    const missing = register.listMissingData(kind, rental);
    const xml = missing.length === 0 ? register.writeReport(kind, rental) : undefined;
    const optional = kind === "AV" ? findOptionalPersonData(rental) : [];
    const province = getProvinceCode(rental.data["customer_address_zip"]);
    const shortened = register.listShortenedFields(kind, rental);
    return { ...about, missing, optional, shortened, province, xml, manualRegister: undefined };
  };
  const want = (kind: MinistryReportKind, unit: Unit, isDue: boolean) =>
    (register ? parts : [1]).map((part) => wantPart(kind, unit, isDue, part));
  return [
    // A reservation is reported until the rental starts. The rental's report repeats all data.
    ...want("RV", units[0], isLiving && !hasStarted),
    ...units.flatMap((unit) => want("AV", unit, isLiving && unit.deliveredAt !== null)),
  ];
}

type ReportKey = Pick<MinistryReportRow, "kind" | "unitId" | "vehicleNumber" | "part">;

/** Whether two reports to the ministry are about the same vehicle or reservation and the same driver. */
export function isSameReport(report: ReportKey, { kind, unitId, vehicleNumber, part }: ReportKey): boolean {
  return (
    report.kind === kind && report.unitId === unitId && report.vehicleNumber === vehicleNumber && report.part === part
  );
}

// Whether a report was withdrawn, including those that a user still has to annul.
const isWithdrawn = (item: MinistryReportRow) => item.state.startsWith("annul") || needsManualAnnulment(item);

function toRental(
  booking: BookingToReportRows[0],
  unit: Unit,
  { timezone, codes }: { readonly timezone: string; readonly codes: AuthorityCodes },
): Omit<ReportedRental, "data" | "part"> {
  const toLocalTime = (at: number) => {
    const { date, time } = toCivilNow(timezone, at);
    return `${date}T${time}:00`;
  };
  const exchangeTime = unit && unit.vehicleNumber > 1 ? unit.deliveredAt : null;
  const vehicleSuffix = exchangeTime === null ? "" : `-${unit?.vehicleNumber}`;
  return {
    reference: unit && unit.deliveredAt !== null ? `${booking.id}-${unit.id}${vehicleSuffix}` : String(booking.id),
    contractDate: toCivilNow(timezone, booking.createdAt).date,
    pickupAt: exchangeTime === null ? `${booking.dateFrom}T${booking.timeFrom}:00` : toLocalTime(exchangeTime),
    returnAt: unit?.exchangedAt ? toLocalTime(unit.exchangedAt) : `${booking.dateTo}T${booking.timeTo}:00`,
    pickup: toPlace(booking.pickup, codes),
    return: toPlace(booking.return, codes),
    payment: getPaymentCode(booking),
    category: unit?.category ?? "",
    customer: toCustomer(booking),
    vehicle: unit && toVehicle(unit),
    codes,
  };
}

function toCustomer(booking: BookingToReportRows[0]): ReportedRental["customer"] {
  return {
    isCompany: booking.customerType !== "individual",
    name: booking.name,
    surname: booking.surname,
    email: booking.email ?? undefined,
    phone: booking.phone ? `${booking.phonePrefix ?? ""}${booking.phone}` : undefined,
    documentId: booking.documentId ?? undefined,
  };
}

function toVehicle(unit: BookingToReportRows[1][number]): ReportedRental["vehicle"] {
  return {
    brand: unit.brand ?? undefined,
    model: unit.model ?? undefined,
    plate: unit.plate ?? undefined,
    vin: unit.vin ?? undefined,
    color: unit.color ?? undefined,
    kilometres: unit.kilometres ?? undefined,
  };
}

function toPlace(place: BookingToReportRows[0]["pickup"], codes: AuthorityCodes): RentalPlace {
  return {
    establishment: place.establishment ?? undefined,
    street: place.street ?? undefined,
    city: place.city ?? undefined,
    zip: place.zip ?? undefined,
    country: place.country ?? undefined,
    municipality: findMunicipalityCode(codes, place.zip ?? undefined, place.city ?? undefined),
  };
}

// Only the payment type is reported, because card numbers aren't stored.
function getPaymentCode({ method, totalPaidCents, agencyId }: BookingToReportRows[0]): string {
  if (totalPaidCents <= 0 || method === null) return agencyId === null ? "DESTI" : "PLATF";
  return PAYMENT_CODES[method];
}

/** Returns reports to the ministry that no longer apply, such as those of a removed driver or unit. */
export function findObsoleteMinistryReports(
  [, , item]: BookingToReportRows,
  requiredReports: readonly RequiredMinistryReport[],
): readonly MinistryReportRow[] {
  const isStillDue = (report: MinistryReportRow) => requiredReports.some((required) => isSameReport(required, report));
  return requiredReports.length === 0 ? [] : item.filter((item) => !isWithdrawn(item) && !isStillDue(item));
}

/** Groups the rows of several bookings by booking. */
export function groupReportRowsByBooking([bookings, units, item, lists]: readonly [
  readonly BookingToReportRows[0][],
  BookingToReportRows[1],
  BookingToReportRows[2],
  BookingToReportRows[3],
]): readonly BookingToReportRows[] {
  return bookings.map((booking) => [
    booking,
    units.filter(({ bookingId }) => bookingId === booking.id),
    item.filter(({ bookingId }) => bookingId === booking.id),
    lists,
  ]);
}

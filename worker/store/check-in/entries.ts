import type { ContractData } from "#domain/bookings/bookings.ts";
import type {
  CheckInDayBooking,
  CheckInDayOperation,
  CheckInDayUnit,
  HandOverReading,
  ListedVehicle,
} from "#domain/check-in/day.ts";
import { getUnitDayRateCents } from "#domain/check-in/decision.ts";
import { parseFuelEighths } from "#domain/check-in/fuel.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { getPendingCents } from "#domain/payments/pending.ts";
import { addBlocksToVehicle, type ListedVehicleRow, type VehicleBlocks } from "#worker/store/catalogue/vehicles.ts";
import { type ExchangedRow, toExchangedVehiclesUse } from "./check-in.ts";
import type { CheckInDayBookingRow } from "./day.ts";

interface UnitRow {
  readonly unitId: number;
  readonly lineId: number;
  readonly categoryCode: string;
  readonly categoryName: string;
  readonly unitCents: number;
  readonly deliveredAt: number | null;
  readonly collectedAt: number | null;
  readonly deliveryKilometres: number | null;
  readonly collectionKilometres: number | null;
  readonly deliveryFuel: string | null;
  readonly collectionFuel: string | null;
  readonly fuelEighthCents: number;
  readonly kilometresPerDay: number | null;
  readonly extraKilometreCents: number;
  readonly exchanged: readonly ExchangedRow[];
  readonly vehicle: ListedVehicleRow | null;
}

/** Converts a booking from `checkInDayBookingsQuery`, with its vehicles' blocks. */
export function toCheckInDayBooking(
  { booking, depositAuthorisedCents, isSigned, doNotRent, units, extras, operations }: CheckInDayBookingRow,
  blocks: VehicleBlocks = new Map(),
): CheckInDayBooking {
  return {
    ...booking,
    ...{ depositAuthorisedCents, isSigned, doNotRent },
    notOwedCents: booking.creditedCents + booking.agentCommissionPrepaidCents,
    pendingCents: getPendingCents(booking),
    period: {
      dateFrom: booking.dateFrom as CivilDate,
      timeFrom: booking.timeFrom as TimeText,
      dateTo: booking.dateTo as CivilDate,
      timeTo: booking.timeTo as TimeText,
    },
    customer: {
      name: booking.customerName,
      surname: booking.customerSurname,
      type: booking.customerType,
      phone:
        booking.customerPhone &&
        `${booking.customerPhonePrefix ? `+${booking.customerPhonePrefix.replace(/^\+/, "")} ` : ""}${booking.customerPhone}`,
      email: booking.customerEmail,
      documentId: booking.customerDocumentId,
      language: booking.customerLanguage,
    },
    contractData: JSON.parse(booking.contractData) as ContractData,
    // `checkInDayBookingsQuery` builds the JSON, so it's parsed without checks.
    units: (JSON.parse(units) as UnitRow[]).map((unit) => toDayUnit(unit, booking.days, blocks)),
    extras: JSON.parse(extras) as CheckInDayBooking["extras"],
    operations: JSON.parse(operations) as CheckInDayOperation[],
  };
}

function toDayUnit(row: UnitRow, days: number, blocks: VehicleBlocks): CheckInDayUnit {
  return {
    unitId: row.unitId,
    lineId: row.lineId,
    categoryCode: row.categoryCode,
    categoryName: row.categoryName,
    vehicle: row.vehicle ? toListedVehicle(addBlocksToVehicle(row.vehicle, blocks)) : undefined,
    earlier: toExchangedVehiclesUse(row.exchanged),
    delivery: toReading(row.deliveredAt, row.deliveryKilometres, row.deliveryFuel),
    collection: toReading(row.collectedAt, row.collectionKilometres, row.collectionFuel),
    rates: {
      extraDayCents: getUnitDayRateCents(row, days),
      fuelEighthCents: row.fuelEighthCents,
      kilometresIncluded: row.kilometresPerDay === null ? undefined : row.kilometresPerDay * days,
      days,
      extraKilometreCents: row.extraKilometreCents,
    },
  };
}

function toReading(at: number | null, kilometres: number | null, fuel: string | null): HandOverReading | undefined {
  return at === null ? undefined : { at, kilometres: kilometres ?? undefined, fuelEighths: parseFuelEighths(fuel) };
}

export function toListedVehicle(row: ListedVehicleRow): ListedVehicle {
  return {
    ...row,
    fuelEighths: parseFuelEighths(row.fuelText),
    isOut: row.isOut === 1,
    needsCleaning: row.needsCleaning === 1,
    needsFuel: row.needsFuel === 1,
  };
}

import type { BookingStatus, ContractData } from "#domain/bookings/bookings.ts";
import type { ClosingRates, ExchangedVehiclesUse } from "#domain/bookings/closing.ts";
import { type CivilDate, type CivilMinute, type Period, toSpan } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { findConflictingEngagement, getRemainingSpan, type VehicleEngagement } from "./vehicle-engagements.ts";

/** Unrepaired damage of a vehicle. */
export interface KnownDamage {
  readonly damageId: string;
  readonly part: string;
  readonly kind: string;
  readonly severity: string;
  readonly x: number;
  readonly y: number;
  readonly note: string | null;
  readonly since: string;
  readonly bookingId: number | null;
  /** Id of the operation that reported the damage. */
  readonly opId: string | null;
  readonly photos: readonly string[];
  /** Whether a customer was charged for it. */
  readonly isCharged: boolean;
}

/** Vehicle in field staff's search. */
export interface ListedVehicle {
  readonly reference: string;
  readonly name: string;
  readonly categoryCode: string;
  readonly plate: string | null;
  readonly alias: string | null;
  readonly brand: string | null;
  readonly model: string | null;
  readonly color: string | null;
  readonly fuel: string;
  readonly storageId: number;
  readonly branchCode: string;
  readonly kilometres: number;
  readonly fuelEighths: number | undefined;
  readonly isOut: boolean;
  readonly parkingPlace: string | null;
  readonly keyNumber: string | null;
  readonly needsCleaning: boolean;
  readonly needsFuel: boolean;
  /** Last valid days of the vehicle's inspection and insurance, civil dates. */
  readonly inspectionDue: string | null;
  readonly insuredUntil: string | null;
  /** Current and future periods when the vehicle isn't free. */
  readonly engagements: readonly VehicleEngagement[];
  readonly damages: readonly KnownDamage[];
}

/** Returns the state of a vehicle at a time. Only a free one can be delivered. */
export function getListedVehicleState(
  { isOut, engagements }: ListedVehicle,
  at: CivilMinute,
): "free" | "out" | "blocked" {
  if (isOut) return "out";
  const isBlocked = engagements.some(
    ({ kind, startsAt, endsAt }) => kind === "blocked" && startsAt <= at && at < endsAt,
  );
  return isBlocked ? "blocked" : "free";
}

/** Reading at delivery or collection. `at` is epoch ms. */
export interface HandOverReading {
  readonly at: number;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
}

export interface CheckInDayUnit {
  readonly unitId: number;
  readonly lineId: number;
  readonly categoryCode: string;
  readonly categoryName: string;
  readonly vehicle: ListedVehicle | undefined;
  /** Kilometres and missing fuel of vehicles exchanged for this one. */
  readonly earlier: ExchangedVehiclesUse;
  readonly delivery: HandOverReading | undefined;
  readonly collection: HandOverReading | undefined;
  readonly rates: ClosingRates;
}

/** Booking with all data for delivering and collecting its vehicles. */
export interface CheckInDayBooking {
  readonly id: number;
  readonly version: number;
  readonly status: BookingStatus;
  readonly period: Period;
  readonly days: number;
  /** Null for a place that isn't in the catalogue. */
  readonly pickupPlaceId: number | null;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly branchGroupId: number;
  readonly customer: {
    readonly name: string;
    readonly surname: string;
    readonly type: string;
    readonly phone: string | null;
    readonly email: string | null;
    readonly documentId: string | null;
    readonly language: string;
  };
  readonly contractData: ContractData;
  /** Whether the customer signed at a delivery or return. */
  readonly isSigned: boolean;
  /** Why the company doesn't rent to the customer. */
  readonly doNotRent: string | null;
  readonly comments: string | null;
  readonly units: readonly CheckInDayUnit[];
  readonly extras: readonly {
    readonly code: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitCents: Cents;
    readonly cents: Cents;
  }[];
  readonly itemCents: Cents;
  /** Discount included in the product and extra totals. */
  readonly discountCents: Cents;
  readonly extrasCents: Cents;
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  /** Parts of the total that aren't due: the credited amount, and the amount kept by an agent. */
  readonly notOwedCents: Cents;
  /** Credited amount of the total. */
  readonly creditedCents: Cents;
  /** Amount still to pay, negative for a refund due. */
  readonly pendingCents: Cents;
  readonly totalDepositCents: Cents;
  readonly depositHeldCents: Cents;
  /** Amount that cards hold for the deposit. */
  readonly depositAuthorisedCents: Cents;
  readonly operations: readonly CheckInDayOperation[];
}

/** Returns the deposit that staff must still take. Zero if all vehicles are back, or for a cancelled contract. */
export function getPendingDeposit({
  status,
  units,
  totalDepositCents,
  depositHeldCents,
  depositAuthorisedCents,
}: Pick<
  CheckInDayBooking,
  "status" | "units" | "totalDepositCents" | "depositHeldCents" | "depositAuthorisedCents"
>): Cents {
  const isOver =
    status === "done" || status === "cancelled" || (units.length > 0 && units.every(({ collection }) => collection));
  return isOver ? 0 : Math.max(0, totalDepositCents - depositHeldCents - depositAuthorisedCents);
}

export interface CheckInDayOperation {
  readonly opId: string;
  readonly kind: string;
  readonly unitId: number | null;
  readonly state: string;
  readonly author: string;
  readonly at: number;
  readonly filesTotal: number;
  readonly filesMissing: number;
  readonly notes: string | null;
}

/** Branch's day with the available vehicles. */
export interface CheckInDay {
  readonly date: CivilDate;
  readonly branchCode: string;
  /** Current local time of the account. */
  readonly civilNow: CivilMinute;
  readonly deliveries: readonly CheckInDayBooking[];
  readonly collections: readonly CheckInDayBooking[];
  readonly candidates: readonly ListedVehicle[];
}

/** Lists vehicles available for one of the day's deliveries: not out, not blocked and not assigned to others. */
export function listVehiclesForOpenDeliveries({
  candidates,
  deliveries,
  civilNow,
}: CheckInDay): readonly ListedVehicle[] {
  const requiredCategories = deliveries
    .filter(({ status }) => status === "confirmed")
    .flatMap(({ id, period, units }) =>
      units
        .filter(({ vehicle }) => !vehicle)
        .map(({ categoryCode }) => ({ id, categoryCode, span: getRemainingSpan(toSpan(period), civilNow) })),
    );
  return candidates.filter(
    ({ isOut, categoryCode, engagements }) =>
      !isOut &&
      requiredCategories.some(
        (item) => item.categoryCode === categoryCode && !findConflictingEngagement(engagements, item.span, item.id),
      ),
  );
}

/** Returns the text that the customer signs. It changes with every term of the contract. */
export function createContractTextToSign(entry: CheckInDayBooking): string {
  const { period } = entry;
  return [
    entry.id,
    `${period.dateFrom} ${period.timeFrom} ${entry.pickupPlace}`,
    `${period.dateTo} ${period.timeTo} ${entry.returnPlace}`,
    `${entry.customer.name} ${entry.customer.surname}`,
    ...entry.units.map((unit) => `${unit.unitId} ${unit.categoryCode}`),
    ...entry.extras.map((extra) => `${extra.quantity} ${extra.code} ${extra.cents}`),
    entry.totalCents,
    entry.totalDepositCents,
  ].join("\n");
}

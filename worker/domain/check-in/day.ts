import type { BookingStatus, ContractData } from "#domain/bookings/bookings.ts";
import type { ClosingRates, EarlierUse } from "#domain/bookings/closing.ts";
import { type CivilDate, type CivilMinute, type Period, toSpan } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { type Engagement, findEngagement, getRemainingSpan } from "./engagements.ts";

/** Damage that a vehicle carries until it is repaired. */
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
  /** The work that found it. */
  readonly opId: string | null;
  readonly photos: readonly string[];
}

/** A vehicle as field staff look for it. */
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
  /** Its last days with an inspection and an insurance, civil dates. */
  readonly inspectionDue: string | null;
  readonly insuredUntil: string | null;
  /** When it is not free, now and later. */
  readonly engagements: readonly Engagement[];
  readonly damages: readonly KnownDamage[];
}

/** Whether a vehicle could go out at a moment. */
export function getVehicleState({ isOut, engagements }: ListedVehicle, at: CivilMinute): "free" | "out" | "blocked" {
  if (isOut) return "out";
  const isBlocked = engagements.some(
    ({ kind, startsAt, endsAt }) => kind === "blocked" && startsAt <= at && at < endsAt,
  );
  return isBlocked ? "blocked" : "free";
}

/** What was read at a hand-over; `at` in epoch ms. */
export interface Reading {
  readonly at: number;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
}

export interface DayUnit {
  readonly unitId: number;
  readonly lineId: number;
  readonly categoryCode: string;
  readonly categoryName: string;
  readonly vehicle: ListedVehicle | undefined;
  /** Of vehicles that were exchanged for this one. */
  readonly earlier: EarlierUse;
  readonly delivery: Reading | undefined;
  readonly collection: Reading | undefined;
  readonly rates: ClosingRates;
}

/** A booking with all that is needed to hand its vehicles over and to take them back. */
export interface DayEntry {
  readonly id: number;
  readonly version: number;
  readonly status: BookingStatus;
  readonly period: Period;
  readonly days: number;
  readonly pickupPlace: string;
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
  readonly comments: string | null;
  readonly units: readonly DayUnit[];
  readonly extras: readonly {
    readonly code: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitCents: Cents;
    readonly cents: Cents;
  }[];
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly totalCents: Cents;
  readonly totalPaidCents: Cents;
  /** Of the total: what was credited, and what an agent kept of it. */
  readonly notOwedCents: Cents;
  /** What was credited of it. */
  readonly creditedCents: Cents;
  /** What is still to be paid; below zero, what is owed back. */
  readonly pendingCents: Cents;
  readonly totalDepositCents: Cents;
  readonly depositHeldCents: Cents;
  readonly operations: readonly DayOperation[];
}

/** The deposit that is still to be taken: none of a contract whose vehicles are all back, or that was called off. */
export function depositPending({
  status,
  units,
  totalDepositCents,
  depositHeldCents,
}: Pick<DayEntry, "status" | "units" | "totalDepositCents" | "depositHeldCents">): Cents {
  const isOver =
    status === "done" || status === "cancelled" || (units.length > 0 && units.every(({ collection }) => collection));
  return isOver ? 0 : Math.max(0, totalDepositCents - depositHeldCents);
}

export interface DayOperation {
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

/** A branch's day, and the vehicles that could go out. */
export interface CheckInDay {
  readonly date: CivilDate;
  readonly branchCode: string;
  /** The account's own clock now. */
  readonly civilNow: CivilMinute;
  readonly deliveries: readonly DayEntry[];
  readonly collections: readonly DayEntry[];
  readonly candidates: readonly ListedVehicle[];
}

/** The vehicles that could go out with one of the day's deliveries: not out, not blocked and not promised to others. */
export function listCandidates({ candidates, deliveries, civilNow }: CheckInDay): readonly ListedVehicle[] {
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
        (item) => item.categoryCode === categoryCode && !findEngagement(engagements, item.span, item.id),
      ),
  );
}

/** What the customer signs: text that changes with every term of the contract. */
export function contractText(entry: DayEntry): string {
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

import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { EarlierUse } from "#domain/bookings/closing.ts";
import type { LineExcess } from "#domain/bookings/excess.ts";
import type { DrivenUntil } from "#domain/catalogue/vehicle-dues.ts";
import type { StoredCompletion } from "#domain/communications/completing.ts";
import type { CivilMinute, Period } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type {
  CHARGE_KINDS,
  DAMAGE_KINDS,
  DAMAGE_SEVERITIES,
  DESK_PAYMENT_METHODS,
  TRIP_MOMENTS,
  VEHICLE_PARTS,
} from "./codes.ts";

import type { AgeRule, DriverPapers } from "./driver.ts";
import type { Engagement } from "./engagements.ts";

// The rules of check-in (decision 0010). Times are epoch ms unless they say so.

export type OperationKind = "delivery" | "collection" | "exchange" | "evidence" | "correction";

/** One piece of work that a phone did, as the account understands it. */
export interface CheckInOperation {
  readonly opId: string;
  readonly deviceId: string;
  readonly seq: number;
  readonly kind: OperationKind;
  readonly bookingId: number;
  readonly unitId: number | undefined;
  readonly baseVersion: number;
  readonly author: string | undefined;
  /** By the phone's clock, corrected by what it knew of the server's. */
  readonly recordedAt: number;
  readonly clockOffset: number;
  readonly vehicleReference: string | undefined;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** Somebody looked again at readings that seemed improbable. */
  readonly hasConfirmedReadings: boolean;
  readonly notes: string | undefined;
  /** Of a collection: the branch where the vehicle came back, where that is not the one that was agreed. */
  readonly returnBranchCode?: string | undefined;
  readonly standing?: VehicleCondition | undefined;
  readonly driver?: DriverPapers | undefined;
  /** What was said of the people for the authorities, as a booking keeps it. */
  readonly authorities?: StoredCompletion | undefined;
  /** Of a transfer: what became of one of its trips. */
  readonly trip?: TripMoment | undefined;
  /** Of an exchange: what goes out; the readings and the damage beside it are those of the vehicle that comes back. */
  readonly exchange?: Replacement | undefined;
  readonly extras: readonly { readonly code: string; readonly quantity: number }[];
  readonly damages: readonly Damage[];
  readonly charges: readonly DeskCharge[];
  readonly signature: { readonly method: string; readonly contractHash: string | undefined } | undefined;
  readonly files: readonly { readonly hash: string; readonly view: string }[];
  readonly removedFiles: readonly string[];
  /** As it was sent, for the office. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** The vehicle that goes out in exchange, as it was read. */
export interface Replacement {
  readonly reference: string;
  readonly kilometres: number;
  readonly fuelEighths: number;
  /** What the customer pays for a better one. */
  readonly upgradeCents: Cents | undefined;
}

export interface TripMoment {
  readonly position: "outward" | "return";
  readonly moment: (typeof TRIP_MOMENTS)[number];
}

/** Where a vehicle was left and what it needs; undefined: nobody said. */
export interface VehicleCondition {
  readonly parkingPlace: string | undefined;
  readonly keyNumber: string | undefined;
  readonly needsCleaning: boolean | undefined;
  readonly needsFuel: boolean | undefined;
}

export interface Damage {
  readonly damageId: string;
  readonly part: (typeof VEHICLE_PARTS)[number];
  readonly kind: (typeof DAMAGE_KINDS)[number];
  readonly severity: (typeof DAMAGE_SEVERITIES)[number];
  readonly x: number;
  readonly y: number;
  readonly note: string | undefined;
  readonly photos: readonly string[];
}

export interface DeskCharge {
  readonly chargeId: string;
  readonly kind: (typeof CHARGE_KINDS)[number];
  readonly amountCents: Cents;
  readonly method: (typeof DESK_PAYMENT_METHODS)[number];
  readonly externalOperationNumber: string | undefined;
  readonly terminal: string | undefined;
}

/** A charge that is kept, of whichever booking. */
export interface KnownCharge extends DeskCharge {
  readonly bookingId: number | null;
}

/** A unit of the booking as it stands. */
export interface Unit {
  readonly unitId: number;
  readonly categoryCode: string;
  /** What one unit costs for the whole rental. */
  readonly unitCents: Cents;
  readonly reference: string | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  /** Taken back and closed wrongly: it waits for its right collection. */
  readonly isReopened: boolean;
  readonly deliveryKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly collectionFuelEighths: number | undefined;
  /** Of vehicles that were exchanged for this one. */
  readonly earlier: EarlierUse;
  readonly exchangedReferences: readonly string[];
  readonly fuelEighthCents: Cents;
  readonly kilometresPerDay: number | undefined;
  readonly extraKilometreCents: Cents;
}

/** The vehicle that an operation is about. */
export interface CheckInVehicle extends DrivenUntil {
  readonly reference: string;
  readonly categoryCode: string;
  readonly branchGroupId: number;
  /** Where it stands. */
  readonly branchCode: string;
  readonly isUsable: boolean;
  /** When it is blocked, or promised to a contract. */
  readonly engagements: readonly Engagement[];
  readonly kilometres: number;
  /** The unit it is out with now. */
  readonly outWith: { readonly unitId: number; readonly bookingId: number; readonly since: number } | undefined;
}

/** A booking as check-in sees it. */
export interface CheckInBooking {
  readonly id: number;
  readonly version: number;
  /** The version with which the office last changed what was agreed. */
  readonly agreedVersion: number;
  readonly status: BookingStatus;
  readonly period: Period;
  readonly days: number;
  readonly branchCode: string;
  readonly branchGroupId: number;
  readonly returnBranchCode: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly customerFullName: string;
  readonly customerId: number | undefined;
  readonly salesChannelCode: string | undefined;
  readonly extrasCents: Cents;
  /** Extra days, missing fuel, extra kilometres: what collections have found so far. */
  readonly supplementCents: readonly [Cents, Cents, Cents];
  readonly totalCents: Cents;
  readonly totalDepositCents: Cents;
  readonly depositHeldCents: Cents;
  /** What the customer still owes of it; below zero what is paid too much. */
  readonly dueCents: Cents;
  readonly units: readonly Unit[];
  readonly lines: readonly LineExcess[];
  readonly extras: readonly { readonly code: string; readonly unitCents: Cents; readonly quantity: number }[];
  /** Of a transfer: whether its customer is driven back, too. */
  readonly hasReturn: boolean;
  /** What was done before, the last of each unit and kind. */
  readonly done: readonly PreviousWork[];
}

export interface PreviousWork {
  readonly unitId: number | undefined;
  readonly kind: OperationKind;
  readonly author: string;
  readonly deviceId?: string;
  readonly trip?: TripMoment | undefined;
  readonly at: number;
}

/** What surrounds the decision. */
export interface DecisionContext {
  readonly now: number;
  /** When the work was done, and that on the account's own clock. */
  readonly doneAt: number;
  readonly civilAt: CivilMinute;
  /** When the unit of a correction was taken back, where it was; on the account's own clock. */
  readonly civilReturn?: CivilMinute | undefined;
  readonly graceMinutes: number;
  readonly kilometresADay: number;
  /** Above it a charge for kilometres or fuel is not invoiced before the office has looked at it. */
  readonly closingLimitCents: Cents;
  /** Whom a vehicle is let to. */
  readonly driverAges?: readonly AgeRule[];
  /** Whether who did the work may give a vehicle of another category for nothing. */
  readonly mayGiveUpgrade?: boolean;
  /** A collection without its delivery has waited long enough. */
  readonly isForced: boolean;
  /** Charges that came before under the ids of this operation's. */
  readonly knownCharges: readonly KnownCharge[];
  /** Extras that the stock or the catalogue refused. */
  readonly refusedExtras: ReadonlySet<string>;
}

export type WarningCode =
  | "kilometres_lower"
  | "kilometres_jump"
  | "kilometres_missing"
  | "fuel_impossible"
  | "deposit_short"
  | "signature_missing"
  | "other_category"
  | "vehicle_blocked"
  | "vehicle_promised"
  | "vehicle_elsewhere"
  | "vehicle_due"
  | "returned_elsewhere"
  | "other_vehicle"
  | "early_delivery"
  | "contract_changed"
  | "licence_expired"
  | "driver_age"
  | "closing_to_check"
  | "closing_differs"
  | "extra_refused"
  | "upgrade_unpaid"
  | "already_driven"
  | "charge_known"
  | "charge_refused";

export interface Warning {
  readonly field: string;
  readonly code: WarningCode;
  readonly message: string;
}

export type Flag = "parallel" | "clock" | "held" | "without_delivery";

export type ConflictCode =
  | "already_delivered"
  | "already_collected"
  | "already_exchanged"
  | "before_delivery"
  | "booking_cancelled"
  | "booking_closed"
  | "no_return_trip"
  | "not_confirmed"
  | "unknown_vehicle"
  | "vehicle_unavailable";

/** What is to be done with an operation. */
export type Decision =
  /** Something is missing or wrong in what was sent: nothing is kept. */
  | { readonly kind: "reject"; readonly field: string; readonly reason: string }
  | { readonly kind: "hold" }
  | { readonly kind: "conflict"; readonly code: ConflictCode; readonly before: PreviousWork | undefined }
  | ({ readonly kind: "apply" } & Applied);

export interface Applied {
  readonly unit: Unit | undefined;
  readonly vehicleReference: string | undefined;
  /** Undefined: as it was. */
  readonly status: BookingStatus | undefined;
  /** Who said the same of a trip: two drivers went. */
  readonly before?: PreviousWork | undefined;
  readonly closing: ClosingSums;
  /** What is charged for kilometres or fuel waits for the office: the document stays a draft. */
  readonly isToCheck: boolean;
  readonly extras: CheckInOperation["extras"];
  readonly charges: readonly DeskCharge[];
  readonly flags: readonly Flag[];
  readonly warnings: readonly Warning[];
}

/** What a collection adds to the booking: supplements 1 to 3 (docs/interfaces/rules.md#closing-a-contract). */
export interface ClosingSums {
  readonly extraDays: number;
  readonly extraDaysCents: Cents;
  readonly fuelCents: Cents;
  readonly kilometresCents: Cents;
}

import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { ExchangedVehiclesUse } from "#domain/bookings/closing.ts";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import type { LineExcess } from "#domain/bookings/excess.ts";
import type { VehicleDueDates } from "#domain/catalogue/vehicle-dues.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import type { SurchargeRequest } from "#domain/contracts/surcharge.ts";
import type { CivilMinute, Period } from "#domain/dates.ts";
import type { StoredCompletion } from "#domain/ministry-reports/completion-fields.ts";
import type { Cents } from "#domain/money.ts";
import type { DepositByMethod } from "#domain/payments/deposit-return.ts";
import type { Reason } from "#domain/problems.ts";
import type { DESK_CHARGE_KINDS, DESK_PAYMENT_METHODS, TRIP_OUTCOMES } from "./codes.ts";

import type { AgeRule, DriverDocumentData } from "./driver.ts";
import type { VehicleEngagement } from "./vehicle-engagements.ts";

// Types for the check-in rules (decision 0010). Times are epoch ms unless noted.

export type OperationKind = "delivery" | "collection" | "exchange" | "evidence" | "correction";

/** Work done on a device, in the account's terms. */
export interface CheckInOperation {
  readonly opId: string;
  readonly deviceId: string;
  readonly seq: number;
  readonly kind: OperationKind;
  readonly bookingId: number;
  readonly unitId: number | undefined;
  readonly baseVersion: number;
  readonly author: string | undefined;
  /** Device time, corrected by its known offset from the server. */
  readonly recordedAt: number;
  readonly clockOffset: number;
  /** Offset when the device sent the operation. It differs if the clock was changed after the last contact. */
  readonly clockOffsetAtSend?: number | undefined;
  readonly vehicleReference: string | undefined;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** Whether staff confirmed improbable readings. */
  readonly hasConfirmedReadings: boolean;
  readonly notes: string | undefined;
  /** Manager's reason to deliver although blocking checks aren't met. */
  readonly overrideReason?: string | undefined;
  /** Return branch of a collection, if not the agreed one. */
  readonly returnBranchCode?: string | undefined;
  readonly standing?: VehicleCondition | undefined;
  readonly driver?: DriverDocumentData | undefined;
  /** Personal data for the authorities, as stored in a booking. */
  readonly authorities?: StoredCompletion | undefined;
  /** Outcome of a transfer's trip. */
  readonly trip?: TripEvent | undefined;
  /** Replacement vehicle of an exchange. The readings belong to the returned vehicle. */
  readonly exchange?: ReplacementVehicle | undefined;
  readonly extras: readonly { readonly code: string; readonly quantity: number }[];
  readonly damages: readonly NewDamage[];
  /** Charges of a collection for damage, cleaning and the like. */
  readonly surcharges?: readonly SurchargeRequest[] | undefined;
  readonly charges: readonly DeskCharge[];
  readonly signature: { readonly method: string; readonly contractHash: string | undefined } | undefined;
  readonly files: readonly { readonly hash: string; readonly view: string }[];
  readonly removedFiles: readonly string[];
  /** Operation as the device sent it, to show in the office. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** Damage of the operation's vehicle, or of the replacement in an exchange. */
export type NewDamage = Damage & { readonly isReplacement?: boolean };

/** Replacement vehicle of an exchange, with its readings. */
export interface ReplacementVehicle {
  readonly reference: string;
  readonly kilometres: number;
  readonly fuelEighths: number;
  /** Price that the customer pays for a better vehicle. */
  readonly upgradeCents: Cents | undefined;
}

/** Event of a transfer's trip, such as a pickup or no-show. */
export interface TripEvent {
  readonly position: "outward" | "return";
  readonly moment: (typeof TRIP_OUTCOMES)[number];
}

/** Parking place and needs of a vehicle. Undefined if not specified. */
export interface VehicleCondition {
  readonly parkingPlace: string | undefined;
  readonly keyNumber: string | undefined;
  readonly needsCleaning: boolean | undefined;
  readonly needsFuel: boolean | undefined;
}

/** Payment or deposit movement that staff record during a hand-over or return. */
export interface DeskCharge {
  readonly chargeId: string;
  readonly kind: (typeof DESK_CHARGE_KINDS)[number];
  readonly amountCents: Cents;
  readonly method: (typeof DESK_PAYMENT_METHODS)[number];
  readonly externalOperationNumber: string | undefined;
  readonly terminal: string | undefined;
}

/** Stored payment, refund or deposit movement (charge) of any booking. */
export interface RecordedCharge extends DeskCharge {
  readonly bookingId: number | null;
}

/** Current state of a booking's unit. */
export interface CheckInUnit {
  readonly unitId: number;
  readonly categoryCode: string;
  /** Price of one unit for the full rental. */
  readonly unitCents: Cents;
  readonly reference: string | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  /** Whether the unit's collection was closed incorrectly, and its correction is pending. */
  readonly isReopened: boolean;
  readonly deliveryKilometres: number | undefined;
  readonly deliveryFuelEighths: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly collectionFuelEighths: number | undefined;
  /** Kilometres and missing fuel of vehicles exchanged for this one. */
  readonly earlier: ExchangedVehiclesUse;
  readonly exchangedReferences: readonly string[];
  readonly fuelEighthCents: Cents;
  readonly kilometresPerDay: number | undefined;
  readonly extraKilometreCents: Cents;
}

/** Vehicle that a check-in operation delivers, collects or exchanges. */
export interface CheckInVehicle extends VehicleDueDates {
  readonly reference: string;
  readonly categoryCode: string;
  readonly branchGroupId: number;
  /** Branch where the vehicle is now. */
  readonly branchCode: string;
  readonly isUsable: boolean;
  /** Periods when the vehicle is blocked or assigned to a contract. */
  readonly engagements: readonly VehicleEngagement[];
  readonly kilometres: number;
  /** Unit and contract of the customer who has the vehicle now. */
  readonly outWith: { readonly unitId: number; readonly bookingId: number; readonly since: number } | undefined;
}

/** Products of one category in a contract, with the list price of a unit and their part of the discount. */
export interface CheckInLine extends LineExcess {
  readonly unitIds: readonly number[];
  readonly unitCents: Cents;
  readonly discountCents: Cents;
}

/** Data of a booking that decides its check-in operations. */
export interface CheckInBooking {
  readonly id: number;
  readonly version: number;
  /** Version of the office's last change to the agreement. */
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
  /** Extra days, missing fuel and extra kilometres charged by collections so far. */
  readonly supplementCents: readonly [Cents, Cents, Cents];
  readonly totalCents: Cents;
  readonly totalDepositCents: Cents;
  readonly depositHeldCents: Cents;
  /** Amount that cards hold for the deposit. */
  readonly depositAuthorisedCents: Cents;
  readonly depositByMethod: DepositByMethod;
  /** Amount still owed by the customer, negative for an overpayment. */
  readonly dueCents: Cents;
  readonly units: readonly CheckInUnit[];
  readonly lines: readonly CheckInLine[];
  readonly extras: readonly {
    readonly code: string;
    readonly unitCents: Cents;
    readonly quantity: number;
    readonly discountCents: Cents;
  }[];
  readonly discount: AppliedDiscount | undefined;
  /** Whether a transfer includes a return trip. */
  readonly hasReturn: boolean;
  /** Earlier operations: the last of each unit and kind. */
  readonly done: readonly PreviousOperation[];
}

/** Earlier operation that did the same work. Its time is in epoch ms. */
export interface PreviousOperation {
  readonly unitId: number | undefined;
  readonly kind: OperationKind;
  readonly author: string;
  readonly deviceId?: string;
  readonly trip?: TripEvent | undefined;
  readonly at: number;
}

/** Settings, times and stored data with which a synced check-in operation is decided. */
export interface OperationDecisionContext {
  readonly now: number;
  /** When the work was done, also in the account's local time. */
  readonly doneAt: number;
  readonly civilAt: CivilMinute;
  /** Local time of a correction's unit return, if returned. */
  readonly civilReturn?: CivilMinute | undefined;
  readonly graceMinutes: number;
  readonly kilometresADay: number;
  /** Limit above which costs of kilometres or fuel are only invoiced after an office review. */
  readonly closingLimitCents: Cents;
  /** Age ranges of drivers, and whether vehicles are rented to them. */
  readonly driverAges?: readonly AgeRule[];
  /** Whether the author may provide a vehicle of another category for free. */
  readonly mayGiveUpgrade?: boolean;
  /** Whether a collection is applied without its delivery, because the collection waited long enough for it. */
  readonly isForced: boolean;
  /** Stored payments and deposit movements with the charge ids of this operation. */
  readonly knownCharges: readonly RecordedCharge[];
  /** Extras refused by the stock or the catalogue. */
  readonly refusedExtras: ReadonlySet<string>;
  /** Codes of the surcharges that the office must decide on. */
  readonly refusedSurcharges?: readonly string[] | undefined;
}

/** Reasons why the office should review an applied operation. */
export const CHECK_IN_WARNING_CODES = [
  "kilometres_lower",
  "kilometres_jump",
  "kilometres_missing",
  "fuel_impossible",
  "deposit_short",
  "signature_missing",
  "other_category",
  "vehicle_blocked",
  "vehicle_promised",
  "vehicle_elsewhere",
  "vehicle_due",
  "returned_elsewhere",
  "other_vehicle",
  "early_delivery",
  "contract_changed",
  "licence_expired",
  "driver_age",
  "closing_to_check",
  "closing_differs",
  "return_time_uncertain",
  "extra_refused",
  "upgrade_unpaid",
  "already_driven",
  "deposit_other_way",
  "charge_known",
  "charge_refused",
] as const;
export type WarningCode = (typeof CHECK_IN_WARNING_CODES)[number];

/** Warning about a field of an applied operation. */
export interface CheckInWarning {
  readonly field: string;
  readonly code: WarningCode;
  readonly message: string;
}

/** Circumstances in which an operation was applied, for the office's list. */
export const OPERATION_FLAGS = ["parallel", "clock", "held", "without_delivery"] as const;
export type OperationFlag = (typeof OPERATION_FLAGS)[number];

/** Reasons why an operation is stored as evidence without changing the booking. */
export const CONFLICT_CODES = [
  "already_delivered",
  "already_collected",
  "already_exchanged",
  "before_delivery",
  "handover_blocked",
  "booking_cancelled",
  "booking_closed",
  "no_return_trip",
  "not_confirmed",
  "unit_gone",
  "unknown_vehicle",
  "vehicle_unavailable",
] as const;
export type ConflictCode = (typeof CONFLICT_CODES)[number];

/** Decision whether a synced check-in operation is rejected, held, stored as a conflict or applied. */
export type OperationDecision =
  /** The submitted data is incomplete or invalid. Nothing is stored. */
  | { readonly kind: "reject"; readonly field: string; readonly reason: Reason }
  | { readonly kind: "hold" }
  | { readonly kind: "conflict"; readonly code: ConflictCode; readonly before: PreviousOperation | undefined }
  | ({ readonly kind: "apply" } & AppliedOperationEffects);

/** Changes that an applied operation makes. */
export interface AppliedOperationEffects {
  readonly unit: CheckInUnit | undefined;
  readonly vehicleReference: string | undefined;
  /** New status of the booking. Undefined if unchanged. */
  readonly status: BookingStatus | undefined;
  /** Earlier report about the same trip by another driver. */
  readonly before?: PreviousOperation | undefined;
  readonly closing: CollectionCharges;
  /** Whether costs need an office review, so that the document stays a draft. */
  readonly isToCheck: boolean;
  readonly extras: CheckInOperation["extras"];
  readonly charges: readonly DeskCharge[];
  readonly flags: readonly OperationFlag[];
  readonly warnings: readonly CheckInWarning[];
}

/** Charges added by a collection: supplements 1 to 3 (docs/interfaces/rules.md#closing-a-contract). */
export interface CollectionCharges {
  readonly extraDays: number;
  readonly extraDaysCents: Cents;
  readonly fuelCents: Cents;
  readonly kilometresCents: Cents;
  readonly missingEighths?: number;
  readonly extraKilometres?: number;
}

import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Problem } from "#domain/problems.ts";
import {
  type CheckInWarning,
  CONFLICT_CODES,
  type ConflictCode,
  type OperationFlag,
  type PreviousOperation,
} from "./operations.ts";

/** Codes of outcomes: done, waiting, decided by the office, in conflict, or refused. */
export const OUTCOME_CODES = [
  "applied",
  "held",
  "accepted",
  "dismissed",
  ...CONFLICT_CODES,
  "not_delivered",
  "more_than_due",
  "invalid_input",
  "unknown_booking",
  "other_content",
] as const;
export type OutcomeCode = (typeof OUTCOME_CODES)[number];

/** Outcome of an operation. `state` and `code` are named as in the check-in interface. */
export interface CheckInOutcome {
  readonly opId: string;
  readonly bookingId: number;
  readonly state: "applied" | "held" | "conflict" | "rejected";
  readonly status: 200 | 202 | 400 | 404 | 409 | 422;
  readonly code: OutcomeCode;
  readonly message: string;
  /** Refused fields of invalid input. */
  readonly problems?: readonly Problem[];
  readonly bookingStatus: BookingStatus | undefined;
  readonly version: number | undefined;
  readonly flags: readonly OperationFlag[];
  readonly warnings: readonly CheckInWarning[];
  /** Files that have not arrived. */
  readonly missing: readonly string[];
  readonly before: Pick<PreviousOperation, "author" | "at"> | undefined;
  readonly receivedAt: number;
}

/** Messages for operations that conflict with the stored booking, by conflict code. */
export const CONFLICT_MESSAGES: Readonly<Record<ConflictCode, string>> = {
  already_delivered: "Somebody has handed this vehicle over already",
  already_collected: "Somebody has taken this vehicle back already",
  already_exchanged: "Somebody has exchanged this vehicle already",
  before_delivery: "This is earlier than the vehicle was handed over: look at the phone's clock",
  booking_cancelled: "The booking was cancelled meanwhile",
  booking_closed: "The contract is closed",
  handover_blocked: "Something is missing before the hand-over. A manager can override it",
  no_return_trip: "This transfer has no return any more",
  not_confirmed: "The booking is not confirmed yet",
  unit_gone: "The office removed this vehicle from the booking",
  unknown_vehicle: "There is no vehicle with this reference",
  vehicle_unavailable: "This vehicle is out with another customer, or not in use any more; choose another one",
};

/** Message for a return before its delivery. */
export const NOT_DELIVERED_MESSAGE = "Nobody has handed this vehicle over yet";

/** Text appended to the message of a rejected operation. */
export const STORED_AS_EVIDENCE_NOTE = "; what you sent is kept as evidence";

/** Message to the device about a collection that arrived before its delivery. */
export const HELD_OPERATION_MESSAGE = "The delivery has not arrived yet: this waits for it, up to 24 hours";
/** Message to the device about an applied operation. */
export const APPLIED_OPERATION_MESSAGE = "Done";

type Rejection = Pick<CheckInOutcome, "opId" | "bookingId" | "status" | "code" | "message" | "problems" | "receivedAt">;

/** Returns the outcome of an operation that isn't stored, with its reason. */
export function createRejectedOutcome(rejection: Rejection): CheckInOutcome {
  return {
    ...rejection,
    state: "rejected",
    bookingStatus: undefined,
    version: undefined,
    flags: [],
    warnings: [],
    missing: [],
    before: undefined,
  };
}

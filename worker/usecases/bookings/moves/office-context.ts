import { hasRight, type Right } from "#domain/access/rights.ts";
import type { SignedIn } from "#domain/access/sessions.ts";
import type { Contract } from "#domain/bookings/moves/contract.ts";
import type { BookingAction } from "#domain/bookings/moves/moves.ts";
import type { MoveContext, MoveRequest, PlanRefusal } from "#domain/bookings/moves/plan.ts";
import type { Exchange, ReservationDetails } from "#domain/bookings/moves/requests.ts";
import type { InvalidInput, SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { ImportCheck, ImportRefusal } from "#domain/operations/imports.ts";
import { err, type Result } from "#domain/result.ts";
import { readToken } from "#worker/auth/tokens.ts";
import type { officeCustomerQueries } from "#worker/store/access/customers.ts";
import type { reservationQueries } from "#worker/store/bookings/moves/reservations.ts";
import type { BlockRow, officeVehicleQueries } from "#worker/store/catalogue/office-vehicles.ts";
import type { Answers } from "#worker/store/database.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { StaffRefusal, StaffRequest } from "#worker/usecases/access/read-as-staff.ts";

/** A write of the office: who asks, and the key under which it is done once. */
export interface OfficeWrite extends StaffRequest {
  readonly idempotencyKey: string;
}

/** What a role may not do. */
export interface RightMissing {
  readonly kind: "rightMissing";
  readonly right: Right;
}

/** Why the office's request is not done. */
export type OfficeRefusal =
  | StaffRefusal
  | PlanRefusal
  | InvalidInput<string>
  | SoldOut
  /** This asks for the second factor to be proved anew. */
  | { readonly kind: "secondFactorStale" }
  | RightMissing
  /** Beyond what this role gives away by itself, in minor units. */
  | { readonly kind: "aboveLimit"; readonly limitCents: number }
  | { readonly kind: "reservationNotFound" | "customerNotFound" | "vehicleNotFound" | "unitNotFound" }
  | { readonly kind: "vehiclePromised" | "vehicleBlocked" | "vehicleLeaves" }
  | { readonly kind: "vehicleOfOtherCategory" | "vehicleOfOtherGroup" }
  | { readonly kind: "branchOfOthers" }
  | { readonly kind: "blockNotFound" | "damageNotFound" | "referenceTaken" | "vehicleOut" | "attentionNotLookedAt" }
  /** The vehicle or the block is another by now: as it is. */
  | { readonly kind: "vehicleChanged"; readonly vehicle: VehicleAnswer }
  | { readonly kind: "blockChanged"; readonly block: BlockRow }
  | { readonly kind: "customerHasContracts" | "customerToBeTold"; readonly bookingIds: readonly number[] }
  | { readonly kind: "recordWaits" | "recordNotKept" | "recordMissing" }
  | { readonly kind: "recordIncomplete"; readonly missing: string }
  | { readonly kind: "documentNotFound" | "refundNotFound" | "closingNotFound" }
  | { readonly kind: "moreThanPaid" | "nothingToRefund" | "refundDecided" | "secondPersonNeeded" | "cashClosed" }
  /** The gateway took no more than this of it, in minor units. */
  | { readonly kind: "moreThanGatewayTook"; readonly cents: number }
  | { readonly kind: "refundNotStuck" }
  /** The agent was paid; papers say already what they have kept. */
  | { readonly kind: "commissionSettled" | "commissionInvoiced" }
  | { readonly kind: "communicationNotFound" | "communicationNotRefused" | "communicationNotByHand" }
  /** Somebody of that document, or of that e-mail and name, is there already. */
  | { readonly kind: "customerKnown"; readonly customerId: number }
  /** The customer is another by now, of these two the one of that id. */
  | { readonly kind: "customerMerged"; readonly mergedIntoId: number }
  | { readonly kind: "customerChanged"; readonly customer: CustomerAnswer }
  /** Check-in does not do it, and says why in its own words. */
  | { readonly kind: "checkInConflict"; readonly code: string; readonly message: string }
  | ImportRefusal
  | { readonly kind: "importNotFound" }
  /** Nothing was written: what is wrong with the files. */
  | { readonly kind: "importHasProblems"; readonly check: ImportCheck }
  | { readonly kind: "importNotUndoable"; readonly reasons: readonly string[] }
  /** The key was used for something else. */
  | { readonly kind: "keyReused" }
  /** The reservation is another by now: as it is. */
  | { readonly kind: "changedMeanwhile"; readonly reservation: ReservationAnswer };

/** An answer of the office, and the token to hand back. */
export interface OfficeAnswer<T> {
  readonly value: T;
  readonly freshToken: string | undefined;
}

/** What is asked of a reservation, beside what its sums depend on. */
export interface MoveInput {
  readonly bookingId: number;
  /** The version that it was decided on. */
  readonly expectedVersion: number;
  readonly request: MoveRequest;
  readonly reason?: string | undefined;
  /** Why a manager goes past a selling rule. */
  readonly ruleReason?: string | undefined;
  /** A vehicle for a unit, or none any more. */
  readonly assignment?: { readonly unitId: number | undefined; readonly reference: string | undefined } | undefined;
  readonly exchange?: Exchange | undefined;
  readonly details?: ReservationDetails | undefined;
}

export type ReservationRows = Answers<ReturnType<typeof reservationQueries>>;

type VehicleRows = Answers<ReturnType<typeof officeVehicleQueries>>;

/** A vehicle as the office sees it. */
export interface VehicleAnswer {
  readonly vehicle: VehicleRows[0][number];
  readonly blocks: VehicleRows[1];
  readonly damages: VehicleRows[2];
  readonly history: VehicleRows[3];
}

type CustomerRows = Answers<ReturnType<typeof officeCustomerQueries>>;

/** A customer as the office sees it. */
export interface CustomerAnswer {
  readonly customer: CustomerRows[0][number];
  readonly history: CustomerRows[1];
}

/** A reservation as the office sees it. */
export interface ReservationAnswer {
  readonly contract: Contract;
  /** The moves that it can make now. */
  readonly allowed: readonly BookingAction[];
  readonly row: ReservationRows[5][number];
  readonly history: ReservationRows[6];
  readonly documents: ReservationRows[7];
  readonly charges: ReservationRows[8];
  readonly codes: ReadonlyMap<string, ReservationRows[9][number]>;
}

/** Refuses whoever lacks a right, naming it. */
export function refuseWithout({ role }: SignedIn, right: Right): Result<never, RightMissing> | undefined {
  return hasRight(role, right) ? undefined : err({ kind: "rightMissing", right });
}

/** The company's own people, now. */
export function staffContext({ settings }: Catalogue, at: number): MoveContext {
  return { now: civilNow(settings.timezone, at), at, isStaff: true };
}

/** The key of a write as it is kept: the user's own, so that nobody meets another's. */
export async function toUserKey({ tenant, authorization, now, idempotencyKey }: OfficeWrite): Promise<string> {
  const token = await readToken(tenant, authorization, now);
  return `${token?.userId ?? 0}:${idempotencyKey}`;
}

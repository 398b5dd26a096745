import { hasRight, type Right } from "#domain/access/rights.ts";
import type { SecondFactorState, SignedInUser } from "#domain/access/sessions.ts";
import type { ContractData } from "#domain/bookings/bookings.ts";
import {
  type AppliedDiscount,
  getAgentDiscountLimitCents,
  getDiscountableCents,
  isWithinAgentLimits,
} from "#domain/bookings/discounts.ts";
import type { InvalidInput, SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import type { BookingAction } from "#domain/contracts/actions.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import type { ActionContext, ActionPlanRefusal, ActionRequest } from "#domain/contracts/plan.ts";
import type { ReservationDetailsChange, VehicleExchangeRequest } from "#domain/contracts/requests.ts";
import type { CollectiveInvoiceRefusal } from "#domain/documents/collective.ts";
import type { MissingInvoiceField } from "#domain/documents/draft.ts";
import type { EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import type { EInvoiceField } from "#domain/e-invoices/missing-fields.ts";
import type { HandOverFailureCode } from "#domain/failure-codes.ts";
import type { UndoProblem } from "#domain/operations/import-problems.ts";
import type { ImportCheck, ImportRefusal } from "#domain/operations/imports.ts";
import type { CardHoldStatus } from "#domain/payments/card-holds.ts";
import type { PaymentLinkStatus } from "#domain/payments/payment-links.ts";
import { err, type Result } from "#domain/result.ts";
import { readSessionToken } from "#worker/auth/tokens.ts";
import type { customerDetailQueries } from "#worker/store/access/customers.ts";
import type { PossibleDuplicate } from "#worker/store/access/matching-customers.ts";
import { approversQuery } from "#worker/store/bookings/accepted-shortages.ts";
import type { reservationQueries } from "#worker/store/contracts/reservations.ts";
import type { QueryResults } from "#worker/store/database.ts";
import type { officeVehicleQueries, VehicleBlockRow } from "#worker/store/fleet/office-vehicles.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { CustomerMailAnswer } from "#worker/usecases/office/message-answers.ts";
import type { NoteAnswer, TaskAnswer } from "#worker/usecases/office/note-answers.ts";
import type { StaffRefusal, StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Office write: the request and its idempotency key. */
export interface OfficeWrite extends StaffRequest {
  readonly idempotencyKey: string;
}

/** Refusal because the user's role lacks a right. */
export interface MissingRight {
  readonly kind: "rightMissing";
  readonly right: Right;
  /** Managers who may do it, if the refusal names them. */
  readonly approvers?: readonly string[];
}

/** Amount given away above the user's limit, in minor units. */
export interface PriceAboveLimit {
  readonly kind: "aboveLimit";
  readonly limitCents: number;
}

/** Largest discount that the role may give on the reservation, in minor units. */
export interface DiscountAboveLimit {
  readonly kind: "discountLimit";
  readonly limitCents: number;
  /** Managers who may give it, if the refusal names them. */
  readonly approvers?: readonly string[];
}

/** Refusal because something is sold out, with the managers who may accept the shortage. */
export type OfficeSoldOut = SoldOut & { readonly approvers?: readonly string[] };

/** Returns a refusal with the names of the branch's managers, who may approve it. One round trip. */
export async function addApprovers<Refusal extends object>(
  db: OfficeWrite["tenant"]["db"],
  refusal: Refusal,
  branchCode: string,
): Promise<Refusal & { readonly approvers: readonly string[] }> {
  const [approvers] = await db.batch([approversQuery(db, branchCode)]);
  return { ...refusal, approvers: approvers.flatMap(({ name }) => name ?? []) };
}

/** Reasons to refuse an office request. */
export type OfficeRefusal =
  | StaffRefusal
  | ActionPlanRefusal
  | InvalidInput<string>
  | OfficeSoldOut
  /** The second factor must be confirmed again. */
  | { readonly kind: "secondFactorStale" }
  | MissingRight
  /** Above the role's own limit, in minor units. */
  | PriceAboveLimit
  | DiscountAboveLimit
  | { readonly kind: "reservationNotFound" | "customerNotFound" | "vehicleNotFound" | "unitNotFound" }
  | { readonly kind: "noteNotFound" | "taskNotFound" | "messageNotFound" | "messageOutdated" | "viewNotFound" }
  | { readonly kind: "fileNotFound" | "tooManyFiles" }
  /** The task has changed. Contains its current state. */
  | { readonly kind: "taskChanged"; readonly task: TaskAnswer }
  | { readonly kind: "vehiclePromised" | "vehicleBlocked" | "vehicleLeaves" }
  | { readonly kind: "vehicleOfOtherCategory" | "vehicleOfOtherGroup" }
  | { readonly kind: "branchOfOthers" }
  | { readonly kind: "blockNotFound" | "damageNotFound" | "referenceTaken" | "vehicleOut" | "attentionNotLookedAt" }
  /** The vehicle or block has changed. Contains its current state. */
  | { readonly kind: "vehicleChanged"; readonly vehicle: VehicleAnswer }
  | { readonly kind: "blockChanged"; readonly block: VehicleBlockRow }
  | { readonly kind: "customerHasContracts" | "customerToBeTold"; readonly bookingIds: readonly number[] }
  | { readonly kind: "recordWaits" | "recordNotKept" | "recordMissing" }
  | { readonly kind: "recordIncomplete"; readonly missing: string }
  | CollectiveInvoiceRefusal
  /** Internal departments get no invoice. */
  | { readonly kind: "notForDepartments" }
  | { readonly kind: "documentIsDraft" | "documentIsCredit" | "documentReplaced" | "moreThanDue" }
  /** Data missing to issue a document. */
  | { readonly kind: "documentIncomplete"; readonly missing: readonly MissingInvoiceField[] }
  | { readonly kind: "documentNotFound" | "refundNotFound" | "closingNotFound" }
  | EInvoiceIncomplete
  /** The gateway reported the refund itself. */
  | { readonly kind: "refundReported" }
  | { readonly kind: "moreThanPaid" | "nothingToRefund" | "refundDecided" | "secondPersonNeeded" | "cashClosed" }
  /** Maximum that the gateway received, in minor units. */
  | { readonly kind: "moreThanGatewayTook"; readonly cents: number }
  | { readonly kind: "refundNotStuck" }
  | { readonly kind: "agencyNotFound" }
  | { readonly kind: "paymentLinkNotFound" | "paymentLinkUsed" | "nothingDue" }
  /** Requested card hold, and the deposit due, in minor units. */
  | { readonly kind: "moreThanDeposit"; readonly cents: number; readonly maximumCents: number }
  | { readonly kind: "holdNotFound" | "holdNotAuthorised" | "holdInProgress" | "moreThanHeld" | "moreThanDue" }
  /** The agent was already paid, or documents already show the collected amount. */
  | { readonly kind: "commissionSettled" | "commissionInvoiced" }
  | { readonly kind: "ministryReportNotFound" | "ministryReportNotRefused" | "ministryReportNotByHand" }
  /** A customer with this document, or this e-mail and name, already exists. */
  | { readonly kind: "customerKnown"; readonly customerId: number }
  | { readonly kind: "possibleDuplicate"; readonly candidates: readonly PossibleDuplicate[] }
  /** The customer was merged into the one with this id. */
  | { readonly kind: "customerMerged"; readonly mergedIntoId: number }
  /** The company doesn't rent to the customer. Only a manager can confirm the sale anyway. */
  | { readonly kind: "doNotRent"; readonly reason: string; readonly isManager: boolean }
  /** Checks that aren't met before the hand-over, and those of them that block it. */
  | {
      readonly kind: "handOverBlocked";
      readonly missing: readonly HandOverCheck[];
      readonly blocking: readonly HandOverCheck[];
    }
  | { readonly kind: "customerChanged"; readonly customer: CustomerAnswer }
  /** The check-in decision refused the delivery or return, with its own code and message. */
  | { readonly kind: "checkInConflict"; readonly code: HandOverFailureCode; readonly message: string }
  | ImportRefusal
  | { readonly kind: "importNotFound" }
  /** Nothing was written. Contains the problems of the files. */
  | { readonly kind: "importHasProblems"; readonly check: ImportCheck }
  | { readonly kind: "importNotUndoable"; readonly reasons: readonly UndoProblem[] }
  /** The key was used for a different request. */
  | { readonly kind: "keyReused" }
  /** The reservation has changed. Contains its current state. */
  | { readonly kind: "changedMeanwhile"; readonly reservation: ReservationAnswer };

/** Data that an electronic invoice lacks in a format. */
export interface EInvoiceIncomplete {
  readonly kind: "eInvoiceIncomplete";
  readonly format: EInvoiceFormat;
  readonly missing: readonly EInvoiceField[];
}

/** Input of an action, in addition to the fields that affect the price. */
export interface BookingActionInput {
  readonly bookingId: number;
  /** Version of the booking that the user saw. */
  readonly expectedVersion: number;
  readonly request: ActionRequest;
  readonly reason?: string | undefined;
  /** A manager's reason to override a selling rule. */
  readonly ruleReason?: string | undefined;
  /** A manager's reason to use more than the stock contains. */
  readonly shortageReason?: string | undefined;
  /** Vehicle for a unit. An undefined reference removes the unit's vehicle. */
  readonly assignment?: { readonly unitId: number | undefined; readonly reference: string | undefined } | undefined;
  readonly exchange?: VehicleExchangeRequest | undefined;
  readonly details?: ReservationDetailsChange | undefined;
  /** Whether a manager accepts a new customer to whom the company doesn't rent. */
  readonly isDoNotRentConfirmed?: boolean | undefined;
}

export type ReservationRows = QueryResults<ReturnType<typeof reservationQueries>>;

type VehicleRows = QueryResults<ReturnType<typeof officeVehicleQueries>>;

/** Vehicle as the office sees it. */
export interface VehicleAnswer {
  readonly vehicle: VehicleRows[0][number];
  readonly blocks: VehicleRows[1];
  readonly damages: VehicleRows[2];
  readonly history: VehicleRows[3];
}

type CustomerRows = QueryResults<ReturnType<typeof customerDetailQueries>>;

/** Customer as the office sees it. */
export interface CustomerAnswer {
  readonly customer: CustomerRows[0][number];
  readonly history: CustomerRows[1];
}

/** Reservation as the office sees it. */
export interface ReservationAnswer {
  readonly contract: Contract;
  /** Currently possible actions. */
  readonly allowed: readonly BookingAction[];
  readonly row: ReservationRows[5][number];
  readonly history: ReservationRows[6];
  readonly documents: ReservationRows[7];
  readonly charges: ReservationRows[8];
  readonly codes: ReadonlyMap<string, ReservationRows[9][number]>;
  readonly holds: readonly (Omit<ReservationRows[11][number], "status" | "linkStatus"> & {
    readonly status: CardHoldStatus;
  })[];
  readonly paymentLinks: readonly (Omit<ReservationRows[10][number], "status"> & {
    readonly status: PaymentLinkStatus;
  })[];
  readonly notes: readonly NoteAnswer[];
  readonly tasks: readonly TaskAnswer[];
  readonly messages: readonly CustomerMailAnswer[];
  /** Damage found on its vehicles. */
  readonly damages: ReservationRows[16];
  /** Reason why the company doesn't rent to the customer. */
  readonly doNotRent: string | null;
  /** Drivers, flight and addresses. */
  readonly contractData: ContractData;
  /** Missing requirements before the hand-over. */
  readonly missing: readonly HandOverCheck[];
}

/** Refuses a session whose second factor wasn't proved recently. Another person may be using an unattended desk. */
export function findStaleFactorRefusal(
  factor: SecondFactorState,
): Result<never, { readonly kind: "secondFactorStale" }> | undefined {
  return factor === "stale" ? err({ kind: "secondFactorStale" }) : undefined;
}

/** Refuses a user without the right. The refusal contains the right. */
export function findMissingRightRefusal(staff: SignedInUser, right: Right): Result<never, MissingRight> | undefined {
  return hasRight(staff, right) ? undefined : err({ kind: "rightMissing", right });
}

/** Parts of a reservation from which a discount is taken, with the discount. */
export type Discountable = {
  readonly lines: Parameters<typeof getDiscountableCents>[0];
  readonly extras: Parameters<typeof getDiscountableCents>[1];
  readonly discount?: AppliedDiscount | undefined;
};

/** Refuses a new discount above the account's limit, unless the user may give any discount. */
export function findDiscountLimitRefusal(
  staff: SignedInUser,
  { settings }: Catalogue,
  { lines, extras, discount }: Discountable,
): DiscountAboveLimit | undefined {
  if (!discount || hasRight(staff, "discounts")) return undefined;
  const listCents = getDiscountableCents(lines, extras);
  if (hasRight(staff, "give_away") && isWithinAgentLimits(settings, discount, listCents)) return undefined;
  return { kind: "discountLimit", limitCents: getAgentDiscountLimitCents(settings, listCents) };
}

/** Returns the action context of staff at `at`. */
export function createStaffActionContext({ settings }: Catalogue, at: number): ActionContext {
  return { now: toCivilNow(settings.timezone, at), at, isStaff: true };
}

/** Builds the stored key of a write. It includes the user, so that keys of different users can't collide. */
export async function createUserIdempotencyKey({
  tenant,
  authorization,
  now,
  idempotencyKey,
}: OfficeWrite): Promise<string> {
  const token = await readSessionToken(tenant, authorization, now);
  return `${token?.userId ?? 0}:${idempotencyKey}`;
}

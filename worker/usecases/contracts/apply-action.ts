import { canDiscountOrWaive, hasRight, type Right } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { getDiscountableCents, isSameDiscount } from "#domain/bookings/discounts.ts";
import {
  type BrokenSellingRule,
  findBrokenRuleWithoutReason,
  needsManagerOverride,
} from "#domain/bookings/selling-rules.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { CONFLICT_MESSAGES } from "#domain/check-in/outcome.ts";
import type { BookingAction } from "#domain/contracts/actions.ts";
import { calculateAgentSurplus, calculateCommission } from "#domain/contracts/agent-commission.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { findUnitToExchange } from "#domain/contracts/exchange.ts";
import { type ActionPlan, type ActionRequest, planAction } from "#domain/contracts/plan.ts";
import type { ChargeableExtra } from "#domain/contracts/surcharge.ts";
import { draftCreditNotes, getUncreditedCents } from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { sumCents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { getDiscountableTransferParts } from "#domain/transfers/change.ts";
import { type AcceptedShortage, allowShortageDuringStatements } from "#worker/store/bookings/accepted-shortages.ts";
import { bookingPayerAndInvoicingQuery } from "#worker/store/bookings/billing.ts";
import { type BookingCommission, bookingCommissionQuery } from "#worker/store/bookings/commissions.ts";
import { chargeableExtraQuery } from "#worker/store/bookings/contract-extras.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { type CustomerRow, doNotRentQuery, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import { handOverCheckInputQuery } from "#worker/store/contracts/hand-over-facts.ts";
import { reservationQueries } from "#worker/store/contracts/reservations.ts";
import { vehicleToAssignQuery } from "#worker/store/contracts/units.ts";
import { findAssignmentProblem } from "#worker/store/contracts/write-action.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import type { IssuedDocumentRow } from "#worker/store/documents/issued-documents.ts";
import { contractIssuedDocumentsQuery, toCreditableDocument } from "#worker/store/documents/issued-documents.ts";
import { findSoldOutResource, isTransientDatabaseError, violatesSqlRule } from "#worker/store/failures.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import {
  isOfficeRequestRepeated,
  officeRequestQuery,
  saveOfficeRequestStatement,
} from "#worker/store/guards/office-requests.ts";
import { VEHICLE_OUT } from "#worker/store/guards/sql-rules.ts";
import { toStockInstant } from "#worker/usecases/bookings/search-availability.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import {
  addApprovers,
  type BookingActionInput,
  createStaffActionContext,
  createUserIdempotencyKey,
  type DiscountAboveLimit,
  findDiscountLimitRefusal,
  findMissingRightRefusal,
  type MissingRight,
  type OfficeRefusal,
  type OfficeWrite,
  type ReservationAnswer,
  type ReservationRows,
} from "#worker/usecases/office/office-context.ts";
import { getTokenUserId, readAsStaff, type StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { createBookingActionWrites } from "./action-writes.ts";
import { findDoNotRentRefusal } from "./create-once.ts";
import type { DecidedBookingAction } from "./decided-action.ts";
import { toBookingCustomer } from "./known-customer.ts";
import { createVersionConflictRefusal, readReservation, toReservationAnswer } from "./read-reservation.ts";

const RIGHTS: Readonly<Record<BookingAction, Right>> = {
  confirm: "sell",
  change: "sell",
  extend: "sell",
  "early-return": "sell",
  exchange: "hand_over",
  assign: "sell",
  cancel: "sell",
  "no-show": "sell",
  deliver: "hand_over",
  collect: "hand_over",
  reopen: "manage",
  surcharge: "sell",
};

// Returns the right required for an action.
function rightFor(action: BookingAction): Right {
  return RIGHTS[action];
}

/**
 * Applies an action to a reservation, once per key. All changes are in one batch, based on the given version. Returns
 * the updated reservation. Two round trips.
 */
export async function applyBookingAction(
  write: OfficeWrite,
  input: BookingActionInput,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const content = await computeFingerprint(input);
  return withRetry(() => tryBookingAction(write, input, content), { isWorthRetrying: isPassing });
}

// Whether to read and decide again: a duplicate or concurrent write came first, and reading finds its result or the
// current version.
function isPassing(error: unknown): boolean {
  return isTransientDatabaseError(error) || isOfficeRequestRepeated(error) || isBookingVersionConflict(error);
}

async function tryBookingAction(
  write: OfficeWrite,
  input: BookingActionInput,
  content: string,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const actionData = await readBookingActionData(write, input);
  if (!actionData.ok) return actionData;
  const { known, contract } = actionData.value;
  if (known === content) return readReservation(write, input.bookingId);
  if (known) return err({ kind: "keyReused" });
  if (contract.version !== input.expectedVersion) return createVersionConflictRefusal(write, input.bookingId);
  const decided = decideBookingAction(actionData.value, input, write.now);
  if (!decided.ok) return err(await addExtensionApprovers(write.tenant.db, contract, input.request, decided.error));
  try {
    return await saveBookingAction(write, actionData.value, decided.value, content);
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal?.kind === "soldOut") return err(await addApprovers(write.tenant.db, refusal, contract.branchCode));
    if (refusal) return err(refusal);
    throw error;
  }
}

// Converts a violation of a database guard to a refusal.
function findRefusal(error: unknown): OfficeRefusal | undefined {
  if (violatesSqlRule(error, VEHICLE_OUT)) {
    const code = "vehicle_unavailable";
    return { kind: "checkInConflict", code, message: CONFLICT_MESSAGES[code] };
  }
  const problem = findAssignmentProblem(error);
  return problem ? { kind: problem } : findSoldOutResource(error);
}

function decideBookingAction(
  data: BookingActionData,
  input: BookingActionInput,
  at: number,
): Result<DecidedBookingAction, OfficeRefusal> {
  const { staff, catalogue, contract, issuedDocuments, vehicle, customer, chargeable, toInvoice, billing } = data;
  if (input.shortageReason !== undefined && !hasRight(staff.role, "manage"))
    return err({ kind: "rightMissing", right: "manage" });
  const planned = planAction(catalogue, contract, input.request, {
    ...createStaffActionContext(catalogue, at),
    actor: `staff:${staff.userId}`,
    isBillingOnly: isBillingOnly(input),
    chargeable,
  });
  if (!planned.ok) return planned;
  const { agreed, transfer } = planned.value;
  const discountRefusal = findDiscountRefusal(staff, catalogue, contract, { request: input.request, agreed, transfer });
  const refused =
    refuseGivingAway(staff, catalogue, planned.value) ??
    refuseAgentShare(data, planned.value) ??
    (discountRefusal && err(discountRefusal)) ??
    refuseBrokenRules(staff, planned.value, input) ??
    refuseOtherCategory(staff, contract, input, vehicle);
  if (refused) return refused;
  const creditNotes = input.request.action === "reopen" ? takeBack(issuedDocuments, catalogue) : [];
  const actor = `staff:${staff.userId}`;
  return ok({
    contract,
    plan: planned.value,
    input,
    creditNotes,
    vehicle,
    customer,
    billing,
    toInvoice,
    catalogue,
    at,
    actor,
  });
}

// Creates credit notes for all issued documents that aren't credited yet.
function takeBack(issuedDocuments: readonly IssuedDocumentRow[], { settings }: Catalogue): readonly DocumentDraft[] {
  const documents = issuedDocuments.map(toCreditableDocument);
  const cents = sumCents(documents.filter(({ type }) => type === "invoice").map(getUncreditedCents));
  return draftCreditNotes(documents, pickPlatformLanguage(settings.defaultLanguage), cents);
}

async function saveBookingAction(
  { tenant, now }: OfficeWrite,
  { staff, freshToken, catalogue, contract, key }: BookingActionData,
  decided: DecidedBookingAction,
  content: string,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { db } = tenant;
  const writes = createBookingActionWrites(db, decided);
  if (!writes.ok) return writes;
  const reads = reservationQueries(db, contract.id);
  const { before, documents, after } = writes.value;
  const save = (issued: readonly Query[]): Promise<unknown[]> =>
    db.batch([
      // Comes before the version check, so that a duplicate is found as such and not as a concurrent change.
      saveOfficeRequestStatement(db, { key, fingerprint: content }, { resource: String(contract.id), at: now }),
      expectBookingVersionStatement(db, contract),
      ...allowShortageDuringStatements(db, { bookingId: contract.id }, toAccepted(decided), [
        ...before,
        ...issued,
        ...after,
      ]),
      ...reads,
    ]);
  const { settings } = catalogue;
  const answers = await issueDocuments({ tenant, settings }, documents, ({ statements }) => save(statements));
  const rows = answers.slice(-reads.length) as unknown as ReservationRows;
  const value = toReservationAnswer(rows, { staff, catalogue, now });
  // The action succeeded, but the reservation moved to a branch that the user can't access.
  return value ? ok({ value, freshToken }) : err({ kind: "reservationNotFound" });
}

function toAccepted({ input: { shortageReason }, at, actor }: DecidedBookingAction): AcceptedShortage | undefined {
  return shortageReason === undefined ? undefined : { at, actor, reason: shortageReason };
}

interface BookingActionData {
  readonly staff: SignedInUser;
  readonly freshToken: string | undefined;
  readonly catalogue: Catalogue;
  readonly contract: Contract;
  /** Fingerprint of the earlier request with this key. */
  readonly known: string | undefined;
  readonly key: string;
  readonly issuedDocuments: readonly IssuedDocumentRow[];
  readonly toInvoice: DecidedBookingAction["toInvoice"];
  /** Vehicle to assign. */
  readonly vehicle: DecidedBookingAction["vehicle"];
  readonly customer: DecidedBookingAction["customer"];
  readonly billing: DecidedBookingAction["billing"];
  readonly commission: BookingCommission | undefined;
  /** Extra used for the surcharge. */
  readonly chargeable: ChargeableExtra | undefined;
}

// Refuses to confirm a do-not-rent customer's reservation, and to change a reservation to such a customer.
function refuseMarked(
  staff: SignedInUser,
  input: BookingActionInput,
  { before, after }: { readonly before: string | null | undefined; readonly after: string | null | undefined },
) {
  if (!before) return findDoNotRentRefusal(staff, input, after);
  const isRefused = input.request.action === "confirm" && !hasRight(staff.role, "manage");
  return isRefused ? err({ kind: "doNotRent", reason: before, isManager: false } as const) : undefined;
}

function refuseUnknownPayer(payerId: number | null | undefined, payer: CustomerRow | undefined) {
  const isUnknown = payerId != null && !payer;
  const field = "billing_customer_id";
  return isUnknown ? err({ kind: "invalid", field, reason: createReason("not_known") } as const) : undefined;
}

async function readBookingActionData(
  write: OfficeWrite,
  input: BookingActionInput,
): Promise<Result<BookingActionData, OfficeRefusal>> {
  const { bookingId, request, assignment, exchange, details } = input;
  const { db } = write.tenant;
  const [key, userId] = await Promise.all([createUserIdempotencyKey(write), getTokenUserId(write)]);
  const customerId = details?.customer?.id;
  const payerId = details?.billing?.customerId;
  const read = await readAsStaff(
    write,
    (catalogue) =>
      [
        handOverCheckInputQuery(db, bookingId),
        ...contractQueries(db, bookingId),
        officeRequestQuery(db, key),
        contractIssuedDocumentsQuery(db, { bookingId }),
        vehicleToAssignQuery(
          db,
          assignment?.reference ?? exchange?.reference ?? "",
          toStockInstant(catalogue, write.now).now,
        ),
        visibleCustomerQuery(db, customerId ?? 0, userId),
        chargeableExtraQuery(db, request.action === "surcharge" ? request : { code: "" }, bookingId),
        visibleCustomerQuery(db, payerId ?? 0, userId),
        bookingPayerAndInvoicingQuery(db, { bookingId }),
        doNotRentQuery(db, details?.customer ?? {}),
        bookingCommissionQuery(db, bookingId),
        ...contractToInvoiceQueries(db, { bookingId }),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, rightFor(request.action));
  if (missing) return missing;
  const [[facts], booking, lines, extras, units, transfer, [known], issuedDocuments, [vehicle], ...others] = rows;
  const [[customer], [chargeable], [payer], [billing], [mark], [commission], ...toInvoice] = others;
  const contract = toContract([booking, lines, extras, units, transfer]);
  if (!contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  if (customerId !== undefined && !customer) return err({ kind: "customerNotFound" });
  const marks = { before: facts?.doNotRent, after: mark?.reason };
  const refused = refuseMarked(staff, input, marks) ?? refuseUnknownPayer(payerId, payer);
  if (refused) return refused;
  return ok({
    billing: {
      before: { customerId: billing?.customerId ?? null, period: billing?.period ?? null },
      change: { ...details?.billing, ...(payer && { customerId: payer.id }) },
    },
    ...{
      staff,
      freshToken,
      catalogue,
      contract,
      known: known?.fingerprint,
      key,
      issuedDocuments,
      vehicle,
      chargeable,
      commission,
      toInvoice,
    },
    customer: customer && toBookingCustomer(customer),
  });
}

function isBillingOnly({ request, details }: BookingActionInput): boolean {
  if (request.action !== "change" || request.transfer || details?.billing === undefined) return false;
  const { billing: _, ...others } = details;
  return [...Object.values(request.requestedChange), ...Object.values(others)].every((value) => value === undefined);
}

// Refuses to exchange for a vehicle of another category without an upgrade price, unless a manager does it.
function refuseOtherCategory(
  { role }: SignedInUser,
  contract: Contract,
  { request }: BookingActionInput,
  vehicle: DecidedBookingAction["vehicle"],
): Result<never, OfficeRefusal> | undefined {
  if (request.action !== "exchange" || !vehicle || request.upgradeCents || hasRight(role, "manage")) return undefined;
  const unit = findUnitToExchange(contract, request.unitId);
  const hasVehicleCategory = contract.lines.some(
    ({ id, categoryCode }) => id === unit?.lineId && categoryCode === vehicle.categoryCode,
  );
  return hasVehicleCategory ? undefined : err({ kind: "rightMissing", right: "manage" });
}

function refuseBrokenRules(
  staff: SignedInUser,
  plan: ActionPlan,
  input: BookingActionInput,
): Result<never, OfficeRefusal> | undefined {
  const refusal = findActionBrokenRuleWithoutReason(plan, input) ?? findRuleOverrideRefusal(staff, plan);
  return refusal && err(refusal);
}

/**
 * Returns the selling rule that an action breaks without the reason that staff must give. An extension needs no reason,
 * because the vehicle is out.
 */
export function findActionBrokenRuleWithoutReason(
  { action, agreed }: ActionPlan,
  reason: Parameters<typeof findBrokenRuleWithoutReason>[1],
): BrokenSellingRule | undefined {
  return action === "extend" ? undefined : findBrokenRuleWithoutReason(agreed?.brokenRules ?? [], reason);
}

/** Returns why the user may not break the selling rules that an action breaks. */
export function findRuleOverrideRefusal(staff: SignedInUser, { agreed }: ActionPlan): MissingRight | undefined {
  const isManagerNeeded = needsManagerOverride(agreed?.brokenRules ?? []) && !hasRight(staff.role, "manage");
  return isManagerNeeded ? { kind: "rightMissing", right: "manage" } : undefined;
}

/** Names the managers who may approve an extension, because the vehicle is out with the customer. */
export async function addExtensionApprovers<Refusal extends { readonly kind: string }>(
  db: Database,
  { branchCode }: Pick<Contract, "branchCode">,
  { action }: ActionRequest,
  refusal: Refusal,
): Promise<Refusal> {
  const isApprovable = refusal.kind === "discountLimit" || refusal.kind === "rightMissing";
  return action === "extend" && isApprovable ? addApprovers(db, refusal, branchCode) : refusal;
}

/** Returns why the user may not give the requested discount, or keep the unchanged one at the new price. */
export function findDiscountRefusal(
  staff: SignedInUser,
  catalogue: Catalogue,
  contract: Contract,
  { request, agreed, transfer }: Pick<ActionPlan, "agreed" | "transfer"> & { readonly request: ActionRequest },
): DiscountAboveLimit | undefined {
  const discountable = transfer ? getDiscountableTransferParts(transfer) : agreed;
  if (!discountable?.discount) return undefined;
  const { discount: before } = contract;
  const requested = request.action === "change" ? request.requestedChange.discount : undefined;
  const isUnchanged = !requested || (before && isSameDiscount(before, requested));
  if (!isUnchanged || isOwnAmountLargerShare(staff, contract, agreed))
    return findDiscountLimitRefusal(staff, catalogue, discountable);
  const { by, amountCents } = discountable.discount;
  const { agentLimitCents: limitCents } = catalogue.settings;
  // An unchanged discount needs the right only if the new price lifts its amount above the limit. A higher
  // amount was given by a manager, and a customer's own discount by the company.
  const hasPassedLimit = by !== "customer" && (before?.amountCents ?? 0) <= limitCents && amountCents > limitCents;
  return hasPassedLimit && !hasRight(staff, "discounts") ? { kind: "discountLimit", limitCents } : undefined;
}

// Whether the amount that the user gave becomes a larger share, because the price falls.
function isOwnAmountLargerShare(
  { userId }: SignedInUser,
  { discount, lines, extras }: Contract,
  agreed: ActionPlan["agreed"],
): boolean {
  const isOwnAmount = discount?.kind === "amount" && discount.by === `staff:${userId}`;
  if (!isOwnAmount || !agreed) return false;
  return getDiscountableCents(agreed.lines, agreed.extras) < getDiscountableCents(lines, extras);
}

function refuseGivingAway(
  staff: SignedInUser,
  { settings }: Catalogue,
  { forgoneCents }: ActionPlan,
): Result<never, OfficeRefusal> | undefined {
  const limitCents = settings.agentLimitCents;
  if (forgoneCents === 0 || canDiscountOrWaive(staff, forgoneCents, limitCents)) return undefined;
  return err({ kind: "aboveLimit", limitCents });
}

// A lower price lowers the commission. What the agent has kept beyond it is given away by this change.
function refuseAgentShare(
  { staff, catalogue: { settings }, commission }: BookingActionData,
  { agreed, transfer }: ActionPlan,
): Result<never, OfficeRefusal> | undefined {
  const baseCents = (transfer ?? agreed)?.totals.itemCents;
  if (!commission || commission.agentId === null || commission.isSettled || baseCents === undefined) return undefined;
  const keptCents = commission.prepaidCents;
  const before = { keptCents, commissionCents: commission.commissionCents };
  const after = { keptCents, commissionCents: calculateCommission(commission, baseCents) };
  const forgoneCents = calculateAgentSurplus(after, before);
  const limitCents = settings.agentLimitCents;
  if (forgoneCents === 0 || canDiscountOrWaive(staff, forgoneCents, limitCents)) return undefined;
  return err({ kind: "aboveLimit", limitCents });
}

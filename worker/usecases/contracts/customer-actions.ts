import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { RequestedContractChange } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { type ActionPlan, type ActionPlanRefusal, planAction } from "#domain/contracts/plan.ts";
import type { ContractAllocation } from "#domain/contracts/shortage.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { TransferChangeRequest } from "#domain/transfers/change.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { contractAllocationsQuery, toUnexpiredAllocations } from "#worker/store/contracts/contract-allocations.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { findSoldOutResource, isTransientDatabaseError } from "#worker/store/failures.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { officeRequestQuery, saveOfficeRequestStatement } from "#worker/store/guards/office-requests.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import type { BookingActionInput, OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { CONFLICT_ATTEMPTS, createPatience, withRetry } from "#worker/usecases/shared/with-retry.ts";
import { createBookingActionWrites } from "./action-writes.ts";
import { quotePlannedBookingAction } from "./quote-action.ts";

/** Actions of customers on their own bookings. */
export type CustomerBookingAction =
  | { readonly action: "cancel"; readonly feeCents: undefined }
  | {
      readonly action: "change";
      readonly requestedChange: RequestedContractChange;
      /** Change of a transfer, which has trips instead of a period. */
      readonly transfer?: TransferChangeRequest | undefined;
    };

/** Reasons to refuse a customer's action. */
export type CustomerActionRefusal =
  | ActionPlanRefusal
  | SoldOut
  | { readonly kind: "bookingNotFound" }
  /** Only staff may do this, by the account's settings. */
  | { readonly kind: "notAllowedHere" }
  /** An agency made the booking, and only it can change the booking. */
  | { readonly kind: "bookedByAgency" }
  | { readonly kind: "changedMeanwhile"; readonly version: number };

/** Customer's booking, and the effects of an action. */
export interface CustomerActionAnswer {
  readonly contract: Contract;
  readonly plan: ActionPlan;
  readonly catalogue: Catalogue;
}

/**
 * Quotes an action on the customer's own booking, or returns the reason it can't be made, including sold-out products.
 * Stores nothing. One round trip, or two if it uses stock.
 */
export async function quoteCustomerAction(
  tenant: Tenant,
  freeAccessId: string,
  request: CustomerBookingAction,
  now: number,
): Promise<Result<CustomerActionAnswer, CustomerActionRefusal>> {
  const planned = await planCustomerAction(tenant, freeAccessId, request, { now });
  if (!planned.ok) return planned;
  const { refusal } = await quotePlannedBookingAction(tenant, { ...planned.value, ruleReason: undefined, now });
  return refusal?.kind === "soldOut" ? err(refusal) : planned;
}

interface PlannedCustomerAction extends CustomerActionAnswer {
  readonly toInvoice: ContractToInvoiceRows;
  readonly allocations: readonly ContractAllocation[];
}

async function planCustomerAction(
  tenant: Tenant,
  freeAccessId: string,
  request: CustomerBookingAction,
  { now, agencyId }: { readonly now: number; readonly agencyId?: number | undefined },
): Promise<Result<PlannedCustomerAction, CustomerActionRefusal>> {
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        ...contractQueries(tenant.db, { freeAccessId }),
        contractAllocationsQuery(tenant.db, { freeAccessId }),
        ...contractToInvoiceQueries(tenant.db, { freeAccessId }),
      ] as const,
  );
  const [booking, lines, extras, units, transfer, item, ...toInvoice] = rows;
  const contract = toContract([booking, lines, extras, units, transfer]);
  if (!contract) return err({ kind: "bookingNotFound" });
  const { settings } = catalogue;
  const isByAgency = agencyId !== undefined && contract.agencyId === agencyId;
  if (!isByAgency && !settings.customerChangesAllowed) return err({ kind: "notAllowedHere" });
  if (!isByAgency && contract.agencyId !== undefined) return err({ kind: "bookedByAgency" });
  const { action } = request;
  // From the hand-over on, what the customer rents and buys is agreed at the desk and not with the agency.
  if (isByAgency && contract.status === "in_progress")
    return err({ kind: "actionNotAllowed", action, rule: "pickup_time_passed", status: contract.status });
  const context = { now: toCivilNow(settings.timezone, now), at: now, isStaff: false };
  const planned = planAction(catalogue, contract, request, context);
  const allocations = toUnexpiredAllocations(item, now);
  return planned.ok ? ok({ contract, plan: planned.value, catalogue, toInvoice, allocations }) : planned;
}

/**
 * Cancels or changes the customer's own booking by the account's terms. The unguessable id grants access. Without a
 * version, it's decided on the current booking.
 */
export function applyCustomerAction(
  tenant: Tenant,
  freeAccessId: string,
  request: CustomerBookingAction,
  {
    now,
    expectedVersion,
    actor,
    agencyId,
    details,
  }: {
    readonly now: number;
    readonly expectedVersion: number | undefined;
    readonly actor: string;
    /** The agency that changes its booking. Absent for customers. */
    readonly agencyId?: number | undefined;
    readonly details?: BookingActionInput["details"];
  },
): Promise<Result<CustomerActionAnswer, CustomerActionRefusal>> {
  const key = `own:${createFreeAccessId()}`;
  let tried: CustomerActionAnswer | undefined;
  const attempt = async (): Promise<Result<CustomerActionAnswer, CustomerActionRefusal>> => {
    const previousResult = tried && (await findPreviousResult(tenant, key, tried));
    if (previousResult) return ok(previousResult);
    const planned = await planCustomerAction(tenant, freeAccessId, request, { now, agencyId });
    if (!planned.ok) return planned;
    const { contract, plan, catalogue, toInvoice } = planned.value;
    tried = { contract, plan, catalogue };
    if (expectedVersion !== undefined && expectedVersion !== contract.version)
      return err({ kind: "changedMeanwhile", version: contract.version });
    const input = { bookingId: contract.id, expectedVersion: contract.version, request, details };
    const writes = createBookingActionWrites(tenant.db, {
      contract,
      plan,
      input,
      creditNotes: [],
      toInvoice,
      vehicle: undefined,
      customer: undefined,
      catalogue,
      at: now,
      actor,
    });
    if (!writes.ok) throw new Error(`a customer's ${request.action} is refused as ${getKind(writes.error)}`);
    const reads = contractQueries(tenant.db, contract.id);
    const { before, documents, after: last } = writes.value;
    const { settings } = catalogue;
    const requestRecord = { resource: String(contract.id), at: now };
    const keep = saveOfficeRequestStatement(tenant.db, { key, fingerprint: "" }, requestRecord);
    const answers = await issueDocuments(
      { tenant, settings },
      documents,
      ({ statements }): Promise<unknown[]> =>
        tenant.db.batch([
          expectBookingVersionStatement(tenant.db, contract),
          keep,
          ...before,
          ...statements,
          ...last,
          ...reads,
        ]),
    );
    const after = toContract(answers.slice(-reads.length) as unknown as Parameters<typeof toContract>[0]);
    return ok({ contract: after ?? contract, plan, catalogue });
  };
  const isWorthRetrying = createPatience(isTransientDatabaseError, isBookingVersionConflict);
  return withRetry(attempt, { attempts: CONFLICT_ATTEMPTS, isWorthRetrying }).catch((error: unknown) => {
    const soldOut = findSoldOutResource(error);
    if (soldOut) return err(soldOut);
    throw error;
  });
}

// Returns the result of an earlier attempt with a lost answer, with the current booking.
async function findPreviousResult(
  tenant: Tenant,
  key: string,
  tried: CustomerActionAnswer,
): Promise<CustomerActionAnswer | undefined> {
  const { db } = tenant;
  const [[known], ...rows] = await db.batch([officeRequestQuery(db, key), ...contractQueries(db, tried.contract.id)]);
  const contract = known && toContract(rows);
  return contract && { ...tried, contract };
}

const getKind = ({ kind }: OfficeRefusal) => kind;

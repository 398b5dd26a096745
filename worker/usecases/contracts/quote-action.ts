import { hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { getOccupancySpans, type RentalStock } from "#domain/bookings/availability.ts";
import { addDiscountAuthorName } from "#domain/bookings/discounts.ts";
import type { InvalidInput, SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import { listPermitsEndingBefore } from "#domain/catalogue/vehicle-dues.ts";
import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { type ActionPlan, type ActionPlanRefusal, type ActionRequest, planAction } from "#domain/contracts/plan.ts";
import {
  type ContractAllocation,
  type ExtendedOccupancy,
  findContractShortage,
  findExtendedSubstituteOccupancy,
  findExtensionShortage,
} from "#domain/contracts/shortage.ts";
import {
  findDependentCategories,
  getDependencySpan,
  getIncomingStockAfter,
  getStockIncomingAtReturn,
} from "#domain/contracts/stock-dependencies.ts";
import { toCivilMinute, toSpan } from "#domain/dates.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import { findTransferShortage } from "#domain/transfers/shortage.ts";
import { chargeableExtraQuery } from "#worker/store/bookings/contract-extras.ts";
import { discountAuthorQuery } from "#worker/store/bookings/discount-author.ts";
import { type StockQueryInput, stockQuery, toRentalStock } from "#worker/store/bookings/stock.ts";
import { assignedVehiclesQuery, nextAssignmentsQuery } from "#worker/store/contracts/assigned-vehicles.ts";
import { contractAllocationsQuery, toUnexpiredAllocations } from "#worker/store/contracts/contract-allocations.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { eInvoiceCustomersQuery } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import {
  toTransferAllocations,
  transferAllocationsAroundTripsQuery,
} from "#worker/store/transfers/stock-allocations.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { toStockInstant } from "#worker/usecases/bookings/search-availability.ts";
import type { IssuePreview } from "#worker/usecases/documents/invoice-contract.ts";
import { draftRetainedFeeDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import {
  addApprovers,
  createStaffActionContext,
  type DiscountAboveLimit,
  findMissingRightRefusal,
  type MissingRight,
  type OfficeRefusal,
  type OfficeSoldOut,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { previewEInvoices } from "#worker/usecases/shared/preview-e-invoice.ts";
import {
  addExtensionApprovers,
  findActionBrokenRuleWithoutReason,
  findDiscountRefusal,
  findRuleOverrideRefusal,
} from "./apply-action.ts";

/** Effects of an action, or the reason it can't be made. */
export interface BookingActionQuote {
  readonly plan: ActionPlan | undefined;
  readonly refusal: ActionPlanRefusal | InvalidInput | OfficeSoldOut | DiscountAboveLimit | MissingRight | undefined;
  /** Warnings: violated selling rules, and rentals that depend on the incoming vehicle. */
  readonly warnings: readonly Reason[];
  /** Documents that a cancellation issues: the invoice of its fee and credit notes. */
  readonly documents?: IssuePreview | undefined;
}

/** Requested action, and a manager's reason to override a selling rule. */
export interface BookingActionToQuote {
  readonly request: ActionRequest;
  readonly ruleReason?: string | undefined;
  /** Whether a manager accepts that the action uses more than the stock contains. */
  readonly acceptsShortage?: boolean;
}

/** Quotes a reservation action and checks whether it's possible. Stores nothing. One or two round trips. */
export async function quoteBookingAction(
  request: StaffRequest,
  bookingId: number,
  { request: requestedAction, ruleReason, acceptsShortage = false }: BookingActionToQuote,
): Promise<Result<StaffAnswer<BookingActionQuote>, OfficeRefusal>> {
  const { tenant, now } = request;
  const isCancelling = requestedAction.action === "cancel" || requestedAction.action === "no-show";
  const read = await readAsStaff(
    request,
    () =>
      [
        ...contractQueries(tenant.db, bookingId),
        contractAllocationsQuery(tenant.db, bookingId),
        chargeableExtraQuery(
          tenant.db,
          requestedAction.action === "surcharge" ? requestedAction : { code: "" },
          bookingId,
        ),
        assignedVehiclesQuery(tenant.db, bookingId),
        discountAuthorQuery(tenant.db, bookingId),
        nextAssignmentsQuery(tenant.db, bookingId),
        ...(isCancelling
          ? ([
              ...contractToInvoiceQueries(tenant.db, { bookingId }),
              branchIssuersQuery(tenant.db),
              eInvoiceCustomersQuery(tenant.db, { bookingId }),
            ] as const)
          : ([] as const)),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [booking, lines, extras, units, trips, item, [chargeable], assigned, [author], next, ...contractRows] = rows;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const contract = toContract([booking, lines, extras, units, trips]);
  if (!contract || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const planned = planAction(catalogue, contract, requestedAction, {
    ...createStaffActionContext(catalogue, now),
    actor: `staff:${staff.userId}`,
    chargeable,
  });
  if (!planned.ok) return ok({ value: { plan: undefined, refusal: planned.error, warnings: [] }, freshToken });
  const allocations = toUnexpiredAllocations(item, now);
  const value = await quotePlannedBookingAction(tenant, {
    catalogue,
    contract,
    allocations,
    plan: planned.value,
    ruleReason,
    now,
  });
  const documents =
    contractRows.length === 0 ? undefined : previewCancellation(contractRows, planned.value, catalogue.settings, now);
  const stock = await decideStock(tenant, value.refusal, {
    branchCode: contract.branchCode,
    isAccepted: acceptsShortage && hasRight(staff.role, "manage"),
  });
  const limit = findLimitRefusal(staff, catalogue, contract, { request: requestedAction, ...planned.value });
  const refusal =
    stock.refusal ?? (limit && (await addExtensionApprovers(tenant.db, contract, requestedAction, limit)));
  const warnings = [
    ...value.warnings,
    ...createDueWarnings(contract, planned.value, assigned),
    ...createReleaseWarnings(planned.value, next),
    ...stock.warnings,
  ];
  const names = {
    ...(author && { [author.actor]: author.name }),
    [`staff:${staff.userId}`]: staff.fullName,
  };
  const plan = nameDiscountAuthors(planned.value, names);
  return ok({ value: { plan, refusal, warnings, documents }, freshToken });
}

// Returns the refusal of a discount above the limit, or of an extension that only a manager may make.
function findLimitRefusal(
  staff: SignedInUser,
  catalogue: Catalogue,
  contract: Contract,
  planned: ActionPlan & { readonly request: ActionRequest },
) {
  const managerRefusal = planned.action === "extend" ? findRuleOverrideRefusal(staff, planned) : undefined;
  return managerRefusal ?? findDiscountRefusal(staff, catalogue, contract, planned);
}

// Drafts the documents of a cancellation or no-show.
function previewCancellation(
  [bookings, lines, extras, earlier, issuers, customers]: readonly [
    ...ContractToInvoiceRows,
    ...QueryResults<[ReturnType<typeof branchIssuersQuery>, ReturnType<typeof eInvoiceCustomersQuery>]>,
  ],
  { feeCents }: ActionPlan,
  settings: Settings,
  now: number,
): IssuePreview {
  const [row] = bookings;
  const fee = { feeCents, paidCents: row?.booking.totalPaidCents ?? 0 };
  const drafts = draftRetainedFeeDocuments([bookings, lines, extras, earlier], fee);
  const { date } = toCivilNow(settings.timezone, now);
  const invoiced = drafts.filter(({ items }) => items.length > 0);
  return {
    drafts: previewEInvoices(invoiced, { date, settings, issuers, customers }),
    date,
    termsDays: row?.termsDays ?? 0,
  };
}

function nameDiscountAuthors(plan: ActionPlan, names: Parameters<typeof addDiscountAuthorName>[1]): ActionPlan {
  const { agreed, transfer } = plan;
  return {
    ...plan,
    agreed: agreed && addDiscountAuthorName(agreed, names),
    transfer: transfer && addDiscountAuthorName(transfer, names),
  };
}

// Adds the managers who can accept the shortage to a sold-out refusal. An accepted shortage becomes a warning.
async function decideStock(
  { db }: Tenant,
  refusal: BookingActionQuote["refusal"],
  { branchCode, isAccepted }: { readonly branchCode: string; readonly isAccepted: boolean },
): Promise<Pick<BookingActionQuote, "refusal" | "warnings">> {
  if (refusal?.kind !== "soldOut") return { refusal, warnings: [] };
  return isAccepted
    ? { refusal: undefined, warnings: [createReason("shortage_accepted", refusal.code)] }
    : { refusal: await addApprovers(db, refusal, branchCode), warnings: [] };
}

// Warns if the vehicle's inspection or insurance ends before the extended rental.
function createDueWarnings(
  { period }: Contract,
  { agreed }: ActionPlan,
  assigned: QueryResults<[ReturnType<typeof assignedVehiclesQuery>]>[0],
): readonly Reason[] {
  const lastDay = agreed?.period.dateTo;
  if (lastDay === undefined || lastDay <= period.dateTo) return [];
  return assigned.flatMap(({ plate, ...until }) =>
    listPermitsEndingBefore(until, lastDay).map((permit) =>
      createReason(permit === "inspection" ? "inspection_ends" : "insurance_ends", plate),
    ),
  );
}

// Warns of each reservation that loses its vehicle because this contract keeps it longer.
function createReleaseWarnings(
  { action, agreed }: ActionPlan,
  next: QueryResults<[ReturnType<typeof nextAssignmentsQuery>]>[0],
): readonly Reason[] {
  if (action !== "extend" || !agreed) return [];
  const { endsAt } = toSpan(agreed.period);
  return next
    .filter(({ pickupDate, pickupTime }) => toCivilMinute(pickupDate, pickupTime) < endsAt)
    .map(({ nextContractId, vehicle, pickupDate }) =>
      createReason("next_loses_vehicle", nextContractId, pickupDate, vehicle),
    );
}

/** Planned action that isn't applied. */
export interface PlannedBookingAction {
  readonly catalogue: Catalogue;
  readonly contract: Contract;
  /** Stock that the contract currently uses. */
  readonly allocations: readonly ContractAllocation[];
  readonly plan: ActionPlan;
  readonly ruleReason: string | undefined;
  readonly now: number;
}

/** Checks the availability for an action and collects its warnings. At most one round trip. */
export async function quotePlannedBookingAction(
  tenant: Tenant,
  { catalogue, contract, allocations, plan, ruleReason, now }: PlannedBookingAction,
): Promise<BookingActionQuote> {
  const { agreed, transfer } = plan;
  if (transfer)
    return { plan, refusal: await findTransferRefusal(tenant, { catalogue, contract, now }, transfer), warnings: [] };
  const reliance = getReliance(catalogue, contract, plan, now);
  // The vehicles of a reopened contract are back, so it uses no stock.
  const occupyingContract = contract.reopenedAt === undefined ? agreed : undefined;
  const needed = occupyingContract && toStockQuestion(catalogue, contract, occupyingContract, now);
  const extensions = occupyingContract
    ? findExtendedSubstituteOccupancy(catalogue, occupyingContract, allocations)
    : [];
  const extensionQuestions = extensions.map((keptLonger) => toExtensionQuestion(catalogue, contract, keptLonger, now));
  const stockInputs = [needed, ...extensionQuestions, reliance?.question].filter((question) => question !== undefined);
  const stocks = await readStocks(tenant, stockInputs);
  const brokenRules = agreed?.brokenRules ?? [];
  const refusal =
    findActionBrokenRuleWithoutReason(plan, { ruleReason }) ??
    (occupyingContract &&
      findActionShortage({ catalogue, contract, allocations, occupyingContract, extensions: extensions }, stocks));
  const lastStock = reliance && stocks.at(-1);
  const relied = reliance && lastStock ? findDependentCategories(lastStock, reliance.before, reliance.after) : [];
  const warnings = [
    ...brokenRules.map((rule) => rule.reason),
    ...(agreed?.idleCode ? [agreed.idleCode.reason] : []),
    ...relied.map((code) => createReason("relied_on", code)),
  ];
  return { plan, refusal, warnings };
}

interface PlannedOccupancy extends Pick<PlannedBookingAction, "catalogue" | "contract" | "allocations"> {
  readonly occupyingContract: AgreedContract;
  readonly extensions: readonly ExtendedOccupancy[];
}

// Finds what is sold out. The first stock is for the agreed contract, the following ones for the extensions.
function findActionShortage(
  { catalogue, contract, allocations, occupyingContract, extensions }: PlannedOccupancy,
  [stock, ...extensionQuestions]: readonly RentalStock[],
): SoldOut | undefined {
  return (
    (stock && findContractShortage(catalogue, occupyingContract, stock, contract, allocations)) ??
    findExtensionShortage(extensions, extensionQuestions)
  );
}

async function findTransferRefusal(
  tenant: Tenant,
  { catalogue, contract, now }: Pick<PlannedBookingAction, "catalogue" | "contract" | "now">,
  transfer: ChangedTransfer,
): Promise<SoldOut | undefined> {
  const tripsInput = { trips: transfer.trips, at: now, exceptBookingId: contract.id };
  const [rows] = await tenant.db.batch([transferAllocationsAroundTripsQuery(tenant.db, catalogue, tripsInput)]);
  return findTransferShortage(catalogue, contract.transfer, transfer, toTransferAllocations(rows));
}

async function readStocks(tenant: Tenant, questions: readonly StockQueryInput[]): Promise<readonly RentalStock[]> {
  const [first, ...others] = questions.map((question) => stockQuery(tenant.db, question));
  if (!first) return [];
  const answers = await tenant.db.batch([first, ...others]);
  return answers.map((rows, index) => toRentalStock(rows, questions[index] ?? { spans: NO_SPANS }));
}

const NO_SPANS = { vehicles: { startsAt: 0, endsAt: 0 }, extras: { startsAt: 0, endsAt: 0 } };

// Returns which stock to read for the agreed contract.
function toStockQuestion(
  catalogue: Catalogue,
  contract: Contract,
  agreed: AgreedContract,
  now: number,
): StockQueryInput {
  const { preparationMinutes } = catalogue.settings;
  const { branchGroupId } = agreed;
  const returnBranchGroupId = catalogue.branches.get(agreed.returnBranchCode)?.branchGroupId ?? branchGroupId;
  return {
    ...toStockInstant(catalogue, now),
    branchGroupId,
    spans: getOccupancySpans(catalogue, toSpan(agreed.period), branchGroupId, returnBranchGroupId),
    preparationMinutes,
    exceptBookingId: contract.id,
  };
}

// Returns which stock to read for the additional time of a substitute vehicle.
function toExtensionQuestion(
  catalogue: Catalogue,
  contract: Contract,
  { code, branchGroupId, span }: ExtendedOccupancy,
  now: number,
): StockQueryInput {
  return {
    ...toStockInstant(catalogue, now),
    branchGroupId,
    spans: { vehicles: span, extras: span },
    preparationMinutes: catalogue.settings.preparationMinutes,
    categoryCodes: [code],
    exceptBookingId: contract.id,
  };
}

// Returns the stock that a one-way rental adds at its return, if vehicles stay there, and the rentals that depend on
// it.
function getReliance(catalogue: Catalogue, contract: Contract, { action, agreed }: ActionPlan, now: number) {
  const { settings, branches } = catalogue;
  const group = branches.get(contract.returnBranchCode)?.branchGroupId;
  const isIncomingStock = contract.status === "confirmed" || contract.status === "in_progress";
  const isOneWay = settings.oneWayMode === "stays" && group !== undefined && group !== contract.branchGroupId;
  if (contract.kind !== "rental" || !isIncomingStock || !isOneWay) return undefined;
  const isCancelled = action === "cancel" || action === "no-show";
  if (!isCancelled && !agreed) return undefined;
  const { preparationMinutes } = settings;
  const returnsThere = branches.get((agreed ?? contract).returnBranchCode)?.branchGroupId === group;
  const before = getStockIncomingAtReturn(contract, preparationMinutes);
  const after = getIncomingStockAfter(contract, agreed, { isCancelled, preparationMinutes, returnsThere });
  const span = getDependencySpan(before, after);
  const stockInput: StockQueryInput = {
    ...toStockInstant(catalogue, now),
    branchGroupId: group,
    spans: { vehicles: span, extras: span },
    preparationMinutes: 0,
    categoryCodes: contract.lines.map(({ categoryCode }) => categoryCode),
    exceptBookingId: contract.id,
  };
  return { before, after, question: stockInput };
}

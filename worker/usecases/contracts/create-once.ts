import { canDiscountOrWaive, hasRight } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { ContractData, NewReservation } from "#domain/bookings/bookings.ts";
import { getKnownContractData } from "#domain/bookings/contract-data.ts";
import { type AppliedDiscount, toHistoryDiscount } from "#domain/bookings/discounts.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { StaffSale } from "#domain/contracts/requests.ts";
import type { Cents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { matchingCustomerQuery, selectKnownCustomerId } from "#worker/store/access/customers.ts";
import { type PossibleDuplicate, possibleDuplicatesQuery } from "#worker/store/access/matching-customers.ts";
import { type AcceptedShortage, allowShortageDuringStatements } from "#worker/store/bookings/accepted-shortages.ts";
import { setPayerAndInvoicingStatements } from "#worker/store/bookings/billing.ts";
import { catchSoldOut } from "#worker/store/bookings/bookings.ts";
import { agentQuery } from "#worker/store/bookings/commissions.ts";
import {
  type CustomerRow,
  doNotRentQuery,
  lastCustomerContractDataQuery,
  visibleCustomerQuery,
} from "#worker/store/contracts/customers.ts";
import { newReservationQueries } from "#worker/store/contracts/reservations.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { isDuplicateInColumns, isTransientDatabaseError } from "#worker/store/failures.ts";
import {
  isOfficeRequestRepeated,
  officeRequestQuery,
  saveReservationRequestStatement,
} from "#worker/store/guards/office-requests.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  addApprovers,
  createUserIdempotencyKey,
  type DiscountAboveLimit,
  type Discountable,
  findDiscountLimitRefusal,
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
  type PriceAboveLimit,
  type ReservationAnswer,
} from "#worker/usecases/office/office-context.ts";
import { getTokenUserId, readAsStaff, type StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { toBookingCustomer } from "./known-customer.ts";
import { readReservation, toReservationAnswer } from "./read-reservation.ts";

/** Common data of every reservation made by staff. */
export type StaffReservationData = Omit<NewReservation<unknown>, "draft">;

type CustomerFields = Partial<StaffSale["customer"]>;

/** Reads, decision and writes with which staff sell a rental or transfer. */
export interface StaffSaleSteps<Occupancy extends Query, Decided extends { readonly differenceCents: Cents }> {
  /** Reads the stock used by other bookings. */
  readonly occupancyQuery: (catalogue: Catalogue) => Occupancy;
  readonly decide: (item: {
    readonly staff: SignedInUser;
    readonly catalogue: Catalogue;
    readonly customer: CustomerRow | undefined;
    readonly occupancy: QueryResults<readonly [Occupancy]>[0];
  }) => Result<Decided, OfficeRefusal>;
  /** Returns the branch of the sale. */
  readonly getBranchCode: (catalogue: Catalogue) => string;
  /** Returns the statement for the booking's row, then the related ones. */
  readonly statements: (
    decided: Decided,
    reservation: StaffReservationData,
    catalogue: Catalogue,
  ) => readonly [guest: Query, item: Query, ...Query[]];
}

/**
 * Creates a reservation for a customer at the desk or on the phone, once per key. Uses the same search, prices and
 * availability guard as other channels. Two round trips.
 */
export async function createStaffReservationOnce<
  Taken extends Query,
  Decided extends { readonly differenceCents: Cents },
>(
  write: OfficeWrite,
  staffSale: StaffSale,
  selling: StaffSaleSteps<Taken, Decided>,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const content = await computeFingerprint(staffSale);
  const freeAccessId = createFreeAccessId();
  const isWorthRetrying = (error: unknown) =>
    isTransientDatabaseError(error) ||
    isOfficeRequestRepeated(error) ||
    isDuplicateInColumns(error, "bookings.free_access_id");
  return withRetry(() => tryCreating(write, staffSale, selling, { content, freeAccessId }), { isWorthRetrying });
}

async function tryCreating<Taken extends Query, Decided extends { readonly differenceCents: Cents }>(
  write: OfficeWrite,
  staffSale: StaffSale,
  selling: StaffSaleSteps<Taken, Decided>,
  { content, freeAccessId }: { readonly content: string; readonly freeAccessId: string },
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const [key, userId] = await Promise.all([createUserIdempotencyKey(write), getTokenUserId(write)]);
  const { db } = tenant;
  // If the typed data belongs to an existing customer, that customer's record completes the reservation, too.
  const customerId = staffSale.customer.id ?? selectKnownCustomerId(staffSale.customer, userId);
  const read = await readAsStaff(
    write,
    (catalogue) =>
      [
        officeRequestQuery(db, key),
        visibleCustomerQuery(db, customerId, userId),
        matchingCustomerQuery(db, staffSale.customer, userId),
        agentQuery(db, staffSale.agentId ?? 0),
        visibleCustomerQuery(db, staffSale.billing?.customerId ?? 0, userId),
        selling.occupancyQuery(catalogue),
        doNotRentQuery(db, staffSale.customer),
        possibleDuplicatesQuery(db, toDuplicateSearchIdentity(staffSale.customer), userId),
        lastCustomerContractDataQuery(db, customerId),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [[known], [record], [again], [agent], [payer], , [mark], candidates, [last]] = rows;
  const customer = staffSale.customer.id === undefined ? undefined : record;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  if (known?.fingerprint === content) return readReservation(write, Number(known.resource));
  if (known) return err({ kind: "keyReused" });
  const unknown =
    refuseUnknown(staffSale, { customer, agent, payer }) ??
    refuseShortageOverride(staffSale, staff) ??
    findDoNotRentRefusal(staff, staffSale, mark?.reason) ??
    refuseDuplicate(staffSale, again?.known, candidates);
  if (unknown) return unknown;
  const occupancyRows = rows[5] as QueryResults<readonly [Taken]>[0];
  const decided = selling.decide({ staff, catalogue, customer, occupancy: occupancyRows });
  if (!decided.ok) return err(await nameApprovers(db, decided.error, selling.getBranchCode(catalogue)));
  const identifiedSale = { ...staffSale, customer: { ...staffSale.customer, id: again?.known ?? undefined } };
  const reservation = createStaffReservation(catalogue, decided.value, identifiedSale, {
    customer,
    record,
    last: last?.contractData,
    staff,
    freeAccessId,
    at: now,
  });
  const request = { key, fingerprint: content };
  const reads = newReservationQueries(db, freeAccessId);
  const [guest, query, ...parts] = selling.statements(decided.value, reservation, catalogue);
  const saveResult = await catchSoldOut<unknown[]>(() =>
    db.batch([
      guest,
      query,
      // Comes before the units, so that a duplicate is found before its units count as used.
      saveReservationRequestStatement(db, request, { freeAccessId, at: now }),
      ...allowShortageDuringStatements(db, { freeAccessId }, toAccepted(staffSale, reservation), parts),
      ...(staffSale.billing
        ? setPayerAndInvoicingStatements(db, { freeAccessId }, { ...staffSale.billing, ...toPayer(payer) })
        : []),
      ...reads,
    ]),
  );
  if (!saveResult.ok) return err(await nameApprovers(db, saveResult.error, selling.getBranchCode(catalogue)));
  const answers = saveResult.value.slice(-reads.length) as unknown as QueryResults<
    ReturnType<typeof newReservationQueries>
  >;
  const [item, lines, extras, units, transfer, row, history, codes, facts] = answers;
  const value = toReservationAnswer(
    [item, lines, extras, units, transfer, row, history, [], [], codes, [], [], facts, [], [], [], []],
    {
      staff,
      catalogue,
      now,
    },
  );
  if (!value) throw new Error("a reservation was written and is not there");
  return ok({ value, freshToken });
}

// Only managers may give a reason to sell more than the stock contains. The stock is checked later.
function refuseShortageOverride(
  { shortageReason }: StaffSale,
  { role }: SignedInUser,
): Result<never, OfficeRefusal> | undefined {
  const isAllowed = shortageReason === undefined || hasRight(role, "manage");
  return isAllowed ? undefined : err({ kind: "rightMissing", right: "manage" });
}

async function nameApprovers(
  db: OfficeWrite["tenant"]["db"],
  refusal: OfficeRefusal,
  branchCode: string,
): Promise<OfficeRefusal> {
  return refusal.kind === "soldOut" ? addApprovers(db, refusal, branchCode) : refusal;
}

function toAccepted({ shortageReason }: StaffSale, { at, actor }: StaffReservationData): AcceptedShortage | undefined {
  return shortageReason === undefined ? undefined : { at, actor, reason: shortageReason };
}

// If the payer was merged into another customer, that customer pays.
const toPayer = (payer: CustomerRow | undefined) => payer && { customerId: payer.id };

/** Refuses a sale whose customer, payer or agent doesn't exist. */
export function refuseUnknown(
  staffSale: { readonly customer: CustomerFields } & Pick<StaffSale, "billing" | "agentId">,
  {
    customer,
    agent,
    payer,
  }: {
    readonly customer: CustomerRow | undefined;
    readonly agent: object | undefined;
    readonly payer: CustomerRow | undefined;
  },
): Result<never, OfficeRefusal> | undefined {
  if (staffSale.customer.id !== undefined && !customer) return err({ kind: "customerNotFound" });
  if (staffSale.billing?.customerId != null && !payer)
    return err({ kind: "invalid", field: "billing_customer_id", reason: createReason("not_known") });
  if (staffSale.agentId === undefined || agent) return undefined;
  return err({ kind: "invalid", field: "agent_id", reason: createReason("not_known") });
}

/** Returns the data to compare with existing customers. A customer given by id isn't compared. */
export function toDuplicateSearchIdentity({ id, documentId, email, phone }: CustomerFields) {
  return id === undefined ? { documentId, email, phones: [phone] } : { phones: [] };
}

/**
 * Refuses possible duplicates: new customers with the document, e-mail or telephone of an existing one. This
 * may be a typo or a family member, so staff must confirm. A certain match (`known`) isn't refused, because
 * the sale then uses the existing customer.
 */
export function refuseDuplicate(
  { customer, isNewConfirmed = false }: { readonly customer: CustomerFields } & Pick<StaffSale, "isNewConfirmed">,
  known: number | null | undefined,
  candidates: readonly PossibleDuplicate[],
): Result<never, OfficeRefusal> | undefined {
  if (customer.id !== undefined || typeof known === "number" || isNewConfirmed || candidates.length === 0)
    return undefined;
  return err({ kind: "possibleDuplicate", candidates });
}

/**
 * Returns the details of a sale's first history entry: the grants of staff with their reasons. `isShort`: the stock
 * isn't enough.
 */
export function createSaleHistoryDetail(
  {
    shortageReason,
    priceOverride,
    ruleReason,
  }: Pick<StaffSale, "shortageReason" | "priceOverride"> & { readonly ruleReason?: string | undefined },
  { discount, isShort }: { readonly discount: AppliedDiscount | undefined; readonly isShort: boolean },
): Readonly<Record<string, unknown>> {
  const reasons = [priceOverride?.reason, ruleReason, shortageReason].filter((text) => text !== undefined);
  const after = {
    ...(discount && { discount: toHistoryDiscount(discount) }),
    ...(isShort && { shortage_accepted: true }),
  };
  return {
    ...(reasons.length > 0 && { reason: reasons.join(" · ") }),
    ...(Object.keys(after).length > 0 && { after }),
  };
}

/** Refuses to sell to a customer marked as do-not-rent, unless a manager confirms it. */
export function findDoNotRentRefusal(
  { role }: SignedInUser,
  { isDoNotRentConfirmed = false }: Pick<StaffSale, "isDoNotRentConfirmed">,
  reason: string | null | undefined,
): Result<never, OfficeRefusal> | undefined {
  const isManager = hasRight(role, "manage");
  if (typeof reason !== "string" || (isManager && isDoNotRentConfirmed)) return undefined;
  return err({ kind: "doNotRent", reason, isManager });
}

// Returns the user's limit if a manual price differs from the catalogue's price by more than it.
function findPriceAboveLimit(
  staff: SignedInUser,
  { settings: { agentLimitCents: limitCents } }: Catalogue,
  differenceCents: Cents,
): PriceAboveLimit | undefined {
  const isAllowed = canDiscountOrWaive(staff, Math.abs(differenceCents), limitCents);
  return isAllowed ? undefined : { kind: "aboveLimit", limitCents };
}

/** Returns the limit that a manual price exceeds. A lower price is a discount, so it has the limits of discounts. */
export function findPriceRefusal(
  staff: SignedInUser,
  catalogue: Catalogue,
  { differenceCents, discountable }: ManualPrice,
): PriceAboveLimit | DiscountAboveLimit | undefined {
  const aboveLimit = findPriceAboveLimit(staff, catalogue, differenceCents);
  if (aboveLimit || differenceCents >= 0) return aboveLimit;
  const cents = -differenceCents;
  const { discount = { kind: "amount", value: cents, amountCents: cents, reason: "", by: "" } } = discountable;
  return findDiscountLimitRefusal(staff, catalogue, { ...discountable, discount });
}

/** Difference of a manual price from the list price, and the parts from which a discount is taken. */
export interface ManualPrice {
  readonly differenceCents: Cents;
  readonly discountable: Discountable;
}

/** Returns why the user may not sell at this branch or for this price. */
export function findBranchOrPriceRefusal(
  staff: SignedInUser,
  catalogue: Catalogue,
  { branchCode, ...price }: { readonly branchCode: string } & ManualPrice,
  { priceOverride }: Pick<StaffSale, "priceOverride">,
): Result<never, OfficeRefusal> | undefined {
  if (!canAccessBranch(staff, branchCode)) return err({ kind: "branchOfOthers" });
  if (!priceOverride) return undefined;
  if (!hasRight(staff.role, "give_away")) return err({ kind: "rightMissing", right: "give_away" });
  const refusal = findPriceRefusal(staff, catalogue, price);
  return refusal && err(refusal);
}

function createStaffReservation(
  { settings }: Catalogue,
  { differenceCents }: { readonly differenceCents: Cents },
  staffSale: StaffSale,
  context: {
    readonly customer: CustomerRow | undefined;
    /** Record of the customer, also of one whose data was typed. */
    readonly record: CustomerRow | undefined;
    /** Contract data of the customer's last rental. */
    readonly last: ContractData | undefined;
    readonly staff: SignedInUser;
    readonly freeAccessId: string;
    readonly at: number;
  },
): StaffReservationData {
  const { customer, record, last, staff, freeAccessId, at } = context;
  const { status, priceOverride } = staffSale;
  return {
    freeAccessId,
    status,
    expiresAt: status === "pending_confirmation" ? at + settings.holdMinutes * 60_000 : undefined,
    createdBy: "staff",
    actor: `staff:${staff.userId}`,
    agency: undefined,
    agentId: staffSale.agentId,
    requestFingerprint: undefined,
    customer: customer ? toBookingCustomer(customer) : staffSale.customer,
    customerLanguage: staffSale.language ?? record?.language ?? settings.defaultLanguage,
    contractData: {
      ...(record && getKnownContractData(record, last, toCivilNow(settings.timezone, at).date)),
      ...staffSale.contractData,
    },
    comments: staffSale.comments,
    priceOverride: priceOverride && { differenceCents, reason: priceOverride.reason },
    at,
  };
}

import { hasRight } from "#domain/access/rights.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";
import { addDiscountAuthorName, createCustomerDiscount } from "#domain/bookings/discounts.ts";
import type { InvalidInput, SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { TransferRequest } from "#domain/contracts/requests.ts";
import { draftStaffTransfer, type StaffTransfer } from "#domain/contracts/transfer-by-staff.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { getDiscountableTransferParts } from "#domain/transfers/change.ts";
import {
  countFreeVehiclesForDraft,
  listTransferOffers,
  type TransferAllocations,
  type TransferOffer,
} from "#domain/transfers/draft.ts";
import { getTransferVehicleBranch, resolveTransferItinerary } from "#domain/transfers/terms.ts";
import { type CustomerRow, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import { toTransferAllocations, transferAllocationsQuery } from "#worker/store/transfers/stock-allocations.ts";
import { newTransferStatements } from "#worker/store/transfers/transfers.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  createSaleHistoryDetail,
  createStaffReservationOnce,
  findBranchOrPriceRefusal,
  findPriceRefusal,
  type ManualPrice,
} from "#worker/usecases/contracts/create-once.ts";
import {
  addApprovers,
  type DiscountAboveLimit,
  findDiscountLimitRefusal,
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeSoldOut,
  type OfficeWrite,
  type PriceAboveLimit,
  type ReservationAnswer,
} from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Quoted transfer, with the other available vehicles. */
export interface TransferSaleQuote<Shortage extends SoldOut = OfficeSoldOut> {
  readonly draft: StaffTransfer | undefined;
  readonly refusal: InvalidInput<string> | Shortage | DiscountAboveLimit | PriceAboveLimit | undefined;
  /** Vehicles available for the trips, if the trips are possible. */
  readonly offers: readonly TransferOffer[];
}

type TransferQuoteRequest = Omit<TransferRequest, "customer">;

/**
 * Quotes a transfer and lists the available vehicles. Stores nothing. One round trip, two if the vehicle is occupied.
 */
export async function quoteTransfer(
  request: StaffRequest,
  transferRequest: TransferQuoteRequest,
): Promise<Result<StaffAnswer<TransferSaleQuote>, OfficeRefusal>> {
  const { tenant, now } = request;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(
    request,
    (catalogue) =>
      [
        transferAllocationsQuery(tenant.db, catalogue, transferRequest.search, now),
        visibleCustomerQuery(tenant.db, transferRequest.customerId ?? 0, userId),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  const allocations = toTransferAllocations(rows[0]);
  const selling = { staff, catalogue, allocations, customer: rows[1][0] };
  const { refusal, ...quote } = createQuote(selling, transferRequest, now);
  const soldOut = refusal?.kind === "soldOut" ? refusal : undefined;
  const branchCode = findVehicleBranch(catalogue.transfers, transferRequest.vehicleId);
  const namedRefusal = soldOut ? await addApprovers(tenant.db, soldOut, branchCode) : refusal;
  return ok({ value: { ...quote, refusal: namedRefusal }, freshToken });
}

function createQuote(selling: Selling, transferRequest: TransferQuoteRequest, now: number): TransferSaleQuote<SoldOut> {
  const { catalogue, allocations } = selling;
  const terms = resolveTransferItinerary(
    catalogue,
    transferRequest.search,
    toCivilNow(catalogue.settings.timezone, now),
  );
  if (!terms.ok) return { draft: undefined, refusal: terms.error, offers: [] };
  const offers = listTransferOffers(catalogue.transfers, terms.value, allocations);
  if (transferRequest.vehicleId === undefined) return { draft: undefined, refusal: undefined, offers };
  const draft = draftStaffTransfer(catalogue, terms.value, transferRequest, toDiscounts(selling));
  if (!draft.ok) return { draft: undefined, refusal: draft.error, offers };
  const isAccepted = transferRequest.shortageReason !== undefined && hasRight(selling.staff, "manage");
  const refusal =
    findDiscountLimit(selling, transferRequest, draft.value) ??
    (transferRequest.priceOverride
      ? findPriceRefusal(selling.staff, catalogue, toManualPrice(draft.value))
      : undefined) ??
    (isAccepted ? undefined : findShortage(catalogue, draft.value, allocations));
  const named = addDiscountAuthorName(draft.value.draft, {
    [`staff:${selling.staff.userId}`]: selling.staff.fullName,
  });
  return { draft: { ...draft.value, draft: named }, refusal, offers };
}

/**
 * Creates a transfer for a customer at the desk or on the phone, once per key. Uses the same connections, prices and
 * availability guard as a website. Two round trips.
 */
export function createTransfer(
  write: OfficeWrite,
  transferRequest: TransferRequest,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { now } = write;
  const { db } = write.tenant;
  return createStaffReservationOnce(write, transferRequest, {
    getBranchCode: ({ transfers }) => findVehicleBranch(transfers, transferRequest.vehicleId),
    occupancyQuery: (catalogue) => transferAllocationsQuery(db, catalogue, transferRequest.search, now),
    decide: ({ staff, catalogue, customer, occupancy }) =>
      agreeByStaff({ staff, catalogue, customer, allocations: toTransferAllocations(occupancy) }, transferRequest, now),
    statements: ({ draft, isShort }, reservation, catalogue) => {
      const creationDetail = createSaleHistoryDetail(transferRequest, { discount: draft.discount, isShort });
      const branch = getTransferVehicleBranch(catalogue, draft.vehicle);
      return newTransferStatements(db, { ...reservation, draft, creationDetail }, branch);
    },
  });
}

const findVehicleBranch = ({ vehicles }: Catalogue["transfers"], id: number | undefined): string =>
  vehicles.get(id ?? 0)?.branchCode ?? "";

interface Selling {
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
  readonly allocations: TransferAllocations;
  /** Known customer, with the own discount. */
  readonly customer: CustomerRow | undefined;
}

const toDiscounts = ({ staff, customer }: Selling) => ({
  own: createCustomerDiscount(customer?.discountBasisPoints ?? 0),
  by: `staff:${staff.userId}`,
});

function findDiscountLimit(
  { staff, catalogue }: Selling,
  { discount }: TransferQuoteRequest,
  { draft }: StaffTransfer,
): DiscountAboveLimit | undefined {
  return discount ? findDiscountLimitRefusal(staff, catalogue, getDiscountableTransferParts(draft)) : undefined;
}

const toManualPrice = ({ draft, differenceCents }: StaffTransfer): ManualPrice => ({
  differenceCents,
  discountable: getDiscountableTransferParts(draft),
});

// Checks the price, the staff member's permissions and the availability.
function agreeByStaff(
  selling: Selling,
  transferRequest: TransferRequest,
  at: number,
): Result<StaffTransfer & { readonly isShort: boolean }, OfficeRefusal> {
  const { staff, catalogue, allocations } = selling;
  const terms = resolveTransferItinerary(
    catalogue,
    transferRequest.search,
    toCivilNow(catalogue.settings.timezone, at),
  );
  if (!terms.ok) return terms;
  const drafted = draftStaffTransfer(catalogue, terms.value, transferRequest, toDiscounts(selling));
  if (!drafted.ok) return drafted;
  const sale = { branchCode: drafted.value.draft.vehicle.branchCode, ...toManualPrice(drafted.value) };
  const refused = findBranchOrPriceRefusal(staff, catalogue, sale, transferRequest);
  if (refused) return refused;
  const limit = findDiscountLimit(selling, transferRequest, drafted.value);
  if (limit) return err(limit);
  const shortage = findShortage(catalogue, drafted.value, allocations);
  if (shortage && transferRequest.shortageReason === undefined) return err(shortage);
  return ok({ ...drafted.value, isShort: shortage !== undefined });
}

function findShortage(
  { transfers }: Catalogue,
  { draft: { vehicle, trips } }: StaffTransfer,
  allocations: TransferAllocations,
): SoldOut | undefined {
  const free = countFreeVehiclesForDraft(transfers, vehicle, trips, allocations.get(vehicle.id) ?? []);
  return free > 0 ? undefined : { kind: "soldOut", resource: "transfer", code: String(vehicle.id) };
}

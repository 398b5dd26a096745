import { hasRight } from "#domain/access/rights.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";
import { addDiscountAuthorName, createCustomerDiscount, getDiscountableCents } from "#domain/bookings/discounts.ts";
import { applyDiscountToDraft, type BookingDraft, calculateDraftTotals, draftBooking } from "#domain/bookings/draft.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { findDraftShortage } from "#domain/bookings/search.ts";
import {
  type BrokenSellingRule,
  findBrokenRuleWithoutReason,
  listBrokenSellingRulesForStaff,
  needsManagerOverride,
} from "#domain/bookings/selling-rules.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { applyPriceDifferenceToLines } from "#domain/contracts/price-override.ts";
import type { ReservationRequest } from "#domain/contracts/requests.ts";
import { listUnknownReferenceProblems } from "#domain/contracts/unknown-references.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { newBookingStatements } from "#worker/store/bookings/bookings.ts";
import { stockQuery, toRentalStock } from "#worker/store/bookings/stock.ts";
import { type CustomerRow, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { toStockQueryInput } from "#worker/usecases/bookings/search-availability.ts";
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
import {
  createSaleHistoryDetail,
  createStaffReservationOnce,
  findBranchOrPriceRefusal,
  findPriceRefusal,
} from "./create-once.ts";

/** Quoted reservation. */
export interface ReservationQuote {
  readonly draft: BookingDraft | undefined;
  readonly refusal: InvalidInput<string> | OfficeSoldOut | DiscountAboveLimit | PriceAboveLimit | undefined;
  /** Violated selling rules and an accepted shortage, as codes with params. */
  readonly warnings: readonly Reason[];
  readonly catalogue: Catalogue;
}

/** Quotes a reservation and checks whether it's possible. Stores nothing. One round trip. */
export async function quoteReservation(
  request: StaffRequest,
  rentalRequest: Omit<ReservationRequest, "customer">,
  acceptsShortage = false,
): Promise<Result<StaffAnswer<ReservationQuote>, OfficeRefusal>> {
  const { tenant, now } = request;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, (catalogue) => [
    stockQuery(tenant.db, {
      ...toStockQueryInput(catalogue, rentalRequest.rental, now),
      categoryCodes: getProductCodes(rentalRequest),
    }),
    visibleCustomerQuery(tenant.db, rentalRequest.customerId ?? 0, userId),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  const drafted = draftByStaff(catalogue, rentalRequest, { at: now, staff, customer: rows[1][0] });
  if (!drafted.ok)
    return ok({ value: { draft: undefined, refusal: drafted.error, warnings: [], catalogue }, freshToken });
  const { draft, differenceCents, brokenRules } = drafted.value;
  const shortage = findDraftShortage(
    draft,
    toRentalStock(rows[0], toStockQueryInput(catalogue, rentalRequest.rental, now)),
  );
  const isAccepted = acceptsShortage && hasRight(staff.role, "manage");
  const soldOut =
    shortage && !isAccepted
      ? await addApprovers(tenant.db, shortage, findSellingBranch(catalogue, rentalRequest))
      : undefined;
  return ok({
    value: {
      draft: addDiscountAuthorName(draft, { [`staff:${staff.userId}`]: staff.fullName }),
      warnings: [
        ...brokenRules.map((rule) => rule.reason),
        ...(shortage && isAccepted ? [createReason("shortage_accepted", shortage.code)] : []),
      ],
      refusal:
        findBrokenRuleWithoutReason(brokenRules, rentalRequest) ??
        (rentalRequest.discount ? findDiscountLimitRefusal(staff, catalogue, draft) : undefined) ??
        (rentalRequest.priceOverride
          ? findPriceRefusal(staff, catalogue, { differenceCents, discountable: draft })
          : undefined) ??
        soldOut,
      catalogue,
    },
    freshToken,
  });
}

/** Draft, and its manual price difference. */
export interface StaffBookingDraft {
  readonly draft: BookingDraft;
  readonly differenceCents: Cents;
  readonly brokenRules: readonly BrokenSellingRule[];
}

const getProductCodes = ({ products }: Pick<ReservationRequest, "products">) => products.map(({ code }) => code);

interface DraftContext {
  readonly at: number;
  readonly staff: SignedInUser;
  readonly customer: CustomerRow | undefined;
}

const findOwnDiscount = (customer: CustomerRow | undefined) =>
  createCustomerDiscount(customer?.discountBasisPoints ?? 0);

function draftByStaff(
  catalogue: Catalogue,
  request: Omit<ReservationRequest, "customer">,
  context: DraftContext,
): Result<StaffBookingDraft, InvalidInput<string>> {
  const drafted = createStaffDraft(catalogue, request, context);
  if (drafted.ok) return drafted;
  const others = listUnknownReferenceProblems(catalogue, request).filter(({ field }) => field !== drafted.error.field);
  return err({ ...drafted.error, others });
}

// Staff can also sell products that aren't public, with a manual price.
function createStaffDraft(
  catalogue: Catalogue,
  { rental, products, extras, priceOverride, discount }: Omit<ReservationRequest, "customer">,
  { at, staff, customer }: DraftContext,
): Result<StaffBookingDraft, InvalidInput<string>> {
  const now = toCivilNow(catalogue.settings.timezone, at);
  const terms = resolveRentalTerms(catalogue, rental, now, { isStaff: true, keepsPickup: false });
  if (!terms.ok) return terms;
  const draft = draftBooking(catalogue, terms.value, products, extras, { isStaff: true });
  if (!draft.ok) return draft;
  const { promotionCode } = rental;
  const wrongCode =
    promotionCode && findPromotionCodeProblem(catalogue, terms.value, promotionCode, getProductCodes({ products }));
  if (wrongCode) return err(wrongCode);
  const categories = draft.value.lines.map(({ category }) => category);
  const brokenRules = listBrokenSellingRulesForStaff(catalogue, terms.value, categories);
  const by = `staff:${staff.userId}`;
  if (!priceOverride) {
    const agreed = discount === undefined ? findOwnDiscount(customer) : discount && { ...discount, by };
    return ok({
      draft: applyDiscountToDraft(catalogue, draft.value, agreed ?? undefined),
      differenceCents: 0,
      brokenRules,
    });
  }
  const differenceCents = priceOverride.totalCents - draft.value.totals.totalCents;
  if (differenceCents < 0 && -differenceCents <= getDiscountableCents(draft.value.lines, draft.value.extras)) {
    const discount = { kind: "amount", value: -differenceCents, reason: priceOverride.reason, by } as const;
    return ok({ draft: applyDiscountToDraft(catalogue, draft.value, discount), differenceCents, brokenRules });
  }
  const lines = applyPriceDifferenceToLines(draft.value.lines, differenceCents);
  if (!lines) {
    return err({ kind: "invalid", field: "priceOverride", reason: createReason("price_too_low") });
  }
  const totals = calculateDraftTotals(catalogue, terms.value, lines, draft.value.extras);
  return ok({ draft: { ...draft.value, lines, totals }, differenceCents, brokenRules });
}

/**
 * Creates a reservation for a customer at the desk or on the phone, once per key. Uses the same search, prices and
 * availability guard as other channels. Two round trips.
 */
export function createReservation(
  write: OfficeWrite,
  rentalRequest: ReservationRequest,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { now } = write;
  const { db } = write.tenant;
  return createStaffReservationOnce(write, rentalRequest, {
    getBranchCode: (catalogue) => findSellingBranch(catalogue, rentalRequest),
    occupancyQuery: (catalogue) =>
      stockQuery(db, {
        ...toStockQueryInput(catalogue, rentalRequest.rental, now),
        categoryCodes: getProductCodes(rentalRequest),
      }),
    decide: ({ staff, catalogue, customer, occupancy }) => {
      const agreed = draftStaffReservation({ staff, catalogue, customer }, rentalRequest, now);
      if (!agreed.ok) return agreed;
      const stock = toRentalStock(occupancy, toStockQueryInput(catalogue, rentalRequest.rental, now));
      const shortage = findDraftShortage(agreed.value.draft, stock);
      if (shortage && rentalRequest.shortageReason === undefined) return err(shortage);
      return ok({ ...agreed.value, isShort: shortage !== undefined });
    },
    statements: ({ draft, isShort }, reservation) => {
      const creationDetail = createSaleHistoryDetail(rentalRequest, { discount: draft.discount, isShort });
      return newBookingStatements(db, { ...reservation, draft, creationDetail });
    },
  });
}

const findSellingBranch = ({ places }: Catalogue, { rental }: Pick<ReservationRequest, "rental">): string =>
  places.get(rental.pickupPlaceId)?.branchCode ?? "";

const toRefused = (refusal: DiscountAboveLimit | false | null | undefined) => (refusal ? err(refusal) : undefined);

/** Drafts a reservation of staff. Checks the price and the permissions, but not the availability. */
export function draftStaffReservation(
  { staff, catalogue, customer }: Omit<DraftContext, "at"> & { readonly catalogue: Catalogue },
  rentalRequest: Omit<ReservationRequest, "customer">,
  at: number,
): Result<StaffBookingDraft, OfficeRefusal> {
  const drafted = draftByStaff(catalogue, rentalRequest, { at, staff, customer });
  if (!drafted.ok) return drafted;
  const { draft, differenceCents, brokenRules } = drafted.value;
  const forbidden = findBrokenRuleWithoutReason(brokenRules, rentalRequest);
  const sale = { branchCode: draft.terms.pickupBranch.code, differenceCents, discountable: draft };
  const refused =
    findBranchOrPriceRefusal(staff, catalogue, sale, rentalRequest) ??
    (forbidden ? err(forbidden) : undefined) ??
    toRefused(rentalRequest.discount && findDiscountLimitRefusal(staff, catalogue, draft)) ??
    (needsManagerOverride(brokenRules) && !hasRight(staff.role, "manage")
      ? err({ kind: "rightMissing", right: "manage" } as const)
      : undefined);
  return refused ?? drafted;
}

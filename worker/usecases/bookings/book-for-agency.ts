import type { Agency } from "#domain/access/credentials.ts";
import type { AgencyBookingRequest, NewBooking, RentalBooking } from "#domain/bookings/bookings.ts";
import { type BookingDraft, type Choice, draftBooking } from "#domain/bookings/draft.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import type { BookingRefusal } from "#domain/bookings/refusals.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { findDraftShortage } from "#domain/bookings/search.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toBookingAgreedWithAgency } from "#worker/store/bookings/agreed-with-agency.ts";
import { bookingQueries, fromBookingRows, saveNewBooking } from "#worker/store/bookings/bookings.ts";
import { stockQuery, toRentalStock } from "#worker/store/bookings/stock.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

import { bookOptimistically, isConcurrencyConflict } from "./optimistic-booking.ts";
import { toStockQueryInput } from "./search-availability.ts";

/** Booking, with the catalogue for its names in the account's languages. */
export interface BookingWithCatalogue {
  readonly booking: RentalBooking;
  readonly catalogue: Catalogue;
}

interface AgencyPlacementContext {
  readonly now: number;
  readonly freeAccessId: string;
}

/**
 * Books for an agency exactly once. The same reference with the same content returns the existing booking. It's
 * refused with other content, or if the booking was cancelled. Safe to repeat after a lost answer. Retries temporary
 * database faults. One round trip, unless a database guard requires a read first.
 */
export async function bookForAgency(
  tenant: Tenant,
  agency: Agency,
  request: AgencyBookingRequest,
  context: AgencyPlacementContext,
): Promise<Result<BookingWithCatalogue, BookingRefusal>> {
  const requestFingerprint = await computeFingerprint({
    ...request,
    products: inOrder(request.products),
    extras: inOrder(request.extras),
  });
  const bookingRequest = { agency, request, requestFingerprint, ...context };
  const booked = await bookOptimistically(tenant, {
    decide: (catalogue) => {
      const draft = draftAgencyBooking(catalogue, bookingRequest);
      return draft.ok ? ok(toNewBooking(catalogue, draft.value, bookingRequest)) : draft;
    },
    save: (booking, { version }) => saveNewBooking(tenant.db, booking, version),
  });
  const isWorthRetrying = (error: unknown) =>
    isConcurrencyConflict(error, "bookings.agency_id, bookings.agency_reservation_id");
  return booked ?? withRetry(() => readAndBook(tenant, bookingRequest), { isWorthRetrying });
}

interface AgencyPlacementRequest extends AgencyPlacementContext {
  readonly agency: Agency;
  readonly request: AgencyBookingRequest;
  readonly requestFingerprint: string;
}

async function readAndBook(
  tenant: Tenant,
  bookingRequest: AgencyPlacementRequest,
): Promise<Result<BookingWithCatalogue, BookingRefusal>> {
  const { catalogue, stock, existing } = await readBeforeBooking(tenant, bookingRequest);
  if (existing) {
    if (existing.requestFingerprint !== bookingRequest.requestFingerprint) return err({ kind: "referenceTaken" });
    // An agency that only reads `success` must not believe that it has a vehicle.
    return existing.status === "cancelled" ? err({ kind: "bookingCancelled" }) : ok({ booking: existing, catalogue });
  }
  const draft = draftAgencyBooking(catalogue, bookingRequest);
  if (!draft.ok) return draft;
  const shortage = findDraftShortage(draft.value, stock);
  if (shortage) return err(shortage);
  const saveResult = await saveNewBooking(
    tenant.db,
    toNewBooking(catalogue, draft.value, bookingRequest),
    catalogue.version,
  );
  return saveResult.ok ? ok({ booking: saveResult.value, catalogue }) : saveResult;
}

function toNewBooking(
  { settings }: Catalogue,
  draft: BookingDraft,
  { agency, request, requestFingerprint, freeAccessId, now }: AgencyPlacementRequest,
): NewBooking {
  return {
    draft,
    freeAccessId,
    requestFingerprint,
    status: "confirmed",
    createdBy: "agency",
    actor: `agency:${agency.id}`,
    agency: { id: agency.id, reference: request.reference },
    customer: request.customer,
    ...(request.contractData && { contractData: request.contractData }),
    comments: request.comments,
    customerLanguage: request.language ?? settings.defaultLanguage,
    at: now,
  };
}

function inOrder(choices: readonly Choice[]): Choice[] {
  return [...choices].sort((a, b) => (a.code < b.code ? -1 : 1));
}

async function readBeforeBooking(tenant: Tenant, { agency, request, now }: AgencyPlacementRequest) {
  const reference = { agencyId: agency.id, reference: request.reference };
  const categoryCodes = request.products.map((product) => product.code);
  const { catalogue, rows } = await readWithFreshCatalogue(tenant, (current) => {
    const stockInput = { ...toStockQueryInput(current, request.rental, now), categoryCodes };
    return [stockQuery(tenant.db, stockInput), ...bookingQueries(tenant.db, reference)] as const;
  });
  const [stock, ...booking] = rows;
  return {
    catalogue,
    stock: toRentalStock(stock, toStockQueryInput(catalogue, request.rental, now)),
    existing: fromBookingRows(...toBookingAgreedWithAgency(booking)),
  };
}

function draftAgencyBooking(catalogue: Catalogue, { agency, request, now }: AgencyPlacementRequest) {
  const agreement = { isStaff: false, keepsPickup: false, ownChannel: agency.salesChannel };
  const terms = resolveRentalTerms(catalogue, request.rental, toCivilNow(catalogue.settings.timezone, now), agreement);
  if (!terms.ok) return terms;
  const { promotionCode } = terms.value;
  const codes = request.products.map(({ code }) => code);
  const wrongCode = promotionCode && findPromotionCodeProblem(catalogue, terms.value, promotionCode, codes);
  if (wrongCode) return err(wrongCode);
  return draftBooking(catalogue, terms.value, request.products, request.extras);
}

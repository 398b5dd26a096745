import type { Agency } from "#domain/access/credentials.ts";
import type { Stock } from "#domain/bookings/availability.ts";
import type { AgencyBookingRequest, Booking, NewBooking } from "#domain/bookings/bookings.ts";
import { type Choice, draftBooking } from "#domain/bookings/draft.ts";
import type { BookingRefusal } from "#domain/bookings/refusals.ts";
import { agreeTerms } from "#domain/bookings/rental-terms.ts";
import { findShortage } from "#domain/bookings/search.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { bookingQueries, fromBookingRows, saveNewBooking } from "#worker/store/bookings/bookings.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { isDuplicate, isTransient } from "#worker/store/failures.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

import { toStockQuestion } from "./search-availability.ts";

/** A booking with the catalogue that names its parts in the languages of the account. */
export interface BookingAnswer {
  readonly booking: Booking;
  readonly catalogue: Catalogue;
}

interface PlacementContext {
  readonly now: number;
  readonly freeAccessId: string;
}

/**
 * Books for an agency, once only: the same reference with the same content answers the booking that is there, with
 * another content it is refused. Safe to repeat after a lost answer, and repeats by itself what a passing fault of the
 * database stopped.
 */
export async function bookForAgency(
  tenant: Tenant,
  agency: Agency,
  request: AgencyBookingRequest,
  context: PlacementContext,
): Promise<Result<BookingAnswer, BookingRefusal>> {
  const requestFingerprint = await fingerprint({
    ...request,
    products: inOrder(request.products),
    extras: inOrder(request.extras),
  });
  return withRetry(() => tryBooking(tenant, agency, request, requestFingerprint, context), { isWorthRetrying });
}

async function tryBooking(
  tenant: Tenant,
  agency: Agency,
  request: AgencyBookingRequest,
  requestFingerprint: string,
  { now, freeAccessId }: PlacementContext,
): Promise<Result<BookingAnswer, BookingRefusal>> {
  const reference = { agencyId: agency.id, reference: request.reference };
  const { catalogue, stock, existing } = await readBeforeBooking(tenant, reference, request, now);
  if (existing) {
    const isSame = existing.requestFingerprint === requestFingerprint;
    return isSame ? ok({ booking: existing, catalogue }) : refuse({ kind: "referenceTaken" });
  }
  const draft = draftAgencyBooking(catalogue, stock, request, { agency, now });
  if (!draft.ok) return draft;
  const booking: NewBooking = {
    draft: draft.value,
    freeAccessId,
    requestFingerprint,
    status: "confirmed",
    createdBy: "agency",
    actor: `agency:${agency.id}`,
    agency: { id: agency.id, reference: request.reference },
    customer: request.customer,
    customerLanguage: request.language ?? catalogue.settings.defaultLanguage,
    at: now,
  };
  const saved = await saveNewBooking(tenant.db, booking);
  return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
}

function inOrder(choices: readonly Choice[]): Choice[] {
  return [...choices].sort((a, b) => (a.code < b.code ? -1 : 1));
}

// A twin of this request came first, or the database stumbled, perhaps after it had written: reading again tells.
function isWorthRetrying(error: unknown): boolean {
  return (
    isTransient(error) ||
    isDuplicate(error, "bookings.agency_id, bookings.agency_reservation_id") ||
    isDuplicate(error, "bookings.free_access_id")
  );
}

async function readBeforeBooking(
  tenant: Tenant,
  reference: { readonly agencyId: number; readonly reference: string },
  request: AgencyBookingRequest,
  now: number,
) {
  const categoryCodes = request.products.map((product) => product.code);
  const { catalogue, rows } = await readFresh(tenant, (current) => {
    const question = { ...toStockQuestion(current, request.rental, now), categoryCodes };
    return [stockQuery(tenant.db, question), ...bookingQueries(tenant.db, reference)] as const;
  });
  const [stock, ...booking] = rows;
  return {
    catalogue,
    stock: toStock(stock, toStockQuestion(catalogue, request.rental, now)),
    existing: fromBookingRows(...booking),
  };
}

function draftAgencyBooking(
  catalogue: Catalogue,
  stock: Stock,
  request: AgencyBookingRequest,
  { agency, now }: { readonly agency: Agency; readonly now: number },
) {
  const agreement = { isStaff: false, keepsPickup: false, ownChannel: agency.salesChannel };
  const terms = agreeTerms(catalogue, request.rental, civilNow(catalogue.settings.timezone, now), agreement);
  if (!terms.ok) return terms;
  const draft = draftBooking(catalogue, terms.value, request.products, request.extras);
  if (!draft.ok) return draft;
  const shortage = findShortage(draft.value, stock);
  return shortage ? refuse(shortage) : draft;
}

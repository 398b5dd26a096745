import { hasRight, mayGiveAway } from "#domain/access/rights.ts";
import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import type { Stock } from "#domain/bookings/availability.ts";
import type { BookingCustomer, NewBooking } from "#domain/bookings/bookings.ts";
import { addUpDraft, type BookingDraft, draftBooking } from "#domain/bookings/draft.ts";
import { overridePrice } from "#domain/bookings/moves/price-override.ts";
import type { ReservationRequest } from "#domain/bookings/moves/requests.ts";
import { findWrongCode } from "#domain/bookings/promotion.ts";
import type { InvalidInput, SoldOut } from "#domain/bookings/refusals.ts";
import { agreeTerms } from "#domain/bookings/rental-terms.ts";
import { findShortage } from "#domain/bookings/search.ts";
import { type BrokenRule, findForbidden, listRulesForStaff, needsManager } from "#domain/bookings/selling-rules.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { knownCustomerQuery } from "#worker/store/access/customers.ts";
import { newBookingStatements, ruleReasonStatement, unlessSoldOut } from "#worker/store/bookings/bookings.ts";
import { type CustomerRow, customerQuery } from "#worker/store/bookings/moves/customers.ts";
import { newReservationQueries } from "#worker/store/bookings/moves/reservations.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import type { Answers } from "#worker/store/database.ts";
import { isDuplicate, isTransient } from "#worker/store/failures.ts";
import {
  isOfficeRequestRepeated,
  newReservationStatement,
  officeRequestQuery,
} from "#worker/store/operations/office-requests.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import { toStockQuestion } from "#worker/usecases/bookings/search-availability.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import {
  keyOf,
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  type ReservationAnswer,
  refuseWithout,
} from "./office-context.ts";
import { readReservation, toReservation } from "./read-reservation.ts";

/** A reservation as it would be made. */
export interface ReservationQuote {
  readonly draft: BookingDraft | undefined;
  readonly refusal: InvalidInput<string> | SoldOut | undefined;
  /** The selling rules that it breaks, in words. */
  readonly warnings: readonly string[];
  readonly catalogue: Catalogue;
}

/** What a reservation would cost and whether it can be made, nothing kept; one round trip. */
export async function quoteReservation(
  request: StaffRequest,
  wanted: Omit<ReservationRequest, "customer">,
): Promise<Result<OfficeAnswer<ReservationQuote>, OfficeRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, (catalogue) => [
    stockQuery(tenant.db, { ...toStockQuestion(catalogue, wanted.rental, now), categoryCodes: codesOf(wanted) }),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseWithout(staff, "sell");
  if (missing) return missing;
  const drafted = draftByStaff(catalogue, wanted, now);
  if (!drafted.ok)
    return ok({ value: { draft: undefined, refusal: drafted.error, warnings: [], catalogue }, freshToken });
  const { draft, broken } = drafted.value;
  return ok({
    value: {
      draft,
      warnings: broken.map(({ reason }) => reason),
      refusal:
        findForbidden(broken, wanted) ??
        findShortage(draft, toStock(rows[0], toStockQuestion(catalogue, wanted.rental, now))),
      catalogue,
    },
    freshToken,
  });
}

/** A draft, and by how much it differs from the catalogue's price by hand. */
interface StaffDraft {
  readonly draft: BookingDraft;
  readonly differenceCents: Cents;
  readonly broken: readonly BrokenRule[];
}

const codesOf = ({ products }: Pick<ReservationRequest, "products">) => products.map(({ code }) => code);

// The company's own people sell what is not public, too; the price may be another by hand.
function draftByStaff(
  catalogue: Catalogue,
  { rental, products, extras, priceOverride }: Omit<ReservationRequest, "customer">,
  at: number,
): Result<StaffDraft, InvalidInput<string>> {
  const now = civilNow(catalogue.settings.timezone, at);
  const terms = agreeTerms(catalogue, rental, now, { isStaff: true, keepsPickup: false });
  if (!terms.ok) return terms;
  const draft = draftBooking(catalogue, terms.value, products, extras, { isStaff: true });
  if (!draft.ok) return draft;
  const { promotionCode } = rental;
  const wrongCode = promotionCode && findWrongCode(catalogue, terms.value, promotionCode, codesOf({ products }));
  if (wrongCode) return refuse(wrongCode);
  const categories = draft.value.lines.map(({ category }) => category);
  const broken = listRulesForStaff(catalogue, terms.value, categories);
  if (!priceOverride) return ok({ draft: draft.value, differenceCents: 0, broken });
  const differenceCents = priceOverride.totalCents - draft.value.totals.totalCents;
  const lines = overridePrice(draft.value.lines, differenceCents);
  if (!lines) {
    const reason = "is less than what the reservation costs beside its vehicles";
    return refuse({ kind: "invalid", field: "priceOverride", reason });
  }
  const totals = addUpDraft(catalogue, terms.value, lines, draft.value.extras);
  return ok({ draft: { ...draft.value, lines, totals }, differenceCents, broken });
}

/**
 * Makes a reservation for somebody at the desk or on the phone, once for each key: by the same search, prices and guard
 * as everybody's. Two round trips.
 */
export async function createReservation(
  write: OfficeWrite,
  wanted: ReservationRequest,
): Promise<Result<OfficeAnswer<ReservationAnswer>, OfficeRefusal>> {
  const content = await fingerprint(wanted);
  const freeAccessId = newFreeAccessId();
  const isWorthRetrying = (error: unknown) =>
    isTransient(error) || isOfficeRequestRepeated(error) || isDuplicate(error, "bookings.free_access_id");
  return withRetry(() => tryCreating(write, wanted, { content, freeAccessId }), { isWorthRetrying });
}

async function tryCreating(
  write: OfficeWrite,
  wanted: ReservationRequest,
  { content, freeAccessId }: { readonly content: string; readonly freeAccessId: string },
): Promise<Result<OfficeAnswer<ReservationAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const key = await keyOf(write);
  const { db } = tenant;
  const customerId = wanted.customer.id ?? 0;
  const read = await readAsStaff(
    write,
    (catalogue) =>
      [
        stockQuery(db, { ...toStockQuestion(catalogue, wanted.rental, now), categoryCodes: codesOf(wanted) }),
        officeRequestQuery(db, key),
        customerQuery(db, customerId),
        knownCustomerQuery(db, wanted.customer),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [stock, [known], [customer], [again]] = rows;
  const missing = refuseWithout(staff, "sell");
  if (missing) return missing;
  if (known?.fingerprint === content) return readReservation(write, Number(known.resource));
  if (known) return refuse({ kind: "keyReused" });
  if (customerId !== 0 && !customer) return refuse({ kind: "customerNotFound" });
  const agreed = agreeByStaff(
    { staff, catalogue, stock: toStock(stock, toStockQuestion(catalogue, wanted.rental, now)) },
    wanted,
    now,
  );
  if (!agreed.ok) return agreed;
  const named = { ...wanted, customer: { ...wanted.customer, id: again?.known ?? undefined } };
  const booking = toNewBooking(catalogue, agreed.value, named, { customer, staff, freeAccessId, at: now });
  const request = { key, fingerprint: content };
  const { ruleReason: reason } = wanted;
  const reads = newReservationQueries(db, freeAccessId);
  const [begun, ...parts] = newBookingStatements(db, booking);
  const saved = await unlessSoldOut<unknown[]>(() =>
    db.batch([
      begun,
      // Before its units: a twin that came first is found again, and has not taken them from this one.
      newReservationStatement(db, request, { freeAccessId, at: now }),
      ...parts,
      ...(reason === undefined ? [] : [ruleReasonStatement(db, booking, reason)]),
      ...reads,
    ]),
  );
  if (!saved.ok) return saved;
  const made = saved.value.slice(-reads.length) as unknown as Answers<ReturnType<typeof newReservationQueries>>;
  const [kept, lines, extras, units, transfer, row, history, codes] = made;
  const value = toReservation([kept, lines, extras, units, transfer, row, history, [], [], codes], {
    staff,
    catalogue,
    now,
  });
  if (!value) throw new Error("a reservation was written and is not there");
  return ok({ value, freshToken });
}

// Priced, within what this member of staff may, and there.
function agreeByStaff(
  { staff, catalogue, stock }: { readonly staff: SignedIn; readonly catalogue: Catalogue; readonly stock: Stock },
  wanted: ReservationRequest,
  at: number,
): Result<StaffDraft, OfficeRefusal> {
  const drafted = draftByStaff(catalogue, wanted, at);
  if (!drafted.ok) return drafted;
  const refused = refuseSelling(staff, catalogue, drafted.value, wanted);
  if (refused) return refused;
  const shortage = findShortage(drafted.value.draft, stock);
  return shortage ? refuse(shortage) : drafted;
}

function refuseSelling(
  staff: SignedIn,
  { settings }: Catalogue,
  { draft, differenceCents, broken }: StaffDraft,
  { priceOverride, ruleReason }: ReservationRequest,
): Result<never, OfficeRefusal> | undefined {
  if (!canAccessBranch(staff, draft.terms.pickupBranch.code)) return refuse({ kind: "branchOfOthers" });
  const forbidden = findForbidden(broken, { ruleReason });
  if (forbidden) return refuse(forbidden);
  if (needsManager(broken) && !hasRight(staff.role, "manage")) return refuse({ kind: "rightMissing", right: "manage" });
  if (!priceOverride) return undefined;
  if (!hasRight(staff.role, "give_away")) return refuse({ kind: "rightMissing", right: "give_away" });
  const limitCents = settings.agentLimitCents;
  return mayGiveAway(staff.role, Math.abs(differenceCents), limitCents)
    ? undefined
    : refuse({ kind: "aboveLimit", limitCents });
}

function toNewBooking(
  { settings }: Catalogue,
  { draft, differenceCents }: StaffDraft,
  wanted: ReservationRequest,
  made: {
    readonly customer: CustomerRow | undefined;
    readonly staff: SignedIn;
    readonly freeAccessId: string;
    readonly at: number;
  },
): NewBooking {
  const { customer, staff, freeAccessId, at } = made;
  const { status, priceOverride } = wanted;
  return {
    draft,
    freeAccessId,
    status,
    expiresAt: status === "pending_confirmation" ? at + settings.holdMinutes * 60_000 : undefined,
    createdBy: "staff",
    actor: `staff:${staff.userId}`,
    agency: undefined,
    requestFingerprint: undefined,
    customer: customer ? fromCustomer(customer) : wanted.customer,
    customerLanguage: wanted.language ?? customer?.language ?? settings.defaultLanguage,
    contractData: wanted.contractData,
    comments: wanted.comments,
    priceOverride: priceOverride && { differenceCents, reason: priceOverride.reason },
    at,
  };
}

function fromCustomer(row: CustomerRow): BookingCustomer {
  return {
    id: row.id,
    type: row.customerType,
    name: row.name,
    surname: row.surname,
    email: row.email ?? undefined,
    phonePrefix: row.phoneNumberPrefix ?? undefined,
    phone: row.phoneNumber ?? undefined,
    documentId: row.documentId ?? undefined,
  };
}

import type { Choice } from "#domain/bookings/draft.ts";
import type { RentalRequest } from "#domain/bookings/rental-terms.ts";
import type { ReservationRequest, StaffSale } from "#domain/contracts/requests.ts";
import type { Period } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";

export const QUOTE_STATUSES = ["draft", "sent", "accepted", "declined", "expired"] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Status as stored. An open quote expires without a write. */
export type StoredQuoteStatus = Exclude<QuoteStatus, "expired">;

export const QUOTE_ACTIONS = ["change", "send", "accept", "decline", "duplicate"] as const;
export type QuoteAction = (typeof QUOTE_ACTIONS)[number];

/** Fields of a quote that decide its status. Epoch ms. */
export interface QuoteState {
  readonly status: StoredQuoteStatus;
  readonly validUntil: number;
  /** A quote can't be accepted after its pickup, even if it's valid for longer. */
  readonly pickupAt: number;
}

/** The quote is no longer open. */
export interface QuoteClosed {
  readonly kind: "quoteClosed";
  readonly status: QuoteStatus;
}

/** Returns the status at an instant (epoch ms). */
export function getQuoteStatus({ status, validUntil, pickupAt }: QuoteState, at: number): QuoteStatus {
  return isOpen(status) && at >= Math.min(validUntil, pickupAt) ? "expired" : status;
}

const isOpen = (status: QuoteStatus) => status === "draft" || status === "sent";

/** Lists the actions that a quote allows at an instant (epoch ms). */
export function listQuoteActions(state: QuoteState, at: number): readonly QuoteAction[] {
  return isOpen(getQuoteStatus(state, at)) ? QUOTE_ACTIONS : ["duplicate"];
}

const RESULTS = { send: "sent", accept: "accepted", decline: "declined" } as const;

/** Returns the stored status after an action, or refuses it. A duplicate leaves its original unchanged. */
export function decideQuoteAction(
  state: QuoteState,
  action: QuoteAction,
  at: number,
): Result<StoredQuoteStatus, QuoteClosed> {
  if (!listQuoteActions(state, at).includes(action))
    return err({ kind: "quoteClosed", status: getQuoteStatus(state, at) });
  return ok(action === "change" || action === "duplicate" ? state.status : RESULTS[action]);
}

/** Number of a quote, from a separate series: `Q2026-0042`. */
export function formatQuoteNumber({ year, sequence }: { readonly year: number; readonly sequence: number }): string {
  return `Q${year}-${String(sequence).padStart(4, "0")}`;
}

/** Changed fields of a quote's request. Absent fields stay. */
export interface QuoteChange {
  readonly period?: Partial<Period>;
  readonly rental?: Partial<Omit<RentalRequest, "period">>;
  readonly categoryCode?: string | undefined;
  readonly quantity?: number | undefined;
  readonly extras?: readonly Choice[] | undefined;
  /** Replaces the customer if it names one by id, otherwise changes the named fields. */
  readonly customer?: Partial<StaffSale["customer"]> | undefined;
  readonly sale?: Partial<Omit<ReservationRequest, "customer" | "rental" | "products" | "extras" | "customerId">>;
}

/** Returns the request with the changed fields. A new discount replaces a manual price, and the reverse. */
export function changeQuoteRequest(request: ReservationRequest, change: QuoteChange): ReservationRequest {
  const { customer } = change;
  return {
    ...request,
    ...(change.sale?.discount && { priceOverride: undefined }),
    ...(change.sale?.priceOverride && { discount: undefined }),
    ...change.sale,
    contractData: { ...request.contractData, ...change.sale?.contractData },
    billing: changeBilling(request.billing, change.sale?.billing),
    customer: changeCustomer(request.customer, customer),
    customerId: customer?.id ?? request.customerId,
    rental: { ...request.rental, ...change.rental, period: { ...request.rental.period, ...change.period } },
    products: request.products.map(({ code, quantity }) => ({
      code: change.categoryCode ?? code,
      quantity: change.quantity ?? quantity,
    })),
    extras: change.extras ?? request.extras,
  };
}

function changeBilling(known: ReservationRequest["billing"], change: ReservationRequest["billing"]) {
  if (!change) return known;
  const { customerId = known?.customerId, period = known?.period } = change;
  return { customerId, period };
}

function changeCustomer(known: StaffSale["customer"], change: QuoteChange["customer"]): StaffSale["customer"] {
  if (change?.id === undefined) return { ...known, ...change };
  return { name: "", surname: "", email: undefined, phone: undefined, documentId: undefined, ...change };
}

const PRICE_NEUTRAL: ReadonlySet<string> = new Set([
  ...["comments", "language", "status", "contractData", "agentId", "billing"],
  ...["isNewConfirmed", "isDoNotRentConfirmed"],
]);

/** Whether a change needs new prices. Otherwise an open quote keeps its guaranteed price. */
export function needsNewPrices({ customer, sale = {}, ...change }: QuoteChange): boolean {
  const isRentalChanged = Object.values(change).some((value) => value !== undefined);
  return isRentalChanged || customer?.id !== undefined || Object.keys(sale).some((name) => !PRICE_NEUTRAL.has(name));
}

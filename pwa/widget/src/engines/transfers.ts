import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { TransferCartMessage, TransferSearchRequest } from "#worker/api/booking-engine/transfers/cart-messages.ts";
import type { TransferCheckoutRequest } from "#worker/api/booking-engine/transfers/checkout-messages.ts";
import type { TransferPointsMessage } from "#worker/api/booking-engine/transfers/point-messages.ts";
import type { TransferReservationMessage } from "#worker/api/booking-engine/transfers/reservation-messages.ts";
import type { Client } from "../client.ts";
import { addAmounts, addDays, isDateText, toApiDate } from "../format.ts";
import type {
  Cart,
  PlacedReservation,
  PricedTrip,
  Reservation,
  SearchValues,
  Settings,
  TransferChange,
} from "../model.ts";
import { postCartChange, setCartExtraQuantity, toCheckoutOptions, type WidgetEngine } from "./engine.ts";

const BASE = "/api/booking-transfer/frontend";

type Transfer = CartAnswer["shopping_cart"] | ReservationAnswer["booking"];

type CartAnswer = Immutable<TransferCartMessage>;

type ReservationAnswer = Immutable<TransferReservationMessage>;

/** Engine of transfers. */
export const transferEngine: WidgetEngine = {
  payPath: "/reserva-transfer/pagar",
  isComplete: ({ date, origin_point_id: origin, destination_point_id: to }) =>
    isDateText(date) && Boolean(origin) && Boolean(to),
  search: async (client, cart, search) => {
    const back = search["return_date"] ?? "";
    const body: Typed<TransferSearchRequest> = {
      ...search,
      date: toApiDate(search["date"] ?? ""),
      time: search["time"] ?? "",
      origin_point_id: search["origin_point_id"] ?? "",
      destination_point_id: search["destination_point_id"] ?? "",
      round_trip: back ? "true" : "false",
      return_date: toApiDate(back),
      return_time: back ? (search["return_time"] ?? "") : "",
    };
    return toCart(
      await client.post<CartAnswer, TransferSearchRequest>(
        `${BASE}/shopping-cart${cart ? `/${cart}` : ""}?include_products=true`,
        body,
      ),
    );
  },
  read: async (client, cart, content) =>
    toCart(await client.get(`${BASE}/shopping-cart/${cart}?include_${content}=true&include_sales_process=true`)),
  choose: async (client, cart, product) =>
    toCart(await postCartChange(client, BASE, cart, "set-product?include_extras=true", { product })),
  setExtra: async (client, cart, extra, quantity) =>
    toCart(await setCartExtraQuantity(client, BASE, cart, extra, quantity)),
  // The return trip runs between the addresses of the outward trip, in the opposite direction.
  place: (client, cart, body) =>
    client.post<PlacedReservation, TransferCheckoutRequest>(`${BASE}/shopping-cart/${cart}/checkout`, {
      ...body,
      detailed_return_origin_address: body["detailed_destination_address"],
      detailed_return_destination_address: body["detailed_origin_address"],
    }),
  reservation: async (client, id) => toReservation(await client.get(`${BASE}/reservation/${id}`)),
};

export type TransferPointOption = Immutable<TransferPointsMessage>[number];

/** Data of the transfer search form. */
export const transferListRequests = {
  origins: (client: Client) => client.get<readonly TransferPointOption[]>(`${BASE}/origin-points`),
  destinations: (client: Client, origin: string) =>
    client.get<readonly TransferPointOption[]>(
      `${BASE}/destination-points?origin_point_id=${encodeURIComponent(origin)}`,
    ),
  days: (client: Client, origin: string, from: string, to: string) =>
    client.get<readonly string[]>(
      `${BASE}/dates?${new URLSearchParams({ from, to, transfer_destination_point_id: origin })}`,
    ),
  times: (client: Client, origin: string, date: string) =>
    client.get<readonly string[]>(
      `/api/booking/frontend/times?${new URLSearchParams({ date, transfer_destination_point_id: origin })}`,
    ),
};

function toTrip(transfer: Transfer): PricedTrip {
  const way = [transfer.origin_point_name_customer_translation, transfer.destination_point_name_customer_translation];
  const back = transfer.return_date
    ? [{ place: [...way].reverse().join(" → "), date: transfer.return_date, time: transfer.return_time ?? "" }]
    : [];
  return {
    ends: {
      origin: transfer.origin_point_type,
      destination: transfer.destination_point_type,
      isRound: Boolean(transfer.return_date),
    },
    legs: [{ place: way.join(" → "), date: transfer.date, time: transfer.time }, ...back],
    vehicle: transfer.item_name_customer_translation ?? "",
    photo: transfer.item_photo,
    days: null,
    vehicleCost: addAmounts(transfer.item_cost, transfer.discount?.item_amount ?? "0"),
    extrasCost: addAmounts(transfer.extras_cost, transfer.discount?.extras_amount ?? "0"),
    discount: transfer.discount?.amount,
    fees: [],
    supplementsCost: transfer.supplements_cost,
    total: transfer.total_cost,
    prepayment: transfer.booking_amount,
    securityDeposit: "0",
    extras: transfer.extras.map((extra) => ({
      id: String(extra.extra_id),
      name: extra.extra_name_customer_translation,
      quantity: extra.quantity,
    })),
  };
}

function toCart({ shopping_cart: cart, products = [], extras = [], sales_process: process }: CartAnswer): Cart {
  const people = cart.number_of_adults + cart.number_of_children;
  return {
    id: cart.free_access_id,
    version: cart.version,
    trip: toTrip(cart),
    isChosen: cart.item_id !== null,
    offers: products.map((product) => ({
      id: String(product.id),
      name: product.name,
      text: product.short_description,
      photos: product.photo_url ? [product.photo_url] : [],
      price: product.discounted_price ?? product.price,
      basePrice: product.price,
      unitPrice: product.price,
      unitBasePrice: product.price,
      fees: [],
      seats: null,
      doors: null,
      offerName: null,
      isAvailable: product.available,
      tooSmallFor: product.max_people < people ? people : undefined,
      isFew: false,
    })),
    extras: extras.map(({ id, code, name, description, unit_price: price, max_sellable_quantity: maxQuantity }) => ({
      id: String(id),
      code,
      name,
      text: description,
      price,
      most: maxQuantity,
    })),
    selling: toCheckoutOptions(process),
    discountPercent: cart.discount?.kind === "percentage" ? Number(cart.discount.value) : undefined,
    freeCancellationUntil: cart.free_cancellation_until ?? undefined,
    cancellationFee: cart.cancellation_fee,
    hasPhone: cart.has_phone,
  };
}

function toReservation({ booking, sales_process: process }: ReservationAnswer): Reservation {
  return {
    id: booking.free_access_id,
    number: booking.id,
    status: booking.status,
    paymentStatus: booking.payment_status,
    reason: booking.status_reason,
    customer: `${booking.customer_name} ${booking.customer_surname}`.trim(),
    paid: booking.total_paid,
    pending: booking.total_pending,
    email: booking.customer_email,
    isEmailUnconfirmed: booking.email_unconfirmed,
    trip: { ...toTrip(booking), flights: booking },
    selling: toCheckoutOptions(process, Number(booking.total_paid) > 0),
    ride: {
      ...Object.fromEntries(RIDE.map((name) => [name, String(booking[name] ?? "")])),
      ...toAddress("origin", booking),
      ...toAddress("destination", booking),
    },
  };
}

// Returns the address at an end that is an area. Its text is empty if unknown.
const toAddress = (end: "origin" | "destination", booking: ReservationAnswer["booking"]): SearchValues =>
  booking[`${end}_point_type`] === "location"
    ? { [`detailed_${end}_address`]: booking[`${end}_point_detailed_info`] ?? "" }
    : {};

const RIDE = [
  ...(["date", "time", "origin_point_id", "destination_point_id", "return_date", "return_time"] as const),
  ...(["return_origin_point_id", "return_destination_point_id", "number_of_adults", "number_of_children"] as const),
] as const;
const TEXTS: readonly string[] = ["date", "time", "return_date", "return_time"];

/** Returns the changed values of a transfer. A mirrored return stays mirrored. */
export function toTransferChange(agreed: SearchValues, desiredTrip: SearchValues): TransferChange {
  const leadsBack =
    agreed["return_origin_point_id"] === agreed["destination_point_id"] &&
    agreed["return_destination_point_id"] === agreed["origin_point_id"];
  const hadReturn = agreed["return_date"] !== "";
  const hasReturn = desiredTrip["return_date"] !== "";
  if (hadReturn && !hasReturn) return { ...changed(agreed, { ...desiredTrip, return_time: "" }), round_trip: false };
  const back =
    hadReturn && leadsBack
      ? {
          return_origin_point_id: desiredTrip["destination_point_id"] ?? "",
          return_destination_point_id: desiredTrip["origin_point_id"] ?? "",
        }
      : {};
  return changed(agreed, { ...desiredTrip, ...(hasReturn ? back : { return_time: "" }) });
}

function changed(agreed: SearchValues, desiredTrip: SearchValues): TransferChange {
  const names = RIDE.filter((name) => (desiredTrip[name] ?? "") !== "" && desiredTrip[name] !== agreed[name]);
  // Address and flight are sent again, because they're dropped with their former point.
  const details = Object.entries(desiredTrip).filter(([name, value]) => /^(detailed|flight)_/.test(name) && value);
  return Object.fromEntries([
    ...details,
    ...names.map((name) => [name, TEXTS.includes(name) ? (desiredTrip[name] ?? "") : Number(desiredTrip[name])]),
  ]);
}

/** Creates the initial search, one month from today. URL values take precedence. */
export function createInitialTransferSearch(settings: Settings, initialSearch: SearchValues): SearchValues {
  return {
    date: addDays(settings.server_date, 30),
    time: settings.default_time_start,
    number_of_adults: "2",
    number_of_children: "0",
    ...initialSearch,
  };
}

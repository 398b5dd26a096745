import type { Client } from "../client.ts";
import { addDays, formDate, isDate, remainder } from "../format.ts";
import type { Cart, Offer, Period, Reservation, Search, Settings, Trip } from "../model.ts";
import { type ContractAnswer, contractBody, toContract } from "./contract.ts";
import { change, changeExtra, type Engine, type SalesProcess, toSelling } from "./engine.ts";

const BASE = "/api/booking/frontend";

interface Sums {
  readonly total_cost: string;
  readonly item_cost: string;
  readonly extras_cost: string;
  readonly total_deposit: string;
  readonly booking_amount: string;
  readonly days: number;
  readonly date_from: string;
  readonly date_to: string;
  readonly time_from: string;
  readonly time_to: string;
  readonly pickup_place_customer_translation: string;
  readonly return_place_customer_translation: string;
}

interface Line {
  readonly item_id: string;
  readonly quantity: number;
  readonly item_description_customer_translation: string;
  readonly photo_medium: string | null;
}

interface ExtraLine {
  readonly extra_id: string;
  readonly extra_description_customer_translation: string;
  readonly quantity: number;
}

interface CartAnswer {
  readonly shopping_cart: Sums & {
    readonly free_access_id: string;
    readonly version: number;
    readonly promotion_code_message: string | null;
    readonly items: readonly Line[];
    readonly extras: readonly ExtraLine[];
  };
  readonly products?: readonly ProductAnswer[];
  readonly extras?: readonly {
    readonly code: string;
    readonly name: string;
    readonly unit_price: string;
    readonly max_sellable_quantity: number;
  }[];
  readonly sales_process: SalesProcess;
}

interface ProductAnswer {
  readonly code: string;
  readonly name: string;
  readonly short_description: string;
  readonly photo: string | null;
  readonly base_price: string;
  readonly price: string;
  readonly availability: boolean;
  readonly available: number;
  readonly few_available_units: boolean;
  readonly offer_name: string | null;
  readonly key_characteristics: Readonly<Record<string, string | number | null>>;
}

interface BookingAnswer {
  readonly booking: Sums &
    Period &
    ContractAnswer["booking"] & {
      readonly id: number;
      readonly free_access_id: string;
      readonly status: string;
      readonly payment_status: string;
      readonly status_reason: Reservation["reason"];
      readonly customer_fullname: string;
      readonly total_paid: string;
      readonly total_pending: string;
      readonly booking_lines: readonly Line[];
      readonly booking_extras: readonly ExtraLine[];
    };
  readonly required_fields: readonly string[];
  readonly sales_process: SalesProcess;
}

/** Engine of rentals. */
export const rentals: Engine = {
  payPath: "/reserva/pagar",
  isComplete: ({ date_from: from, date_to: to, pickup_place: place }) => isDate(from) && isDate(to) && Boolean(place),
  search: async (client, cart, search) => {
    const body = {
      ...search,
      date_from: formDate(search["date_from"] ?? ""),
      date_to: formDate(search["date_to"] ?? ""),
    };
    return toCart(await client.post(`${BASE}/shopping-cart${cart ? `/${cart}` : ""}?include_products=true`, body));
  },
  read: async (client, cart, what) => toCart(await client.get(`${BASE}/shopping-cart/${cart}?include_${what}=true`)),
  choose: async (client, cart, product) =>
    toCart(await change(client, BASE, cart, "set-product?include_extras=true", { product, quantity: 1 })),
  setOffer: async (client, cart, product, quantity) =>
    toCart(await change(client, BASE, cart, "set-product?include_products=true", { product, quantity })),
  setExtra: async (client, cart, extra, quantity) => toCart(await changeExtra(client, BASE, cart, extra, quantity)),
  place: (client, cart, body) => client.post(`${BASE}/shopping-cart/${cart}/checkout`, body),
  reservation: async (client, id) => toReservation(await client.get(`${BASE}/booking/${id}`)),
  complete: async (client, id, fields) =>
    toReservation(await client.put(`${BASE}/booking/${id}`, contractBody(fields))),
};

export interface PickupPlace {
  readonly id: string;
  readonly name: string;
  readonly price: string;
}

export interface AgeRule {
  readonly id: number | string;
  readonly description: string;
  readonly allowed: boolean;
}

type Action = "deliveries" | "collections";

/** Data of the rental search form. */
export const rentalLists = {
  settings: (client: Client) => client.get<Settings>(`${BASE}/settings`),
  pickups: (client: Client) => client.get<readonly PickupPlace[]>(`${BASE}/pickup-places`),
  returns: (client: Client, pickup: string) =>
    client.get<readonly PickupPlace[]>(`${BASE}/return-places?pickup_place=${encodeURIComponent(pickup)}`),
  ages: (client: Client) => client.get<readonly AgeRule[]>(`${BASE}/driver-age-rules`),
  days: (client: Client, action: Action, place: string, from: string, to: string) =>
    client.get<readonly string[]>(`${BASE}/dates?${new URLSearchParams({ from, to, action, place })}`),
  times: (client: Client, action: Action, place: string, date: string) =>
    client.get<readonly string[]>(`${BASE}/times?${new URLSearchParams({ date, action, place })}`),
};

/** Choices of the contract form. */
export const contractLists = {
  countries: (client: Client) => client.get<readonly { code: string; name: string }[]>(`${BASE}/nacionalities`), // sic
  documents: (client: Client) => client.get<readonly { id: string; label: string }[]>(`${BASE}/document-types`),
};

function toTrip(sums: Sums, lines: readonly Line[], extras: readonly ExtraLine[]): Trip {
  const isOne = lines.length === 1 && lines[0]?.quantity === 1;
  const names = lines.map((line) => {
    const name = line.item_description_customer_translation;
    return isOne ? name : `${line.quantity} × ${name}`;
  });
  return {
    legs: [
      { place: sums.pickup_place_customer_translation, date: sums.date_from, time: sums.time_from },
      { place: sums.return_place_customer_translation, date: sums.date_to, time: sums.time_to },
    ],
    vehicle: names.join(" · "),
    photo: lines[0]?.photo_medium ?? null,
    days: sums.days,
    vehicleCost: sums.item_cost,
    extrasCost: sums.extras_cost,
    supplementsCost: remainder(sums.total_cost, sums.item_cost, sums.extras_cost),
    total: sums.total_cost,
    prepayment: sums.booking_amount,
    securityDeposit: sums.total_deposit,
    extras: extras.map((extra) => ({
      id: extra.extra_id,
      name: extra.extra_description_customer_translation,
      quantity: extra.quantity,
    })),
  };
}

function toCart({ shopping_cart: cart, products = [], extras = [], sales_process: process }: CartAnswer): Cart {
  return {
    id: cart.free_access_id,
    version: cart.version,
    trip: toTrip(cart, cart.items, cart.extras),
    isChosen: cart.items.length > 0,
    chosen: Object.fromEntries(cart.items.map(({ item_id, quantity }) => [item_id, quantity])),
    offers: products.map(toOffer),
    extras: extras.map(({ code, name, unit_price: price, max_sellable_quantity: maxQuantity }) => ({
      id: code,
      code,
      name,
      price,
      most: maxQuantity,
    })),
    selling: toSelling(process),
    isCodeIdle: cart.promotion_code_message !== null,
  };
}

function toOffer(product: ProductAnswer): Offer {
  return {
    id: product.code,
    name: product.name,
    text: product.short_description,
    photo: product.photo,
    price: product.price,
    basePrice: product.base_price,
    seats: product.key_characteristics["seats"] ?? null,
    doors: product.key_characteristics["doors"] ?? null,
    offerName: product.offer_name,
    isAvailable: product.availability,
    isFew: product.few_available_units,
    most: product.available,
  };
}

function toReservation(answer: BookingAnswer): Reservation {
  const { booking, sales_process: process } = answer;
  return {
    id: booking.free_access_id,
    number: booking.id,
    status: booking.status,
    paymentStatus: booking.payment_status,
    reason: booking.status_reason,
    customer: booking.customer_fullname,
    paid: booking.total_paid,
    pending: booking.total_pending,
    trip: toTrip(booking, booking.booking_lines, booking.booking_extras),
    selling: toSelling(process, Number(booking.total_paid) > 0),
    contract: toContract(answer),
    period: booking,
  };
}

/** Creates the initial search with the account's defaults and the first place. URL values take precedence. */
export function firstRental(settings: Settings, initialSearch: Search): Search {
  const from = addDays(settings.server_date, 30);
  const to = addDays(from, settings.selector_date_to_days);
  const dates = settings.prefill_selector ? { date_from: from, date_to: to } : {};
  const validParameters = Object.entries(initialSearch).filter(
    ([name, value]) => !name.startsWith("date_") || isDate(value),
  );
  return {
    time_from: settings.default_time_start,
    time_to: settings.default_time_end,
    ...dates,
    ...Object.fromEntries(validParameters),
  };
}

/** Where the API is: the page's own site, or the one that `?api=` names, as a website on another origin would. */
const parameters = new URLSearchParams(location.search);
export const apiOrigin = parameters.get("api") ?? location.origin;
const apiKey = parameters.get("api_key");

export interface Place {
  readonly id: string;
  readonly name: string;
  readonly price: string;
}

export interface Settings {
  readonly server_date: string;
  readonly currency_symbol: string;
  readonly currency_symbol_position: "first" | "last";
  readonly currency_decimal_mark: string;
  readonly currency_thousands_separator: string;
  readonly promotion_code: boolean;
}

export interface Product {
  readonly code: string;
  readonly name: string;
  readonly short_description: string;
  readonly photo: string | null;
  readonly base_price: string;
  readonly price: string;
  readonly availability: boolean;
  readonly few_available_units: boolean;
  readonly offer_name: string | null;
  readonly key_characteristics: Readonly<Record<string, string | number | null>>;
}

export interface ExtraOffer {
  readonly code: string;
  readonly name: string;
  readonly unit_price: string;
  readonly max_quantity: number;
}

export interface Sums {
  readonly total_cost: string;
  readonly item_cost: string;
  readonly extras_cost: string;
  readonly time_from_cost: string;
  readonly time_to_cost: string;
  readonly pickup_place_cost: string;
  readonly return_place_cost: string;
  readonly category_supplement_1_cost: string;
  readonly total_deposit: string;
  readonly booking_amount: string;
  readonly days: number;
  readonly date_from_full_format: string;
  readonly date_to_full_format: string;
  readonly time_from: string;
  readonly time_to: string;
  readonly pickup_place_customer_translation: string;
  readonly return_place_customer_translation: string;
}

export interface Cart extends Sums {
  readonly free_access_id: string;
  readonly items: readonly { readonly item_id: string; readonly item_description_customer_translation: string }[];
  readonly extras: readonly { readonly extra_id: string; readonly quantity: number }[];
}

export interface SalesProcess {
  readonly can_request: boolean;
  readonly can_pay: boolean;
  readonly can_pay_deposit: boolean;
  readonly payment_methods: { readonly paypal_standard: boolean; readonly tpv_virtual: string | null };
}

export interface CartAnswer {
  readonly shopping_cart: Cart;
  readonly products?: readonly Product[];
  readonly extras?: readonly ExtraOffer[];
  readonly sales_process: SalesProcess;
  readonly settings: Settings;
}

export interface Booking extends Sums {
  readonly id: number;
  readonly status: string;
  readonly payment_status: string;
  readonly summary_status: string;
  readonly customer_fullname: string;
  readonly total_paid: string;
  readonly total_pending: string;
  readonly booking_lines: readonly {
    readonly item_description_customer_translation: string;
    readonly photo_medium: string | null;
  }[];
  readonly booking_extras: readonly {
    readonly extra_description_customer_translation: string;
    readonly quantity: number;
  }[];
}

export interface BookingAnswer {
  readonly booking: Booking;
  readonly settings: Settings;
}

export interface PlacementAnswer {
  readonly free_access_id: string;
  readonly pay_now: boolean;
  readonly payment_method_id: string | null;
}

/** The server's own sentence about what went wrong. */
export class Refused extends Error {}

const RENTALS = "/api/booking/frontend";

/** Asks the vehicle engine, or the one that is named. */
export async function call<T>(
  method: string,
  path: string,
  lang: string,
  body?: unknown,
  isEncoded = true,
  engine = RENTALS,
): Promise<T> {
  const url = new URL(engine + path, apiOrigin);
  url.searchParams.set("lang", lang);
  if (apiKey) url.searchParams.set("api_key", apiKey);
  const text = JSON.stringify(body);
  const answer = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json; charset=utf-8" },
      body: isEncoded ? encodeURIComponent(text) : text,
    }),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Refused(content.error ?? answer.statusText);
  return content;
}

export const api = {
  settings: (lang: string) => call<Settings>("GET", "/settings", lang),
  pickupPlaces: (lang: string) => call<readonly Place[]>("GET", "/pickup-places", lang),
  returnPlaces: (lang: string, pickup: string) =>
    call<readonly Place[]>("GET", `/return-places?pickup_place=${pickup}`, lang),
  times: (lang: string, date: string, action: "deliveries" | "collections", place: string) =>
    call<readonly string[]>("GET", `/times?date=${date}&action=${action}&place=${place}`, lang),
  search: (lang: string, cartId: string | undefined, body: object) =>
    call<CartAnswer>("POST", `/shopping-cart${cartId ? `/${cartId}` : ""}?include_products=true`, lang, body),
  choose: (lang: string, cartId: string, product: string) =>
    call<CartAnswer>("POST", `/shopping-cart/${cartId}/set-product?include_extras=true`, lang, {
      product,
      quantity: 1,
    }),
  setExtra: (lang: string, cartId: string, extra: string, quantity: number) =>
    call<CartAnswer>(
      "POST",
      `/shopping-cart/${cartId}/${quantity > 0 ? "set-extra" : "remove-extra"}?include_extras=true`,
      lang,
      {
        extra,
        ...(quantity > 0 && { quantity }),
      },
    ),
  applyCode: (lang: string, cartId: string, code: string) =>
    call<CartAnswer>("POST", `/shopping-cart/${cartId}/apply-promotion-code?include_extras=true`, lang, {
      promotion_code: code,
    }),
  placeBooking: (lang: string, cartId: string, body: object) =>
    call<PlacementAnswer>("POST", `/shopping-cart/${cartId}/checkout`, lang, body, false),
  booking: (lang: string, id: string) => call<BookingAnswer>("GET", `/booking/${id}`, lang),
};

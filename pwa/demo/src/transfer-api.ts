import { call, type ExtraOffer, type PlacementAnswer, type SalesProcess } from "./api.ts";

const TRANSFERS = "/api/booking-transfer/frontend";

export interface Point {
  readonly id: number;
  readonly name: string;
}

export interface Vehicle {
  readonly id: number;
  readonly name: string;
  readonly short_description: string;
  readonly photo_url: string | null;
  readonly price: string;
  readonly available: boolean;
}

/** What a transfer's cart and its reservation show. */
export interface Transfer {
  readonly free_access_id: string;
  readonly date: string;
  readonly time: string;
  readonly return_date: string | null;
  readonly return_time: string | null;
  readonly origin_point_name_customer_translation: string;
  readonly destination_point_name_customer_translation: string;
  readonly item_name_customer_translation: string | null;
  readonly item_cost: string;
  readonly extras_cost: string;
  readonly supplements_cost: string;
  readonly total_cost: string;
  readonly booking_amount: string;
  readonly extras: readonly { readonly extra_id: number; readonly quantity: number }[];
}

export interface TransferAnswer {
  readonly shopping_cart: Transfer;
  readonly products?: readonly Vehicle[];
  readonly extras?: readonly (ExtraOffer & { readonly id: number })[];
  readonly sales_process: SalesProcess;
}

export interface TransferReservation {
  readonly booking: Transfer & {
    readonly id: number;
    readonly status: string;
    readonly payment_status: string;
    readonly summary_status: string;
    readonly total_paid: string;
    readonly total_pending: string;
  };
}

const ask = <T>(path: string, lang: string) => call<T>("GET", path, lang, undefined, true, TRANSFERS);
const tell = <T>(path: string, lang: string, body: object, isEncoded = true) =>
  call<T>("POST", path, lang, body, isEncoded, TRANSFERS);

export const transferApi = {
  origins: (lang: string) => ask<{ readonly data: readonly Point[] }>("/origin-points?page=1", lang),
  destinations: (lang: string, origin: string) =>
    ask<{ readonly data: readonly Point[] }>(`/destination-points?origin_point_id=${origin}&page=1`, lang),
  times: (lang: string, date: string, origin: string) =>
    call<readonly string[]>("GET", `/times?date=${date}&transfer_destination_point_id=${origin || "null"}`, lang),
  search: (lang: string, cartId: string | undefined, body: object) =>
    tell<TransferAnswer>(`/shopping-cart${cartId ? `/${cartId}` : ""}?include_products=true`, lang, body),
  choose: (lang: string, cartId: string, product: number) =>
    tell<TransferAnswer>(`/shopping-cart/${cartId}/set-product?include_extras=true`, lang, {
      product: String(product),
    }),
  setExtra: (lang: string, cartId: string, extra: number, quantity: number) =>
    tell<TransferAnswer>(
      `/shopping-cart/${cartId}/${quantity > 0 ? "set-extra" : "remove-extra"}?include_extras=true`,
      lang,
      { extra: String(extra), ...(quantity > 0 && { quantity }) },
    ),
  placeBooking: (lang: string, cartId: string, body: object) =>
    tell<PlacementAnswer>(`/shopping-cart/${cartId}/checkout`, lang, body, false),
  reservation: (lang: string, id: string) => ask<TransferReservation>(`/reservation/${id}`, lang),
};

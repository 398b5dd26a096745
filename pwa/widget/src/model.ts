/** What the widget shows, the same for rentals and transfers; the engines make it of what the API answers. */
export type Kind = "rentals" | "transfers";
export type Step = "search" | "choose" | "details" | "reservation" | "account";

/** A search as the form has it: texts under the API's own names, dates as yyyy-mm-dd. */
export type Search = Readonly<Record<string, string>>;

export interface Place {
  readonly step: Step;
  readonly search: Search;
  readonly reservation?: string;
}

export interface Settings {
  readonly server_date: string;
  readonly country_code: string;
  readonly min_days: number;
  readonly currency_symbol: string;
  readonly currency_symbol_position: "first" | "last";
  readonly currency_decimal_mark: string;
  readonly currency_thousands_separator: string;
  readonly promotion_code: boolean;
  readonly use_driver_age_rules: boolean;
  readonly selector_date_to_days: number;
  readonly prefill_selector: boolean;
  readonly default_time_start: string;
  readonly default_time_end: string;
  readonly same_pickup_return_time: boolean;
  /** Vehicles of several categories are chosen, each in its number. */
  readonly multiple_products_selection: boolean;
  readonly hide_price_if_zero: boolean;
  readonly hide_price_if_not_available: boolean;
  /** There where customers sign in. */
  readonly engine_customer_access?: boolean;
  readonly customer_changes_allowed: boolean;
  readonly renting_form_fill_data_address: boolean;
  readonly renting_form_fill_data_driver_detail: boolean;
  readonly renting_form_fill_data_flight: boolean;
  readonly renting_form_fill_data_additional_driver_1: boolean;
  readonly renting_form_fill_data_additional_driver_2: boolean;
}

export interface Offer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly photo: string | null;
  readonly price: string;
  readonly basePrice: string;
  readonly seats: string | number | null;
  readonly doors: string | number | null;
  readonly offerName: string | null;
  readonly isAvailable: boolean;
  readonly isFew: boolean;
  /** How many of it may be had, where several are chosen. */
  readonly most?: number;
}

export interface Extra {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly price: string;
  readonly most: number;
}

export interface Leg {
  readonly place: string;
  readonly date: string;
  readonly time: string;
}

/** What is rented or driven, and the parts of its price: the lines add up to the total. */
export interface Trip {
  readonly legs: readonly Leg[];
  readonly vehicle: string;
  readonly photo: string | null;
  readonly days: number | null;
  readonly vehicleCost: string;
  readonly extrasCost: string;
  readonly supplementsCost: string;
  readonly total: string;
  readonly prepayment: string;
  readonly securityDeposit: string;
  readonly extras: readonly { readonly id: string; readonly name: string; readonly quantity: number }[];
}

/** How the visitor may go on: a word for each part that may be paid, and the online methods. */
export interface Selling {
  readonly canRequest: boolean;
  readonly parts: readonly ("deposit" | "total" | "pending")[];
  readonly methods: readonly string[];
}

export interface Cart {
  readonly id: string;
  /** Moves with every change, whichever window makes it. */
  readonly version: number;
  readonly trip: Trip;
  readonly isChosen: boolean;
  /** How many of each offer are chosen. */
  readonly chosen?: Readonly<Record<string, number>>;
  readonly offers: readonly Offer[];
  readonly extras: readonly Extra[];
  readonly selling: Selling;
  /** The promotion code that was searched with lowers nothing. */
  readonly isCodeIdle?: boolean;
}

export interface Reservation {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly paymentStatus: string;
  /** Why it is not what who made it expects. */
  readonly reason: "expired" | "paid_too_late" | null;
  readonly customer: string;
  readonly paid: string;
  readonly pending: string;
  readonly trip: Trip;
  readonly selling: Selling;
  /** Until the vehicle is handed over: what its contract says already, and what it has to say. */
  readonly contract?: Contract | undefined;
  /** Of a rental: when and where, as a change of it says it. */
  readonly period?: Period;
  /** Of a transfer: its trips and people, as a search says them. */
  readonly ride?: Search;
}

/** The data of a contract by the interface's own flat names, and those that it needs. */
export interface Contract {
  readonly fields: Readonly<Record<string, string>>;
  readonly required: readonly string[];
}

export interface Period {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  readonly return_place: string;
}

/** What a customer wants of a booking of their own, and what it would cost. */
export type OwnBookingChange = { readonly move: "cancel" } | ({ readonly move: "change" } & Partial<Change>);

/** When a rental is wanted instead, and all extras that it is to have; or what of a transfer is to be otherwise. */
export type Change =
  | (Omit<Period, "pickup_place" | "return_place"> & {
      readonly extras: readonly { readonly code: string; readonly quantity: number }[];
    })
  | TransferChange;

export type TransferChange = Readonly<Record<string, string | number | boolean>>;

export interface OwnQuote {
  readonly booking: { readonly version: number };
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
  readonly new_total_cost: string;
  readonly extras: readonly OwnExtra[];
}

/** An extra that one's own rental has or may have. */
export interface OwnExtra {
  readonly code: string;
  readonly name: string;
  readonly unit_price: string;
  readonly quantity: number;
  readonly max_quantity: number;
}

/** A reservation in the list of who is signed in. */
export interface Listed {
  readonly id: number;
  readonly free_access_id: string;
  readonly status: string;
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly item_description: string;
  readonly pickup_place: string;
  readonly return_place: string;
  readonly total_cost: string;
}

export interface Placed {
  readonly free_access_id: string;
  readonly payment_method_id: string | null;
}

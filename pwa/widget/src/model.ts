/** View model of the widget for rentals and transfers. The engines convert API responses to it. */
export type Kind = "rentals" | "transfers";
export type Step = "search" | "choose" | "details" | "reservation" | "account";

/** Form values of a search: texts under API names, dates as yyyy-mm-dd. */
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
  /** Whether several categories with quantities can be chosen. */
  readonly multiple_products_selection: boolean;
  readonly hide_price_if_zero: boolean;
  readonly hide_price_if_not_available: boolean;
  /** Whether customers can sign in. */
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
  /** Maximum quantity, if several can be chosen. */
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

/** Rental or transfer with its price lines, which add up to the total. */
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

/** Payment options: a code for each payable part, and the online methods. */
export interface Selling {
  readonly canRequest: boolean;
  readonly parts: readonly ("deposit" | "total" | "pending")[];
  readonly methods: readonly string[];
}

export interface Cart {
  readonly id: string;
  /** Increases with every change in any window. */
  readonly version: number;
  readonly trip: Trip;
  readonly isChosen: boolean;
  /** Chosen quantity of each offer. */
  readonly chosen?: Readonly<Record<string, number>>;
  readonly offers: readonly Offer[];
  readonly extras: readonly Extra[];
  readonly selling: Selling;
  /** Whether the promotion code has no effect. */
  readonly isCodeIdle?: boolean;
}

export interface Reservation {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly paymentStatus: string;
  /** Reason for an unexpected status. */
  readonly reason: "expired" | "paid_too_late" | null;
  readonly customer: string;
  readonly paid: string;
  readonly pending: string;
  readonly trip: Trip;
  readonly selling: Selling;
  /** Contract data until the hand-over, and its required fields. */
  readonly contract?: Contract | undefined;
  /** Dates and places of a rental, in the format of a change. */
  readonly period?: Period;
  /** Trips and travellers of a transfer, in the format of a search. */
  readonly ride?: Search;
}

/** Contract data under the API's flat names, and the required fields. */
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

/** Change that a customer requests for their booking. */
export type OwnBookingChange = { readonly move: "cancel" } | ({ readonly move: "change" } & Partial<Change>);

/** New dates and all extras of a rental, or changed values of a transfer. */
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

/** Extra that the rental has or may have. */
export interface OwnExtra {
  readonly code: string;
  readonly name: string;
  readonly unit_price: string;
  readonly quantity: number;
  readonly max_quantity: number;
}

/** Reservation in a customer's list. */
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

/** What the widget shows, the same for rentals and transfers; the engines make it of what the API answers. */
export type Kind = "rentals" | "transfers";
export type Step = "search" | "choose" | "details" | "reservation";

/** A search as the form has it: texts under the API's own names, dates as yyyy-mm-dd. */
export type Search = Readonly<Record<string, string>>;

export interface Place {
  readonly step: Step;
  readonly search: Search;
  readonly reservation?: string;
}

export interface Settings {
  readonly server_date: string;
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
  readonly trip: Trip;
  readonly isChosen: boolean;
  readonly offers: readonly Offer[];
  readonly extras: readonly Extra[];
  readonly selling: Selling;
}

export interface Reservation {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly customer: string;
  readonly paid: string;
  readonly pending: string;
  readonly trip: Trip;
  readonly selling: Selling;
}

export interface Placed {
  readonly free_access_id: string;
  readonly payment_method_id: string | null;
}

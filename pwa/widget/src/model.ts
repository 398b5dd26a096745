import type { Immutable } from "#shared/immutable.ts";
import type { CheckoutMessage } from "#worker/api/booking-engine/shared/checkout-messages.ts";
import type { TransferSearchRequest } from "#worker/api/booking-engine/transfers/cart-messages.ts";
import type { RentalBookingMessage } from "#worker/api/booking-engine/vehicles/booking-messages.ts";
import type { RentalSearchRequest } from "#worker/api/booking-engine/vehicles/cart-messages.ts";
import type { WebsiteSettingsMessage } from "#worker/api/booking-engine/vehicles/settings-messages.ts";
import type { OwnRentalsMessage } from "#worker/api/customer-access/messages.ts";
import type { OwnBookingActionMessage } from "#worker/api/customer-access/own-booking-messages.ts";
import type { FieldRefusal } from "./client.ts";

// View model of the widget for rentals and transfers. The engines convert API responses to it.

/** Kind of reservations that a widget sells. */
export type WidgetKind = "rentals" | "transfers";
export type WidgetStep = "search" | "choose" | "details" | "reservation" | "account";

/** Form values of a search: texts under API names, dates as yyyy-mm-dd. */
type SearchField =
  | keyof RentalSearchRequest
  | keyof TransferSearchRequest
  // Only for a change of one's own transfer, not for a new search.
  | ("detailed_origin_address" | "detailed_destination_address")
  | ("flight_number" | "flight_time" | "flight_number_departure" | "flight_time_departure");

export type SearchValues = Readonly<Partial<Record<SearchField, string>>>;

/** Step of the booking that is shown, with the search or reservation in its URL. */
export interface WidgetPosition {
  readonly step: WidgetStep;
  readonly search: SearchValues;
  readonly reservation?: string;
}

export type Settings = EngineSettings & {
  /** Locale of dates and amounts. English follows the company's country. */
  readonly locale: string;
};

export type EngineSettings = Pick<
  Immutable<WebsiteSettingsMessage>,
  | "server_date"
  | "fuel_policy"
  | "country_code"
  | "min_days"
  | "currency"
  | "currency_decimals"
  | "promotion_code"
  | "use_driver_age_rules"
  | "selector_date_to_days"
  | "prefill_selector"
  | "default_time_start"
  | "default_time_end"
  | "same_pickup_return_time"
  | "multiple_products_selection"
  | "hide_price_if_zero"
  | "hide_price_if_not_available"
  | "engine_customer_access"
  | "customer_changes_allowed"
  | "terms_url"
  | "privacy_url"
  | "terms_version"
  | "terms_acceptance"
  | "renting_form_fill_data_address"
  | "renting_form_fill_data_driver_detail"
  | "renting_form_fill_data_flight"
  | "renting_form_fill_data_additional_driver_1"
  | "renting_form_fill_data_additional_driver_2"
>;

export interface ListedProduct {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly photos: readonly string[];
  /** Total with all mandatory fees and the signed-in customer's own discount. */
  readonly price: string;
  readonly basePrice: string;
  /** Price of one vehicle without the fees, and the same price before offers. */
  readonly unitPrice: string;
  readonly unitBasePrice: string;
  /** Mandatory fees that `price` includes. */
  readonly fees: readonly MandatoryFee[];
  readonly seats: number | null;
  readonly doors: number | null;
  /** Characteristics of the category. Absent for transfers. */
  readonly traits?: CategoryTraits;
  readonly offerName: string | null;
  readonly isAvailable: boolean;
  /** Number of people that don't fit, if the vehicle is too small. */
  readonly tooSmallFor?: number | undefined;
  /** Limit of the rental's length that the search breaks. */
  readonly wrongLength?: FieldRefusal | undefined;
  readonly isFew: boolean;
  /** Maximum quantity, if several can be chosen. */
  readonly most?: number;
}

/** Characteristics and conditions of a rental's category. */
export interface CategoryTraits {
  readonly gearbox: "manual" | "automatic" | null;
  readonly fuel: "petrol" | "diesel" | "electric" | "hybrid" | null;
  readonly bags: number | null;
  readonly hasAirConditioning: boolean;
  readonly kilometresPerDay: number | null;
  /** Amount that the company holds: deposit, excess and the deposit of young drivers. */
  readonly deposit: string;
  readonly excess: string;
}

/** Mandatory fee, with the key of the text that names it. */
export interface MandatoryFee {
  readonly text: "feeTimeFrom" | "feeTimeTo" | "feePickupPlace" | "feeReturnPlace" | "feeDriverAge";
  readonly amount: string;
}

export interface Extra {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Description, empty if it has none. Absent where only names are shown. */
  readonly text?: string;
  readonly price: string;
  readonly most: number;
  /** Only of an extra that lowers the deposit or the excess. */
  readonly insurance?: InsuranceAmounts | undefined;
}

/** Deposit and excess of the chosen vehicles with an insurance, and without. */
export interface InsuranceAmounts {
  readonly deposit: string;
  readonly excess: string;
  readonly depositWithout: string;
  readonly excessWithout: string;
}

/** Kinds of the origin and destination of a transfer, and whether it has a return trip. */
export interface TransferPointKinds {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly isRound: boolean;
}

/** Place, date and time of a pickup, return or transfer trip. */
export interface PlaceAndTime {
  readonly place: string;
  readonly date: string;
  readonly time: string;
}

/** Fields of flights that a reservation shows. */
export const FLIGHT_FIELDS = [
  "flight_company",
  "flight_number",
  "flight_time",
  "flight_number_departure",
  "flight_time_departure",
] as const;

/** Rental or transfer with its price lines, which add up to the total. */
export interface PricedTrip {
  readonly legs: readonly PlaceAndTime[];
  /** Flights that the customer entered. Absent before the reservation. */
  readonly flights?: Readonly<Record<(typeof FLIGHT_FIELDS)[number], string | null>>;
  /** Texts of the trip's origin and destination. Absent for rentals. */
  readonly ends?: TransferPointKinds;
  readonly vehicle: string;
  readonly photo: string | null;
  readonly days: number | null;
  /** Cost of the vehicle without the discount. The costs of extras exclude it, too. */
  readonly vehicleCost: string;
  readonly extrasCost: string;
  readonly fees: readonly MandatoryFee[];
  readonly supplementsCost: string;
  /** Discount by the company, as a positive amount. Absent if there is none. */
  readonly discount?: string | undefined;
  readonly total: string;
  readonly prepayment: string;
  readonly securityDeposit: string;
  readonly extras: readonly { readonly id: string; readonly name: string; readonly quantity: number }[];
}

/** Payment options: a code for each payable part, and the online methods. */
export interface CheckoutOptions {
  readonly canRequest: boolean;
  readonly parts: readonly ("deposit" | "total" | "pending")[];
  readonly methods: readonly string[];
}

export interface Cart {
  readonly id: string;
  /** Increases with every change in any window. */
  readonly version: number;
  readonly trip: PricedTrip;
  readonly isChosen: boolean;
  /** Chosen quantity of each offer. */
  readonly chosen?: Readonly<Record<string, number>>;
  readonly offers: readonly ListedProduct[];
  readonly extras: readonly Extra[];
  readonly selling: CheckoutOptions;
  /** Local time, `yyyy-mm-ddThh:mm`. Absent if a cancellation isn't free. */
  readonly freeCancellationUntil?: string | undefined;
  /** Fee of a cancellation now. */
  readonly cancellationFee: string;
  /** Whether the signed-in customer's account has a phone, which a transfer needs. */
  readonly hasPhone?: boolean;
  /** Signed-in customer's own discount. The prices of the list include it, those of single units don't. */
  readonly discountPercent?: number | undefined;
  /** Whether the promotion code has no effect. */
  readonly isCodeIdle?: boolean;
}

export interface Reservation {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly paymentStatus: string;
  /** Reason for an unexpected status. */
  readonly reason: Immutable<RentalBookingMessage>["booking"]["status_reason"];
  readonly customer: string;
  /** Address of the reservation's emails. */
  readonly email: string | undefined;
  /** Whether the address gets no emails until it's confirmed. */
  readonly isEmailUnconfirmed: boolean;
  readonly paid: string;
  readonly pending: string;
  readonly trip: PricedTrip;
  readonly selling: CheckoutOptions;
  /** Contract data until the hand-over, and its required fields. */
  readonly contract?: Contract | undefined;
  /** Dates and places of a rental, in the format of a change. */
  readonly period?: Period;
  /** Trips and travellers of a transfer, in the format of a search. */
  readonly ride?: SearchValues;
}

/** Contract data under the API's flat names, and the required fields. */
export interface Contract {
  readonly fields: Readonly<Record<string, string>>;
  readonly required: readonly string[];
}

export type Period = Pick<
  Immutable<RentalBookingMessage>["booking"],
  "date_from" | "time_from" | "date_to" | "time_to" | "pickup_place" | "return_place"
>;

/** Change that a customer requests for their booking. */
export type OwnBookingActionRequest =
  | { readonly move: "cancel" }
  | ({ readonly move: "change" } & Partial<OwnReservationChange>);

/** New dates and all extras of a rental, or changed values of a transfer. */
export type OwnReservationChange =
  | (Omit<Period, "pickup_place" | "return_place"> & {
      readonly extras: readonly { readonly code: string; readonly quantity: number }[];
    })
  | TransferChange;

export type TransferChange = Readonly<Record<string, string | number | boolean>>;

export type OwnActionQuote = Immutable<OwnBookingActionMessage>;

/** Extra that the rental has or may have. */
export type OwnExtra = OwnActionQuote["extras"][number];

/** Reservation in a customer's list. */
export type OwnReservationListItem = Immutable<OwnRentalsMessage>["data"][number];

export type PlacedReservation = Pick<Immutable<CheckoutMessage>, "free_access_id" | "payment_method_id">;

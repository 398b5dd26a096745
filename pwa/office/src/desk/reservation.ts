/** A reservation in a list. Amounts are decimal strings, dates and times are the account's local time. */
export interface Listed {
  readonly id: number;
  readonly version: number;
  readonly kind: "rental" | "transfer";
  readonly status: Status;
  readonly date_from: string;
  readonly time_from: string;
  readonly pickup_place: string;
  readonly pickup_place_id: number | null;
  readonly date_to: string;
  readonly time_to: string;
  readonly return_place: string;
  readonly return_place_id: number | null;
  readonly customer_id: number | null;
  readonly customer_fullname: string;
  readonly customer_email: string | null;
  readonly customer_phone: string | null;
  readonly customer_document_id: string | null;
  readonly customer_language: string;
  readonly rental_location_code: string;
  readonly rental_storage_id: number;
  readonly return_rental_location_code: string;
  readonly sales_channel_code: string | null;
  readonly agency_reservation_id: string | null;
  readonly promotion_code: string | null;
  readonly driver_age: number | null;
  readonly notes: string | null;
  readonly days: number;
  readonly total_cost: string;
  readonly total_paid: string;
  readonly total_pending: string;
  readonly total_deposit: string;
  readonly deposit_held: string;
  readonly agent_id: number | null;
  readonly agent_comission_total: string;
  readonly agent_comission_prepaid_amount: string;
  readonly agent_comission_paid: boolean;
  readonly agent_comission_payment_date: string | null;
  readonly created: string;
  readonly hold_until: string | null;
  readonly cancelled: string | null;
  readonly cancellation_reason: "cancelled" | "no_show" | "expired" | null;
  readonly cancellation_fee: string;
  readonly to_refund: string;
  readonly price_difference: string;
  readonly price_reason: string | null;
  readonly reopened: boolean;
  readonly reservation_lines: readonly Line[];
  readonly reservation_extras: readonly BookedExtra[];
}

export type Status = "pending_confirmation" | "confirmed" | "in_progress" | "done" | "cancelled";

export interface Line {
  readonly id: number;
  readonly item_id: string;
  readonly item_description: string;
  readonly item_unit_cost: string;
  readonly item_cost: string;
  readonly quantity: number;
  readonly reservation_line_resources: readonly Resource[];
}

interface Resource {
  readonly id: number;
  readonly reference: string | null;
  readonly stock_plate: string | null;
}

export interface BookedExtra {
  readonly id: number;
  readonly extra_id: string;
  readonly extra_description: string;
  readonly extra_unit_cost: string;
  readonly extra_cost: string;
  readonly quantity: number;
  /** Date of a charge added after the contract was closed. */
  readonly charged_on: string | null;
}

export interface Unit {
  readonly id: number;
  readonly line_id: number;
  readonly reference: string | null;
  readonly delivered: string | null;
  readonly collected: string | null;
}

export type MoveName =
  | "confirm"
  | "change"
  | "extend"
  | "early-return"
  | "exchange"
  | "assign"
  | "cancel"
  | "no-show"
  | "deliver"
  | "collect"
  | "reopen"
  | "surcharge";

/** Agreed transfer with its outward and return trips. */
export interface Transfer {
  readonly transfer_vehicle_id: number;
  readonly vehicle: string;
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
  readonly trips: readonly TransferTrip[];
  readonly extras: readonly (TransferPart & { readonly code: string; readonly quantity: number })[];
  readonly supplements: readonly TransferPart[];
}

export interface TransferTrip {
  readonly date: string;
  readonly time: string;
  readonly origin_point_id: number;
  readonly origin: string;
  readonly destination_point_id: number;
  readonly destination: string;
  readonly minutes: number;
  readonly cost: string;
}

interface TransferPart {
  readonly description: string;
  readonly cost: string;
}

export interface Reservation extends Listed {
  readonly agency_name: string | null;
  readonly sales_channel_name: string | null;
  readonly item_cost: string;
  readonly transfer: Transfer | null;
  readonly units: readonly Unit[];
  readonly allowed: readonly MoveName[];
}

export interface Paper {
  readonly id: number;
  readonly serie: string | null;
  readonly number: string | null;
  readonly date: string | null;
  readonly concept: string;
  readonly total: string;
  readonly total_pending: string;
  readonly invoice_status: string;
  readonly invoice_type?: string;
  readonly object: string;
}

export interface Charge {
  readonly id: number;
  readonly amount: string;
  readonly date: string;
  readonly payment_type: "charge" | "payment";
  readonly payment_method_id: string;
  readonly source_doc: string;
  readonly virtual: boolean;
  readonly deposit_kept: boolean;
}

/** Reasons of changes that the platform made. */
export type ReasonCode =
  | "vehicle_blocked"
  | "vehicle_home_changed"
  | "vehicle_retired"
  | "vehicle_category_changed"
  | "vehicle_stays_out";

export interface HistoryEntry {
  readonly at: string;
  readonly who: string;
  readonly move: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** Reason typed by a person. */
  readonly reason: string | null;
  /** Reason of a change that the platform made. */
  readonly reason_code: ReasonCode | null;
  readonly reason_params: Readonly<Record<string, string | number>>;
}

/** A reservation with its documents, payments and history. */
export interface ReservationDetail {
  readonly reservation: Reservation;
  readonly documents: readonly Paper[];
  readonly charges: readonly Charge[];
  readonly history: readonly HistoryEntry[];
}

/** API names of the parts of a total. */
export const PARTS = [
  "item_cost",
  "extras_cost",
  "pickup_place_cost",
  "return_place_cost",
  "time_from_cost",
  "time_to_cost",
  "driver_age_cost",
  "category_supplement_1_cost",
  "category_supplement_2_cost",
  "category_supplement_3_cost",
  "supplement_1_cost",
  "supplement_2_cost",
  "supplement_3_cost",
] as const;

/** Lists the parts with a cost, in order. */
export function listCostParts(priced: object): readonly (readonly [(typeof PARTS)[number], string])[] {
  const values = priced as Readonly<Record<string, unknown>>;
  return PARTS.flatMap((name) => {
    const amount = values[name];
    return typeof amount === "string" && Number(amount) !== 0 ? [[name, amount] as const] : [];
  });
}

/** Whether a vehicle is overdue. `now` is the account's local time as `yyyy-mm-dd hh:mm`. */
export function isOverdue({ status, date_to, time_to }: Pick<Listed, "status" | "date_to" | "time_to">, now: string) {
  return status === "in_progress" && `${date_to} ${time_to}` < now;
}

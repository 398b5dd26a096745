import type { Status } from "../../desk/reservation.ts";

/** A unit of a contract on the board; dates and times on the account's clock. */
export interface PlannedContract {
  readonly id: number;
  readonly version: number;
  readonly status: Status;
  readonly unit_id: number;
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly customer_fullname: string;
  readonly rental_location_code: string;
  readonly return_rental_location_code: string;
  /** When it has the vehicle, as `yyyy-mm-ddThh:mm`: as agreed, and as it went out and came back once it did. */
  readonly from: string;
  readonly to: string;
}

/** A stretch in which a vehicle is not rented; `from` and `to` as `yyyy-mm-ddThh:mm`. */
export interface Block {
  readonly id: number;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly note: string;
  readonly version: number;
}

export interface PlannedVehicle {
  readonly reference: string;
  readonly name: string;
  readonly stock_plate: string | null;
  readonly category_code: string;
  readonly rental_location_code: string;
  /** Whom it is out with now, and when it should be back. */
  readonly out: {
    readonly reservation_id: number;
    readonly customer_fullname: string | null;
    readonly date_to: string;
    readonly time_to: string;
  } | null;
  /** Its last days with an inspection and an insurance; an older server says neither. */
  readonly inspection_due?: string | null;
  readonly insured_until?: string | null;
  readonly contracts: readonly PlannedContract[];
  /** Those that it was out with until another vehicle went out for it. */
  readonly exchanged: readonly PlannedContract[];
  readonly blocks: readonly Block[];
}

export interface SoldDay {
  readonly category_code: string;
  readonly date: string;
  readonly sold: number;
  readonly stock: number;
}

/** The board as the server tells it, in one answer. */
export interface Planning {
  readonly date_from: string;
  readonly days: number;
  readonly vehicles: readonly PlannedVehicle[];
  readonly unassigned: readonly { readonly category_code: string; readonly contracts: readonly PlannedContract[] }[];
  readonly sold: readonly SoldDay[];
}

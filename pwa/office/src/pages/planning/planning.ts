import type { Status } from "../../desk/reservation.ts";

/** A unit of a contract on the board. Dates and times are local. */
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
  /**
   * When it has the vehicle, as `yyyy-mm-ddThh:mm`: the agreed times, replaced by the actual ones after hand-over and
   * return.
   */
  readonly from: string;
  readonly to: string;
}

/** A period when a vehicle isn't rented. `from` and `to` are `yyyy-mm-ddThh:mm`. */
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
  /** Current contract and its agreed return. */
  readonly out: {
    readonly reservation_id: number;
    readonly customer_fullname: string | null;
    readonly date_to: string;
    readonly time_to: string;
  } | null;
  /** Expiry of inspection and insurance. Not sent by older servers. */
  readonly inspection_due?: string | null;
  readonly insured_until?: string | null;
  readonly contracts: readonly PlannedContract[];
  /** Earlier contracts that exchanged this vehicle for another. */
  readonly exchanged: readonly PlannedContract[];
  readonly blocks: readonly Block[];
}

export interface SoldDay {
  readonly category_code: string;
  readonly date: string;
  readonly sold: number;
  readonly stock: number;
}

/** Data of the board, in a single response. */
export interface Planning {
  readonly date_from: string;
  readonly days: number;
  readonly vehicles: readonly PlannedVehicle[];
  readonly unassigned: readonly { readonly category_code: string; readonly contracts: readonly PlannedContract[] }[];
  readonly sold: readonly SoldDay[];
}

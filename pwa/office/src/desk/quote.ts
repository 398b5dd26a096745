import type { Transfer } from "./reservation.ts";

/** Quote of a reservation with all cost parts and totals. */
export interface Quote {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly days: number;
  readonly pickup_place: string;
  readonly return_place: string;
  readonly products: readonly Priced[];
  readonly extras: readonly Priced[];
  readonly total_cost: string;
  readonly booking_amount: string;
  readonly total_deposit: string;
}

interface Priced {
  readonly category_code?: string;
  readonly code?: string;
  readonly description: string;
  readonly quantity: number;
  readonly unit_cost: string;
  readonly cost: string;
}

export type Params = Readonly<Record<string, string | number>>;

/** Code of a refusal or a warning, from which its sentence is made. */
export interface Reason {
  readonly code: string;
  readonly params?: Params;
  readonly field?: string;
}

/** Quote of a transfer with its totals. */
export interface TransferQuote extends Transfer {
  readonly total_cost: string;
  readonly booking_amount: string;
}

/** Quote of a new reservation. */
export interface SaleQuote {
  readonly available: boolean;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Reason[];
  readonly quote: Quote | null;
}

/** Quote of a new transfer, with the available vehicles. */
export interface NewTransferQuote {
  readonly available: boolean;
  readonly reasons: readonly Reason[];
  readonly vehicles: readonly TransferOffer[];
  readonly quote: TransferQuote | null;
}

export interface TransferOffer {
  readonly transfer_vehicle_id: number;
  readonly vehicle: string;
  readonly free: boolean;
  readonly cost: string;
}

/** Effect of a booking action. */
export interface MoveQuote {
  readonly move: string;
  readonly allowed: boolean;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Reason[];
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
  readonly quote: Quote | null;
  readonly transfer: TransferQuote | null;
}

import type { Transfer } from "./reservation.ts";

/** What a reservation would be, with every part and sum. */
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

export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
}

/** What a transfer would be, with its sums. */
export interface TransferQuote extends Transfer {
  readonly total_cost: string;
  readonly booking_amount: string;
}

/** What a new reservation would cost. */
export interface SaleQuote {
  readonly available: boolean;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly string[];
  readonly quote: Quote | null;
}

/** What a new transfer would cost, and by which vehicles it could be driven. */
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

/** What a move would do. */
export interface MoveQuote {
  readonly move: string;
  readonly allowed: boolean;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly string[];
  readonly difference: string;
  readonly fee: string;
  readonly to_refund: string;
  readonly quote: Quote | null;
  readonly transfer: TransferQuote | null;
}

import type { FailureCode, FieldCode } from "#domain/failure-codes.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { NewTransferQuoteMessage } from "#worker/api/office/new-transfer-messages.ts";
import type {
  ActionQuoteMessage,
  ReasonMessage,
  ReservationQuoteMessage,
  SaleQuoteMessage,
} from "#worker/api/office/reservation-messages.ts";
import type { TransferQuoteMessage } from "#worker/api/office/transfer-messages.ts";

/** Quote of a reservation with all cost parts and totals. */
export type Quote = Immutable<ReservationQuoteMessage>;

/** A quote whose reasons may also come from the page itself, without a message for developers. */
type WithReasons<Quoted> = {
  readonly [Member in keyof Quoted]: Member extends "reasons" | "warnings" ? readonly RefusalReason[] : Quoted[Member];
};

export type ReasonParams = NonNullable<RefusalReason["params"]>;

/** Code of a refusal or a warning, from which its sentence is made. */
export interface RefusalReason extends Omit<Immutable<ReasonMessage>, "message" | "code"> {
  /** Code of the refusal or field problem. Empty if there is none. */
  readonly code: FailureCode | FieldCode | "";
}

/** Quote of a transfer with its totals. */
export type TransferQuote = Immutable<TransferQuoteMessage>;

/** Quote of a new reservation. */
export type SaleQuote = WithReasons<Immutable<SaleQuoteMessage>>;

/** Quote of a new transfer, with the available vehicles. */
export type NewTransferQuote = WithReasons<Immutable<NewTransferQuoteMessage>>;

export type TransferOffer = NewTransferQuote["vehicles"][number];

/** Price and problems of a booking action before it is confirmed. */
export type ActionQuote = WithReasons<Immutable<ActionQuoteMessage>>;

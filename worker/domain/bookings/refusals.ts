import type { Translations } from "#domain/catalogue/languages.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import type { Reason } from "#domain/problems.ts";

/** Rejected value of the request. `field` is its domain name. Each interface translates it. */
export interface InvalidInput<Name extends string = BookingField> {
  readonly kind: "invalid";
  readonly field: Name;
  readonly reason: Reason;
  /** Message for visitors, in the languages of the account or the platform. */
  readonly inLanguages?: Translations | undefined;
  /** Other refused fields, for the office, which names all at once. */
  readonly others?: readonly { readonly field: Name; readonly reason: Reason }[];
}

/** Field of a booking request that a refusal can name. */
export type BookingField =
  | "period"
  | "dateFrom"
  | "timeFrom"
  | "dateTo"
  | "timeTo"
  | "pickupPlace"
  | "returnPlace"
  | "product"
  | "extra"
  | "quantity"
  | "salesChannel"
  | "driverAge"
  | "promotionCode"
  | "language"
  | "customer";

/** Request fields of transfers, in addition to those of rentals. */
export type TransferField =
  | BookingField
  | "tripDate"
  | "returnDate"
  | "origin"
  | "destination"
  | "returnOrigin"
  | "returnDestination"
  | "adults"
  | "transferVehicle"
  | "transferExtras";

export type InvalidTransfer = InvalidInput<TransferField>;

/** Returns the reason in a visitor's language, or in English if it isn't translated. */
export function getTranslatedReason({ inLanguages, reason }: InvalidTransfer, language: string): string {
  return inLanguages?.[language] ?? formatProblem(reason);
}

/** More units requested than free. Found when reading, or later by the database guard. */
export interface SoldOut {
  readonly kind: "soldOut";
  readonly resource: "category" | "extra" | "transfer";
  readonly code: string;
}

/** Reason why a website's cart or booking request is rejected. */
export type CheckoutError =
  | InvalidTransfer
  | SoldOut
  | { readonly kind: "cartNotFound" }
  /** Another checkout of the cart is in progress. */
  | { readonly kind: "cartBusy" }
  /** The cart changed since the visitor saw it, in another window of the same visitor. */
  | { readonly kind: "cartChanged" }
  | { readonly kind: "cartEmpty" }
  /** The chosen product is no longer sold, with the reason. */
  | { readonly kind: "productNotSold"; readonly code: string; readonly reason: Reason }
  | { readonly kind: "priceChanged"; readonly totalCents: number }
  /** The visitor's network has too many unpaid holds. Further bookings go through staff. */
  | { readonly kind: "tooManyHolds" }
  /** The visitor failed the human check, or the check was unavailable. */
  | { readonly kind: "visitorNotProved" | "visitorUnknown" }
  /** The account requires immediate payment for bookings. */
  | { readonly kind: "requestNotAllowed" }
  | { readonly kind: "bookingNotFound" }
  /** The booking is over or cancelled and can't change. */
  | { readonly kind: "bookingClosed" }
  /** The booking's data was changed too often recently. */
  | { readonly kind: "tooManyChanges"; readonly waitSeconds: number };

/** Reason why an agency's booking request is rejected. */
export type BookingRefusal =
  | InvalidInput
  | SoldOut
  | { readonly kind: "referenceTaken" | "bookingCancelled" }
  | { readonly kind: "bookingNotFound" }
  /** The booking is delivered, completed, or past its pickup time. */
  | { readonly kind: "notCancellable"; readonly isOver: boolean; readonly hasBegun: boolean };

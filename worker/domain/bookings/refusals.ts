import type { Translations } from "#domain/catalogue/languages.ts";

/**
 * A value of the request that cannot be accepted; `field` is the domain's name for it, each interface speaks its own.
 */
export interface InvalidInput<Name extends string = Field> {
  readonly kind: "invalid";
  readonly field: Name;
  readonly reason: string;
  /** The same to a visitor, in the languages in which the account or the platform says it. */
  readonly inLanguages?: Translations | undefined;
}

export type Field =
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

/** What transfers are asked for beside what rentals are. */
export type TransferField =
  | Field
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

/** Why something cannot be accepted, in a visitor's language where it is said in it. */
export function reasonIn({ inLanguages, reason }: InvalidTransfer, language: string): string {
  return inLanguages?.[language] ?? reason;
}

/** Asked for more units than are free, found when reading or, later, by the guard of the database. */
export interface SoldOut {
  readonly kind: "soldOut";
  readonly resource: "category" | "extra" | "transfer";
  readonly code: string;
}

/** Why a cart or the booking of a website cannot be what is asked. */
export type CheckoutError =
  | InvalidTransfer
  | SoldOut
  | { readonly kind: "cartNotFound" }
  /** Another checkout of the cart is under way. */
  | { readonly kind: "cartBusy" }
  /** The cart is not the one that was seen any more: another window of the visitor went on with it. */
  | { readonly kind: "cartChanged" }
  | { readonly kind: "cartEmpty" }
  /** What was chosen is not sold any more, and why. */
  | { readonly kind: "productNotSold"; readonly code: string; readonly reason: string }
  | { readonly kind: "priceChanged"; readonly totalCents: number }
  /** So many of the visitor's network are unpaid that another one is for a person to take. */
  | { readonly kind: "tooManyHolds" }
  /** The visitor has not shown to be a person, or nobody could be asked just now. */
  | { readonly kind: "visitorNotProved" | "visitorUnknown" }
  /** The account takes no bookings that are not paid at once. */
  | { readonly kind: "requestNotAllowed" }
  | { readonly kind: "bookingNotFound" }
  /** The booking is over or cancelled: nothing of it changes. */
  | { readonly kind: "bookingClosed" }
  /** The booking's data was changed too often lately. */
  | { readonly kind: "tooManyChanges"; readonly waitSeconds: number };

/** Why an agency's booking cannot be what is asked. */
export type BookingRefusal =
  | InvalidInput
  | SoldOut
  | { readonly kind: "referenceTaken" }
  | { readonly kind: "bookingNotFound" }
  /** Handed over, over, or its pickup time has passed. */
  | { readonly kind: "notCancellable"; readonly isOver: boolean; readonly hasBegun: boolean };

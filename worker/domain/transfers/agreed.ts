import type { Travellers } from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";

/** Agreed data of a transfer, in addition to its booking. */
export interface AgreedTransfer {
  readonly vehicle: { readonly id: number; readonly name: string; readonly vat: BasisPoints };
  readonly people: Travellers;
  /** Outward trip, then the return. */
  readonly trips: readonly AgreedTrip[];
  readonly extras: readonly AgreedTransferExtra[];
  readonly supplements: readonly { readonly id: number; readonly name: string; readonly cents: Cents }[];
}

/** Trip of a transfer as agreed, with its price. */
export interface AgreedTrip {
  readonly date: CivilDate;
  readonly time: TimeText;
  readonly originId: number;
  readonly originName: string;
  readonly destinationId: number;
  readonly destinationName: string;
  readonly minutes: number;
  readonly priceCents: Cents;
}

export interface AgreedTransferExtra {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly quantity: number;
  /** List price of one unit. */
  readonly unitCents: Cents;
  /** Part of the booking's discount for this extra. */
  readonly discountCents: Cents;
  readonly extraCents: Cents;
  readonly vat: BasisPoints;
}

/** Transfer as seen by contract actions. */
export interface ContractTransfer extends AgreedTransfer {
  /** Trips, 1 or 2, with a pickup or drop-off reported by the driver. */
  readonly driven: readonly number[];
}

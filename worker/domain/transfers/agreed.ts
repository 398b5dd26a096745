import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { Travellers } from "./transfers.ts";

/** What is agreed of a transfer beside its booking. */
export interface AgreedTransfer {
  readonly vehicle: { readonly id: number; readonly name: string; readonly vat: BasisPoints };
  readonly people: Travellers;
  /** The outward trip, then the return. */
  readonly trips: readonly AgreedTrip[];
  readonly extras: readonly AgreedTransferExtra[];
  readonly supplements: readonly { readonly id: number; readonly name: string; readonly cents: Cents }[];
}

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
  readonly unitCents: Cents;
  readonly extraCents: Cents;
  readonly vat: BasisPoints;
}

/** A transfer as the moves of its life see it. */
export interface ContractTransfer extends AgreedTransfer {
  /** The trips, 1 or 2, whose customer was picked up or dropped by what who drove has said. */
  readonly driven: readonly number[];
}

import type { CommunicatedParty, CommunicatedPlace } from "./people.ts";

/** RV: a reservation; AV: a rental that began. */
export type CommunicationKind = "RV" | "AV";

/**
 * Where a vehicle is handed over or taken back; its municipality by the statistical office's code, where it is known.
 */
export type RentalPlace = CommunicatedPlace & { readonly municipality: string | undefined };

/** A rental as it stands: plain data, whatever keeps it. Times are the account's own, `2026-11-21T10:00:00`. */
export interface CommunicatedRental extends CommunicatedParty {
  readonly reference: string;
  readonly contractDate: string;
  readonly pickupAt: string;
  readonly returnAt: string;
  readonly pickup: RentalPlace;
  readonly return: RentalPlace;
  readonly payment: string;
  readonly category: string;
  readonly vehicle:
    | {
        readonly brand: string | undefined;
        readonly model: string | undefined;
        readonly plate: string | undefined;
        readonly vin: string | undefined;
        readonly color: string | undefined;
        readonly kilometres: number | undefined;
      }
    | undefined;
}

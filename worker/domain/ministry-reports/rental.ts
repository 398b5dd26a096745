import type { ReportedParty, ReportedPlace } from "./people.ts";

/** RV: a reservation. AV: a started rental. */
export type MinistryReportKind = "RV" | "AV";

/** Place of delivery or return, with its municipality code from the statistical office, if known. */
export type RentalPlace = ReportedPlace & { readonly municipality: string | undefined };

/** Rental in its current state, independent of storage. Times are local to the account, `2026-11-21T10:00:00`. */
export interface ReportedRental extends ReportedParty {
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

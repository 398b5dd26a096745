import type { BookingCustomer } from "#domain/bookings/bookings.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { RentalRequest } from "#domain/bookings/rental-terms.ts";
import type { Damage } from "#domain/check-in/operations.ts";
import type { Cents } from "#domain/money.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";

/** What the company's own people say of a rental or a transfer that they sell, beside what it is. */
export interface StaffSale {
  /** Known by the id, or as it is said. */
  readonly customer: BookingCustomer;
  readonly contractData: Readonly<Record<string, string>>;
  readonly language: string | undefined;
  readonly status: "confirmed" | "pending_confirmation";
  readonly priceOverride: { readonly totalCents: Cents; readonly reason: string } | undefined;
  readonly comments: string | undefined;
  /** Who brought the customer, and earns of it. */
  readonly agentId?: number | undefined;
}

/** A reservation that the company's own people make. */
export interface ReservationRequest extends StaffSale {
  readonly rental: RentalRequest;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
  /** Why a manager sells against a selling rule. */
  readonly ruleReason: string | undefined;
}

/** The same of a transfer. */
export interface TransferRequest extends StaffSale {
  readonly search: TransferSearch;
  /** Absent where it is only asked which there are. */
  readonly vehicleId: number | undefined;
  readonly extras: readonly Choice[];
}

/** Another vehicle for a unit that is out, with what was read of both. */
export interface Exchange {
  /** That goes out. */
  readonly reference: string;
  readonly kilometresIn: number;
  readonly fuelEighthsIn: number;
  readonly kilometresOut: number;
  readonly fuelEighthsOut: number;
  /** New on the one that comes back. */
  readonly damagesIn: readonly Omit<Damage, "damageId">[];
  /** Somebody was asked whether improbable kilometres are right, and said so. */
  readonly hasConfirmedReadings: boolean;
}

/** What of a reservation changes without a price; what is `null` is emptied. */
export interface ReservationDetails {
  readonly customer?: Partial<Pick<BookingCustomer, "id" | "name" | "surname">> & {
    readonly [Name in "email" | "phone" | "documentId"]?: string | null;
  };
  readonly contractData?: Readonly<Record<string, string | null>>;
  readonly comments?: string | null;
}

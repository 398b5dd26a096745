import type { BookingCustomer } from "#domain/bookings/bookings.ts";
import type { RequestedDiscount } from "#domain/bookings/discounts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { RentalRequest } from "#domain/bookings/rental-terms.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import type { Cents } from "#domain/money.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";

/** Payer and invoicing period of a reservation. `null` clears a value, absent ones stay. */
export interface RequestedPayerAndInvoicing {
  /** Customer who pays and is invoiced instead of the driver. */
  readonly customerId?: number | null | undefined;
  /** Invoiced each month instead of at the end. */
  readonly period?: "month" | null | undefined;
}

/** Sales data from staff for a rental or a transfer. */
export interface StaffSale {
  /** Existing customer by id, or the data of a new customer. */
  readonly customer: BookingCustomer;
  readonly contractData: Readonly<Record<string, string>>;
  readonly language: string | undefined;
  readonly status: "confirmed" | "pending_confirmation";
  /** Discount given. `null` gives none, not even the customer's. */
  readonly discount?: RequestedDiscount | null | undefined;
  readonly priceOverride: { readonly totalCents: Cents; readonly reason: string } | undefined;
  readonly comments: string | undefined;
  /** Agent who referred the customer and earns a commission. */
  readonly agentId?: number | undefined;
  /** Whether a manager sells although the company doesn't rent to the customer. */
  readonly isDoNotRentConfirmed?: boolean | undefined;
  readonly billing?: RequestedPayerAndInvoicing | undefined;
  /** A manager's reason to sell more units than are free. */
  readonly shortageReason?: string | undefined;
  /** Whether staff confirmed that the customer is new, despite the same document, e-mail or telephone. */
  readonly isNewConfirmed?: boolean | undefined;
}

/** Reservation created by staff. */
export interface ReservationRequest extends StaffSale {
  readonly rental: RentalRequest;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
  /** Manager's reason to override a selling rule. */
  readonly ruleReason: string | undefined;
  /** Known customer, whose own discount applies unless another is given. */
  readonly customerId?: number | undefined;
}

/** Transfer created by staff. */
export interface TransferRequest extends StaffSale {
  readonly search: TransferSearch;
  /** Absent if only the available vehicles are requested. */
  readonly vehicleId: number | undefined;
  readonly extras: readonly Choice[];
  /** Known customer, whose own discount applies unless another is given. */
  readonly customerId?: number | undefined;
}

/** Replacement vehicle for a delivered unit, with the readings of both vehicles. */
export interface VehicleExchangeRequest {
  /** Replacement vehicle, which goes out with the customer. */
  readonly reference: string;
  readonly kilometresIn: number;
  readonly fuelEighthsIn: number;
  readonly kilometresOut: number;
  readonly fuelEighthsOut: number;
  /** New damage on the returned vehicle. */
  readonly damagesIn: readonly Omit<Damage, "damageId">[];
  /** Whether staff confirmed implausible kilometres. */
  readonly hasConfirmedReadings: boolean;
}

/** Change of reservation data that doesn't affect the price. `null` clears a field, an absent field stays. */
export interface ReservationDetailsChange {
  readonly customer?: Partial<Pick<BookingCustomer, "id" | "name" | "surname">> & {
    readonly [Name in "email" | "phone" | "documentId"]?: string | null;
  };
  readonly contractData?: Readonly<Record<string, string | null>>;
  readonly comments?: string | null;
  readonly billing?: RequestedPayerAndInvoicing;
}

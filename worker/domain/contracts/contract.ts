import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";

/** Rental or transfer as used by booking actions: agreed data, units and their state. */
export interface Contract extends RentalBooking {
  readonly kind: "rental" | "transfer";
  /** Trips, vehicle and travellers of a transfer. Undefined for a rental. */
  readonly transfer: ContractTransfer | undefined;
  readonly branchGroupId: number;
  readonly returnBranchCode: string;
  readonly agencyId: number | undefined;
  readonly driverAge: number | undefined;
  readonly customerType: "individual" | "legal_entity" | "group_company" | "internal_department";
  readonly units: readonly ContractUnit[];
  readonly cancellationFeeCents: Cents;
  readonly priceDifferenceCents: Cents;
  readonly priceReason: string | undefined;
  /** Time at which the completed contract was opened again, epoch ms. */
  readonly reopenedAt: number | undefined;
  /** Whether the tax of one of its invoices was recovered as a bad debt. */
  readonly isTaxRecovered: boolean;
  readonly vatByLine: ReadonlyMap<number, BasisPoints>;
  /** Tax rate of each extra, by the extra's id in the contract. */
  readonly vatByExtra: ReadonlyMap<number, BasisPoints>;
}

/** Unit of a line. Times in epoch ms. */
export interface ContractUnit {
  readonly id: number;
  readonly lineId: number;
  readonly reference: string | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  readonly deliveryKilometres: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly reopened: boolean;
  /** Earlier vehicles of the unit, oldest first. */
  readonly exchanged: readonly ExchangedVehicle[];
}

/** Vehicle returned in exchange for another. `returnedAt` in epoch ms. */
export interface ExchangedVehicle {
  readonly reference: string;
  readonly returnedAt: number;
  readonly deliveryKilometres: number | null;
  readonly returnKilometres: number | null;
}

/** Current time: civil in the account's time zone, and as an instant (epoch ms). */
export interface ActionTime {
  readonly at: number;
  readonly civil: CivilMinute;
}

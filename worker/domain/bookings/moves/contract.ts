import type { Booking } from "#domain/bookings/bookings.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";

/** A rental or a transfer as the moves of its life see it: what is agreed, with its units and what became of them. */
export interface Contract extends Booking {
  readonly kind: "rental" | "transfer";
  /** Of a transfer. */
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
  /** Epoch ms. */
  readonly reopenedAt: number | undefined;
  readonly vatByLine: ReadonlyMap<number, BasisPoints>;
  /** By the id of the extra in the contract. */
  readonly vatByExtra: ReadonlyMap<number, BasisPoints>;
}

/** One unit of a line. Times in epoch ms. */
export interface ContractUnit {
  readonly id: number;
  readonly lineId: number;
  readonly reference: string | undefined;
  readonly deliveredAt: number | undefined;
  readonly collectedAt: number | undefined;
  readonly deliveryKilometres: number | undefined;
  readonly collectionKilometres: number | undefined;
  readonly reopened: boolean;
  /** The vehicles that were out before the one that is, the oldest first. */
  readonly exchanged: readonly ExchangedVehicle[];
}

/** A vehicle that came back in exchange for another one; `returnedAt` in epoch ms. */
export interface ExchangedVehicle {
  readonly reference: string;
  readonly returnedAt: number;
  readonly deliveryKilometres: number | null;
  readonly returnKilometres: number | null;
}

/** Now, on the account's own clock and as a moment (epoch ms). */
export interface MoveTime {
  readonly at: number;
  readonly civil: CivilMinute;
}

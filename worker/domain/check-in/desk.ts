import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import type { SurchargeRequest } from "#domain/contracts/surcharge.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { AppliedOperationEffects, CheckInBooking, CheckInOperation, DeskCharge } from "./operations.ts";

/** Signature drawn at the desk. `hash` is that of its image. */
export interface DeskSignature {
  readonly name: string;
  readonly hash: string;
  /** Hash and language of the contract's text that the customer read. */
  readonly contract?: { readonly hash: string; readonly language: PlatformLanguage } | undefined;
}

/** Requested delivery or collection at the desk. */
export interface HandOverRequest {
  readonly action: "deliver" | "collect";
  readonly bookingId: number;
  readonly expectedVersion: number;
  readonly unitId: number | undefined;
  readonly reference: string | undefined;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** Time of the hand-over in the account's time zone. Undefined for the current time. */
  readonly at: CivilMinute | undefined;
  readonly notes: string | undefined;
  /** Return branch of a collection, if not the agreed one. */
  readonly returnBranchCode: string | undefined;
  readonly extras: CheckInOperation["extras"];
  readonly charges: readonly Omit<DeskCharge, "chargeId">[];
  readonly damages: readonly Omit<Damage, "damageId">[];
  /** Charges of a return for damage, cleaning and the like. `damage` is the index of the damage that it pays for. */
  readonly surcharges: readonly (Omit<SurchargeRequest, "damageId"> & { readonly damage?: number | undefined })[];
  readonly hasConfirmedReadings: boolean;
  /** Signature of the customer, drawn at the desk. */
  readonly signature?: DeskSignature | undefined;
  /** Fields as the office sent them. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** A manager's reason to hand over a vehicle although checks aren't met. */
  readonly reason?: string | undefined;
}

/**
 * Whether the desk collects more than is due for the contract, additional sales and return costs. A deposit isn't a
 * payment, but its retained part is.
 */
export function exceedsAmountDue(
  { dueCents }: Pick<CheckInBooking, "dueCents">,
  { charges, closing }: Pick<AppliedOperationEffects, "charges" | "closing">,
  soldCents: Cents,
): boolean {
  const paidCents = sumCents(
    charges.map(({ kind, amountCents }) => (kind === "payment" || kind === "deposit_kept" ? amountCents : 0)),
  );
  const returnChargesCents = closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
  return paidCents > 0 && paidCents > dueCents + soldCents + returnChargesCents;
}

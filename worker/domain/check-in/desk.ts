import type { CivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { Applied, CheckInBooking, CheckInOperation, Damage, DeskCharge } from "./operations.ts";

/** A vehicle that the desk hands over or takes back, as it is asked for. */
export interface HandOverRequest {
  readonly move: "deliver" | "collect";
  readonly bookingId: number;
  readonly expectedVersion: number;
  readonly unitId: number | undefined;
  readonly reference: string | undefined;
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
  /** On the account's own clock; undefined: now. */
  readonly at: CivilMinute | undefined;
  readonly notes: string | undefined;
  /** Of a vehicle that is taken back: the branch where it came back, where that is not the agreed one. */
  readonly returnBranchCode: string | undefined;
  readonly extras: CheckInOperation["extras"];
  readonly charges: readonly Omit<DeskCharge, "chargeId">[];
  readonly damages: readonly Omit<Damage, "damageId">[];
  readonly hasConfirmedReadings: boolean;
  /** As it was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/**
 * Whether the desk takes more than is due by then: of the contract, of what is sold with it and of what its return
 * finds. A deposit is no payment, but what is kept of it is.
 */
export function exceedsAmountDue(
  { dueCents }: Pick<CheckInBooking, "dueCents">,
  { charges, closing }: Pick<Applied, "charges" | "closing">,
  soldCents: Cents,
): boolean {
  const paidCents = sumCents(
    charges.map(({ kind, amountCents }) => (kind === "payment" || kind === "deposit_kept" ? amountCents : 0)),
  );
  const returnChargesCents = closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
  return paidCents > 0 && paidCents > dueCents + soldCents + returnChargesCents;
}

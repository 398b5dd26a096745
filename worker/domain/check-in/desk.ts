import type { CivilMinute } from "#domain/dates.ts";
import type { CheckInOperation, Damage, DeskCharge } from "./operations.ts";

/** A vehicle that the desk hands over or takes back, as it is asked for. */
export interface HandOver {
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
  readonly extras: CheckInOperation["extras"];
  readonly charges: readonly Omit<DeskCharge, "chargeId">[];
  readonly damages: readonly Omit<Damage, "damageId">[];
  readonly hasConfirmedReadings: boolean;
  /** As it was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
}

import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { AppliedOperationEffects, CheckInBooking } from "./operations.ts";

const DAY_MINUTES = 24 * 60;

/** Amounts of a return, known before it is done. */
export interface ReturnCharges {
  /** Whether the returned vehicle is the last one, so that the contract is completed and invoiced. */
  readonly closes: boolean;
  readonly extraDays: number;
  readonly extraDaysCents: Cents;
  readonly missingEighths: number;
  readonly fuelCents: Cents;
  readonly extraKilometres: number;
  readonly kilometresCents: Cents;
  /** Price of extras and costs that the return adds, such as damage. */
  readonly soldCents: Cents;
  /** Agreed days that remain if the contract is completed now. */
  readonly unusedDays: number;
  readonly totalCents: Cents;
  /** Amount still owed, negative for an overpayment. */
  readonly dueCents: Cents;
  readonly depositHeldCents: Cents;
  /** Whether the office must review the costs before the invoice is issued. */
  readonly isToCheck: boolean;
}

interface ReturnContext {
  readonly soldCents: Cents;
  /** Time of the return in the account's time zone. */
  readonly civilAt: CivilMinute;
  /** Whether a completed contract was opened again. Its remaining days then don't count as unused. */
  readonly isReopened: boolean;
}

/** Summarizes the costs of a return and the amount owed after it. */
export function summarizeReturnCharges(
  { period, dueCents, totalCents, depositHeldCents }: CheckInBooking,
  { closing, status, isToCheck }: Pick<AppliedOperationEffects, "closing" | "status" | "isToCheck">,
  { soldCents, civilAt, isReopened }: ReturnContext,
): ReturnCharges {
  const closes = status === "done";
  const addedCents = soldCents + closing.extraDaysCents + closing.fuelCents + closing.kilometresCents;
  const remaining = toCivilMinute(period.dateTo, period.timeTo) - civilAt;
  return {
    closes,
    ...{ extraDays: closing.extraDays, extraDaysCents: closing.extraDaysCents },
    ...{ missingEighths: closing.missingEighths ?? 0, fuelCents: closing.fuelCents },
    ...{ extraKilometres: closing.extraKilometres ?? 0, kilometresCents: closing.kilometresCents },
    soldCents,
    unusedDays: closes && !isReopened ? Math.max(0, Math.floor(remaining / DAY_MINUTES)) : 0,
    totalCents: totalCents + addedCents,
    dueCents: dueCents + addedCents,
    depositHeldCents,
    isToCheck,
  };
}

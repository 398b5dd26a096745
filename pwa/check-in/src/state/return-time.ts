import { type CivilMinute, parseCivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { WorkDraft } from "../offline/items.ts";
import { toCivilTime } from "./civil-time.ts";

type ReturnTimes = Pick<WorkDraft, "returned_at" | "signature" | "signed_return_at">;

/** Returns when the vehicle came back, in ms of the device's clock: as entered, as signed, or now. */
export function getReturnTime({ returned_at, signature, signed_return_at }: ReturnTimes, now: number): number {
  return returned_at ?? (signature ? (signed_return_at ?? Date.parse(signature.signed_at)) : now);
}

const MINUTE_MS = 60_000;

/** The company's time zone, and the limits of a return time in epoch ms. */
interface ReturnTimeLimits {
  readonly timezone: string;
  readonly now: number;
  readonly deliveredAt?: number | undefined;
}

/**
 * Parses the return time of a field, "2027-05-03T18:05" in the company's time zone. Returns epoch ms, limited to the
 * time since the hand-over, or undefined for an invalid text.
 */
export function parseReturnTime(
  text: string,
  { timezone, now, deliveredAt = 0 }: ReturnTimeLimits,
): number | undefined {
  const [day = "", time = ""] = text.split("T");
  const date = parseCivilDate(day);
  if (!date || !/^\d\d:\d\d$/.test(time)) return undefined;
  const enteredMinute = toCivilMinute(date, time as TimeText);
  const toMinute = (at: number): CivilMinute => {
    const civil = toCivilTime(at, timezone);
    return toCivilMinute(civil.date, civil.time as TimeText);
  };
  const whole = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const first = whole + (enteredMinute - toMinute(whole)) * MINUTE_MS;
  // The first estimate is off by an hour if the clocks changed in between.
  const at = first + (enteredMinute - toMinute(first)) * MINUTE_MS;
  return Math.min(now, Math.max(at, deliveredAt));
}

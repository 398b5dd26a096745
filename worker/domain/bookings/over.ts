import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { BookingStatus } from "./bookings.ts";

const MINUTES_PER_DAY = 1440;

/** What says whether a contract is over. */
export interface Ending {
  readonly kind: "rental" | "transfer";
  readonly status: BookingStatus;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
}

/**
 * Whether nothing more comes of a contract. Nobody hands a transfer over, so that it stays confirmed for good: it is
 * over a day after its last arrival, from when on nobody moves its trips either.
 */
export function isContractClosed({ kind, status, dateTo, timeTo }: Ending, now: CivilMinute): boolean {
  if (status === "done" || status === "cancelled") return true;
  return kind === "transfer" && status === "confirmed" && toCivilMinute(dateTo, timeTo) + MINUTES_PER_DAY <= now;
}

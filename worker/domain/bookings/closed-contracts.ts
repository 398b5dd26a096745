import { type CivilDate, type CivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { BookingStatus } from "./bookings.ts";

const MINUTES_PER_DAY = 1440;

/** Data that decides whether a contract is over. */
export interface ContractStatusAndReturn {
  readonly kind: "rental" | "transfer";
  readonly status: BookingStatus;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
}

/**
 * Whether a contract is over. A transfer has no delivery, so it stays confirmed permanently. It's over a day after its
 * last arrival, and its trips can't change after that.
 */
export function isContractClosed({ kind, status, dateTo, timeTo }: ContractStatusAndReturn, now: CivilMinute): boolean {
  if (status === "done" || status === "cancelled") return true;
  return kind === "transfer" && status === "confirmed" && toCivilMinute(dateTo, timeTo) + MINUTES_PER_DAY <= now;
}

import type { CivilMinute } from "#domain/dates.ts";
import { offsetMinutes, toMoment } from "#worker/tenancy/clock.ts";

/** The account's own clock, both ways. */
export interface Clock {
  readonly toCivilMinute: (epochMs: number) => CivilMinute;
  readonly toEpochMs: (minute: CivilMinute) => number;
}

export function clockOf(timezone: string): Clock {
  return {
    toCivilMinute: (epochMs) => Math.floor(epochMs / 60_000) + offsetMinutes(timezone, epochMs),
    toEpochMs: (minute) => toMoment(timezone, minute),
  };
}

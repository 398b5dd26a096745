import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { civilNow } from "#worker/tenancy/clock.ts";

/** The account's own clock, both ways. */
export interface Clock {
  readonly toCivilMinute: (epochMs: number) => CivilMinute;
  /** Epoch ms of a civil minute; a minute that the summer time skips counts as the one after. */
  readonly toEpochMs: (minute: CivilMinute) => number;
}

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;

export function clockOf(timezone: string): Clock {
  const offsetAt = offsetFinder(timezone);
  return {
    toCivilMinute: (epochMs) => Math.floor((epochMs + offsetAt(epochMs)) / MS_PER_MINUTE),
    toEpochMs: (minute) => {
      const asUtc = minute * MS_PER_MINUTE;
      return asUtc - offsetAt(asUtc - offsetAt(asUtc));
    },
  };
}

// Offsets change at full hours only, so each hour is looked up once.
function offsetFinder(timezone: string): (epochMs: number) => number {
  const offsets = new Map<number, number>();
  const look = (hour: number) => {
    const { date, time } = civilNow(timezone, hour * MS_PER_HOUR);
    return toCivilMinute(date, time) * MS_PER_MINUTE - hour * MS_PER_HOUR;
  };
  return (epochMs) => {
    const hour = Math.floor(epochMs / MS_PER_HOUR);
    const known = offsets.get(hour);
    if (known !== undefined) return known;
    const offset = look(hour);
    offsets.set(hour, offset);
    return offset;
  };
}

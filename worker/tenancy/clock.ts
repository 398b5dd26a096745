import { parseCivilDate, parseTimeOfDay } from "#domain/dates.ts";
import type { CivilNow } from "#domain/rental-terms.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall shows at a moment (epoch ms) in an IANA time zone. */
export function civilNow(timezone: string, at: number): CivilNow {
  const parts = Object.fromEntries(
    formatFor(timezone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const date = parseCivilDate(`${parts["year"]}-${parts["month"]}-${parts["day"]}`);
  const time = parseTimeOfDay(`${parts["hour"]}:${parts["minute"]}`);
  if (!date || !time) throw new Error(`no civil time for ${timezone}`);
  return { date, time };
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timezone, format);
  return format;
}

/** Event for calendar programs. Times in UTC, `20270118T090000Z`. */
export interface CalendarEvent {
  /** Stable identifier of the event. */
  readonly uid: string;
  /** Number of changes. Programs keep the highest. */
  readonly sequence: number;
  readonly changedAt: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly summary: string;
  readonly location: string;
  readonly isTentative: boolean;
}

const LINE_END = "\r\n";
const MAX_LINE_OCTETS = 75;

/** Formats a calendar per RFC 5545: UTC times, escaped texts, lines folded at 75 octets. */
export function formatIcal(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Rental platform//Calendars//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => fold(line) + LINE_END).join("");
}

function eventLines(event: CalendarEvent): readonly string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${event.changedAt}`,
    `LAST-MODIFIED:${event.changedAt}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${event.startsAt}`,
    `DTEND:${event.endsAt}`,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(event.location === "" ? [] : [`LOCATION:${escapeText(event.location)}`]),
    `STATUS:${event.isTentative ? "TENTATIVE" : "CONFIRMED"}`,
    "TRANSP:OPAQUE",
    "END:VEVENT",
  ];
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
}

// Continuation lines start with a space. Characters aren't split.
function fold(line: string): string {
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const size = countOctets(character);
    if (octets + size > MAX_LINE_OCTETS) {
      folded += `${LINE_END} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

function countOctets(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

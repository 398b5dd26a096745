import fc from "fast-check";
import { expect, test } from "vitest";
import { type CalendarEvent, formatIcal } from "#domain/bookings/ical.ts";

const event: CalendarEvent = {
  uid: "reservation-12-ECON@acme",
  sequence: 3,
  changedAt: "20261122T101500Z",
  startsAt: "20270118T090000Z",
  endsAt: "20270121T090000Z",
  summary: "#12 · ECON",
  location: "MAIN → IBZ",
  isTentative: false,
};
const unfold = (text: string) => text.replaceAll("\r\n ", "");

// Proves "calendars.md": RFC 5545: lines, escapes, folding
test("writes a calendar with CRLF line ends and everything that RFC 5545 requires", () => {
  expect(formatIcal("Cars", [event]).split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Rental platform//Calendars//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "NAME:Cars",
    "X-WR-CALNAME:Cars",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    "BEGIN:VEVENT",
    "UID:reservation-12-ECON@acme",
    "DTSTAMP:20261122T101500Z",
    "LAST-MODIFIED:20261122T101500Z",
    "SEQUENCE:3",
    "DTSTART:20270118T090000Z",
    "DTEND:20270121T090000Z",
    "SUMMARY:#12 · ECON",
    "LOCATION:MAIN → IBZ",
    "STATUS:CONFIRMED",
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("escapes special characters, so a line break can't start a new line", () => {
  const text = formatIcal("Cars; vans, \\all\r\nBEGIN:VEVENT", [{ ...event, isTentative: true, location: "" }]);
  expect(text).toContain("NAME:Cars\\; vans\\, \\\\all\\nBEGIN:VEVENT\r\n");
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
  expect(text).toContain("STATUS:TENTATIVE");
  expect(text).not.toContain("LOCATION");
});

// Proves "calendars.md": No line is longer than 75 octets, no character is cut
test("keeps lines within 75 octets without cutting characters or losing text, for any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (name) => {
      const text = formatIcal(name, [{ ...event, summary: name }]);
      for (const line of text.split("\r\n")) {
        expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
        expect(line.isWellFormed()).toBe(true);
      }
      const escaped = name.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
      expect(unfold(text)).toContain(`SUMMARY:${escaped}`);
    }),
  );
});

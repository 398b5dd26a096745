import { expect, test } from "vitest";
import { sanitizePlaceForMail } from "#domain/bookings/booking-mails.ts";

test.each([
  "600 123 456",
  "600.123.456",
  "600/123/456",
  "600,123,456",
  "+34 (600) 123-456",
  "Call 600. 123. 456",
  "٦٠٠١٢٣٤٥٦",
  "６００１２３４５６",
])("writes no telephone number in a mail: %s", (place) => {
  expect(sanitizePlaceForMail(place)).toBe("");
});

test.each([
  ["C/.Mayor 12-14, 28013 Madrid", "C/. Mayor 12-14, 28013 Madrid"],
  ["Hotel Sol, Room 1204", "Hotel Sol, Room 1204"],
])("writes an address with its numbers in a mail: %s", (place, expected) => {
  expect(sanitizePlaceForMail(place)).toBe(expected);
});

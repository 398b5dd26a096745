import { expect, test } from "vitest";
import { formatFlightNumber } from "#domain/bookings/contract-data.ts";

test.each([
  ["BA", "BA9977", "BA9977"],
  ["ba ", "BA 9977", "BA 9977"],
  ["BA", "9977", "BA 9977"],
  ["BA ", "9977", "BA 9977"],
  ["Iberia", "IB3912", "Iberia IB3912"],
  [undefined, "IB3912", "IB3912"],
  ["Iberia", undefined, "Iberia"],
  ["", "", undefined],
])("formats airline %s and flight number %s without repeating the airline's code", (airline, number, expected) => {
  expect(formatFlightNumber(airline, number)).toBe(expected);
});

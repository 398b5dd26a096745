import { expect, test } from "vitest";
import { getRouteGroup, isOfficePath } from "#worker/entry/routes.ts";

test.each([
  ["/api/v1/office/settings", true],
  ["/api/v1/office", true],
  ["/api/v1/login", true],
  ["/api/v1/second-factor/passkeys", true],
  ["/api/v1/openapi.json", true],
  ["/api/v1/signup/customer", true],
  ["/api/v1/web-customer/renting-reservations", true],
  ["/pay/0f0f", true],
  ["/charge-processed/redsys256", true],
  ["/reserva/pagar", true],
  ["/quote/9f0c2d1e4b5a69788796a5b4c3d2e1f0", true],
  ["/api/v1/integration/invoice", false],
  ["/api/v1/booking/1/check-in-files", false],
  ["/payments", false],
  ["/api/booking-transfer/frontend/products", false],
  ["/api/v1/login-elsewhere", false],
  ["/office/", false],
  ["/api/booking/ota/booking", false],
])("reports whether the office Worker serves %s: %s", (path, isIts) => {
  expect(isOfficePath(path)).toBe(isIts);
});

test.each([
  ["/api/booking/ota/availability", "agencies"],
  ["/api/booking/%6fta/availability", "agencies"],
  ["/api/ota", "agencies"],
  ["/api/booking/frontend/shopping-cart", "rentals"],
  ["/api/booking-transfer/frontend/origin-points", "transfers"],
  ["/api/booking/ota-of-others", "other"],
  ["/api/booking/reservation-report", "other"],
  ["/checkin/", "other"],
  ["/%zz", "other"],
])("routes the path %s to the %s interface", (path, part) => {
  expect(getRouteGroup(path)).toBe(part);
});

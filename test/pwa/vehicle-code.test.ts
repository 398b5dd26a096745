import { describe, expect, test } from "vitest";
import { findVehicleByCode, parseVehicleCode } from "#app/state/vehicle-code.ts";
import { createVehicle } from "#support/check-in/day.ts";

describe("parsing a scanned code", () => {
  test.each([
    ["a plate", "1234 klm", "1234KLM"],
    ["a plate with dashes", " 1234-KLM\n", "1234KLM"],
    ["a URL that ends in a reference", "https://acme.test/vehicles/car-17", "CAR17"],
    ["a URL with a slash at its end", "https://acme.test/vehicles/V0017/", "V0017"],
    ["a URL with the plate as a parameter", "https://acme.test/find?plate=1234%20KLM", "1234KLM"],
    ["a URL with a fragment", "https://acme.test/#/vehicle/1234-KLM", "1234KLM"],
    ["a malformed URL", "https://acme.test/100%", "100%"],
    ["nothing", "  ", ""],
  ])("reads the vehicle's plate or reference from a scanned code: %s", (_name, text, expectedCode) => {
    expect(parseVehicleCode(text)).toBe(expectedCode);
  });
});

describe("finding a vehicle by a scanned code", () => {
  const fleet = [1, 2, 12].map((number) => createVehicle(number));

  test.each([
    ["by its plate", "1012KLM", 12],
    ["by its reference", "V0002", 2],
    ["by its alias, although another alias begins with it", "CAR1", 1],
    ["by a part that only one vehicle has", "1002", 2],
  ])("finds a vehicle by a scanned code: %s", (_name, code, number) => {
    expect(findVehicleByCode(fleet, code)?.reference).toBe(createVehicle(number).reference);
  });

  test.each([
    ["a part that several vehicles have", "KLM"],
    ["a plate that no vehicle has", "9999ZZZ"],
    ["nothing", ""],
  ])("finds no vehicle by a scanned code: %s", (_name, code) => {
    expect(findVehicleByCode(fleet, code)).toBeUndefined();
  });
});

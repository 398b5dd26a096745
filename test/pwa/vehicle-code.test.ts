import { describe, expect, test } from "vitest";
import { findVehicleByCode, parseVehicleCode } from "#app/state/vehicle-code.ts";
import { aVehicle } from "#support/check-in/day.ts";

describe("the text of a code becomes what is looked for:", () => {
  test.each([
    ["a plate", "1234 klm", "1234KLM"],
    ["a plate with dashes", " 1234-KLM\n", "1234KLM"],
    ["an address that ends in a reference", "https://acme.test/vehicles/car-17", "CAR17"],
    ["an address with a slash at its end", "https://acme.test/vehicles/V0017/", "V0017"],
    ["an address that asks for a plate", "https://acme.test/find?plate=1234%20KLM", "1234KLM"],
    ["an address with a place in its page", "https://acme.test/#/vehicle/1234-KLM", "1234KLM"],
    ["an address that is not well made", "https://acme.test/100%", "100%"],
    ["nothing", "  ", ""],
  ])("reads from a scanned code: %s", (_name, text, expectedCode) => {
    expect(parseVehicleCode(text)).toBe(expectedCode);
  });
});

describe("the vehicle that a code means", () => {
  const fleet = [1, 2, 12].map((number) => aVehicle(number));

  test.each([
    ["its plate", "1012KLM", 12],
    ["its reference", "V0002", 2],
    ["its alias, though another one begins with it", "CAR1", 1],
    ["a part that only one has", "1002", 2],
  ])("matches by %s", (_name, code, number) => {
    expect(findVehicleByCode(fleet, code)?.reference).toBe(aVehicle(number).reference);
  });

  test.each([
    ["a part that several have", "KLM"],
    ["what none has", "9999ZZZ"],
    ["nothing", ""],
  ])("returns no match by %s", (_name, code) => {
    expect(findVehicleByCode(fleet, code)).toBeUndefined();
  });
});

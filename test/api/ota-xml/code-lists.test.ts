import { expect, test } from "vitest";
import { toVehicleClass } from "#worker/api/ota-xml/acriss.ts";
import { toOtaVehicleXml } from "#worker/api/ota-xml/vehicles.ts";

// ACRISS letters with the codes of OpenTravel's lists of 2024-09-04.

const SIZES = {
  ...{ M: 1, N: 33, E: 3, H: 34, C: 4, D: 35, I: 6, J: 36, S: 7, R: 37 },
  ...{ F: 8, G: 38, P: 10, U: 39, L: 9, W: 40, O: 41, X: 32 },
};

test.each(Object.entries(SIZES))("converts the first letter %s to the size %i of list SIZ", (letter, size) => {
  expect(toVehicleClass(`${letter}CMR`).size).toBe(size);
});

const CATEGORIES = {
  ...{ B: 1, C: 1, D: 1, V: 2, F: 3, T: 4, L: 7, W: 8, H: 10, J: 11, R: 12, S: 13, X: 14 },
  ...{ Q: 15, P: 16, Z: 17, E: 18, M: 19, Y: 20, N: 21, G: 22, K: 23 },
};

test.each(Object.entries(CATEGORIES))(
  "converts the second letter %s to the category %i of list VEC",
  (letter, code) => {
    expect(toVehicleClass(`E${letter}MR`).category).toBe(code);
  },
);

test.each([
  ["M", "Unspecified", false],
  ["N", "4WD", false],
  ["C", "AWD", false],
  ["A", "Unspecified", true],
  ["B", "4WD", true],
  ["D", "AWD", true],
] as const)("converts the third letter %s to the drive %s, automatic: %s", (letter, drive, isAutomatic) => {
  expect(toVehicleClass(`EC${letter}R`)).toMatchObject({ drive, isAutomatic });
});

const UNKNOWN = { doors: null, transmission: null, fuel: null, air_conditioner: "yes" };

test.each([
  ["RN", "Unspecified"],
  ["DQ", "Diesel"],
  ["HI", "Hybrid"],
  ["EC", "Electric"],
  ["LS", "LPG_CompressedGas"],
  ["AB", "Hydrogen"],
  ["MF", "MultiFuel"],
  ["VZ", "Petrol"],
  ["UX", "Ethanol"],
])("converts the fourth letters %s to %s if the category has no fuel", (letters, fuel) => {
  for (const letter of letters) {
    const code = `ECM${letter}`;
    expect(toOtaVehicleXml({ code, acriss_code: code, key_characteristics: UNKNOWN }).fuel).toBe(fuel);
  }
});

test("prefers the fuel set for a category over the fuel in its ACRISS code", () => {
  const described = toOtaVehicleXml({
    ...{ code: "E", acriss_code: "ECMD" },
    key_characteristics: { ...UNKNOWN, fuel: "petrol" },
  });
  expect(described.fuel).toBe("Petrol");
});

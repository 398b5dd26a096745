import "./page.ts";
import { expect, test } from "vitest";
import { describeFuelChoice, formatFuel, formatMissingFuel } from "#app/state/fuel.ts";
import { chooseLanguage } from "#app/state/preferences.ts";

const CAR = { fuel: "petrol" };
const ELECTRIC = { fuel: "electric" };

test("shows the battery level of electric vehicles in percent, and fuel in eighths", async () => {
  await chooseLanguage("en");
  expect([formatFuel(6, CAR), formatFuel(6, ELECTRIC), formatFuel(null, ELECTRIC)]).toEqual(["6/8", "75%", "–"]);
  expect(describeFuelChoice(6, CAR)).toEqual({ text: "¾", label: "6 eighths" });
  expect(describeFuelChoice(7, ELECTRIC)).toEqual({ text: "88%", label: "88%" });
  expect(formatMissingFuel(2, CAR)).toBe("2 eighths of the tank missing");
  expect(formatMissingFuel(2, ELECTRIC)).toBe("25% of the charge missing");
});

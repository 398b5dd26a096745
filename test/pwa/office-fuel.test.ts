import "./page.ts";
import { expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  formatVehicleFuelLevel,
  getFuelLabel,
  listFuelLevels,
  parseFuelLevel,
} from "../../pwa/office/src/desk/fuel-levels.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

const CAR = { fuel: "petrol" };
const ELECTRIC = { fuel: "electric" };

test("shows the battery level of electric vehicles in percent under its own label, and fuel in eighths", async () => {
  Object.assign(document.documentElement, { lang: "de" });
  setAccount({ country_code: "ES", user: { full_name: "Staff", role: "administrator", language: "de" } });
  await loadTexts("de");
  expect(listFuelLevels(CAR).map(([, text]) => text)).toEqual([
    "8/8",
    "7/8",
    "6/8",
    "5/8",
    "4/8",
    "3/8",
    "2/8",
    "1/8",
    "0/8",
  ]);
  expect(listFuelLevels(ELECTRIC).slice(0, 3)).toEqual([
    [8, "100\u00a0%"],
    [7, "88\u00a0%"],
    [6, "75\u00a0%"],
  ]);
  expect([
    formatVehicleFuelLevel(2, ELECTRIC),
    formatVehicleFuelLevel(2, { fuel: "hybrid" }),
    formatVehicleFuelLevel(2, undefined),
  ]).toEqual(["25\u00a0%", "2/8", "2/8"]);
  expect([getFuelLabel("fuel_eighths", CAR), getFuelLabel("fuel_eighths", ELECTRIC)]).toEqual([
    "Tankstand",
    "Ladestand",
  ]);
  expect(getFuelLabel("fuel_eighths_out", ELECTRIC)).toBe("Ladestand (Ersatzfahrzeug)");
});

test("reads a stored level in eighths, and no other text", () => {
  expect(["6/8", "0/8", "9/8", "45 l", "", null].map(parseFuelLevel)).toEqual([6, 0, ...Array(4).fill(undefined)]);
});

import { expect, test, vi } from "vitest";
import { getCategoryName, listCategoryChoices, setAccount } from "../../pwa/office/src/account.ts";
import type { ReservationListItem } from "../../pwa/office/src/desk/reservation.ts";
import { getGroupName } from "../../pwa/office/src/pages/reports/report-tables.ts";
import {
  describeVehiclesAndExtras,
  toDayPickups,
  toDayReturns,
  toFreeCategories,
} from "../../pwa/office/src/pages/today/movements.ts";

const line = (plates: readonly (string | null)[], quantity = plates.length) => ({
  item_id: "ECON",
  quantity,
  reservation_line_resources: plates.map((plate) => ({ stock_plate: plate, reference: plate && `R-${plate}` })),
});

const reservation = (status: string, changes: object = {}) =>
  ({
    id: 1,
    status,
    time_from: "10:00",
    time_to: "09:00",
    pickup_place: "Airport",
    return_place: "Harbour",
    reservation_lines: [line(["1234 ABC"])],
    reservation_extras: [],
    ...changes,
  }) as unknown as ReservationListItem;

const ids = (movements: readonly { readonly reservation: ReservationListItem }[]) =>
  movements.map(({ reservation: { id } }) => id);

test("shows pickups by hour, those already handed over separately, and no cancelled ones", () => {
  const { open, done } = toDayPickups([
    reservation("confirmed", { id: 3, time_from: "12:00" }),
    reservation("cancelled", { id: 4 }),
    reservation("in_progress", { id: 5 }),
    reservation("done", { id: 6, time_from: "08:00" }),
    reservation("pending_confirmation", { id: 7, time_from: "09:30" }),
  ]);
  expect([ids(open), ids(done)]).toEqual([
    [7, 3],
    [6, 5],
  ]);
  expect(open[0]?.place).toBe("Airport");
});

test("counts a reservation that was never handed over as no return of today", () => {
  const { open, done } = toDayReturns([
    reservation("confirmed", { id: 2 }),
    reservation("in_progress", { id: 3, time_to: "18:00" }),
    reservation("in_progress", { id: 4, time_to: "07:00" }),
    reservation("done", { id: 5 }),
    reservation("cancelled", { id: 6 }),
  ]);
  expect([ids(open), ids(done)]).toEqual([[4, 3], [5]]);
  expect(open[0]?.place).toBe("Harbour");
});

test("names each vehicle by plate, vehicles not assigned yet by category, and extras with their quantity", () => {
  const extras = [
    { extra_description: "Child seat", quantity: 2 },
    { extra_description: "GPS", quantity: 1 },
  ];
  const content = (lines: readonly object[]) =>
    describeVehiclesAndExtras(
      reservation("confirmed", { reservation_lines: lines, reservation_extras: extras }),
      () => "Economy",
    );
  expect(content([line(["1234 ABC"])])).toBe("1234 ABC · Economy, 2 × Child seat, GPS");
  expect(content([line(["1234 ABC"], 3)])).toBe("1234 ABC · Economy, 2 × Economy, 2 × Child seat, GPS");
  expect(content([line([null], 1)])).toBe("Economy, 2 × Child seat, GPS");
});

test("shows free vehicles by category, below zero if more are sold", () => {
  expect(
    toFreeCategories([
      { category_code: "ECON", sold: 4, stock: 6 },
      { category_code: "SUV", sold: 3, stock: 2 },
    ]),
  ).toEqual([
    { code: "ECON", free: 2, stock: 6 },
    { code: "SUV", free: -1, stock: 2 },
  ]);
});

test("names categories, extras and places in the user's language, and without a translation as agreed", () => {
  vi.stubGlobal("document", { documentElement: { lang: "ca" } });
  setAccount({
    categories: [{ code: "ECON", name: "Económico" }],
    names: {
      categories: { ECON: { es: "Económico", ca: "Econòmic" } },
      extras: { SEAT: { es: "Silla infantil", ca: "Cadireta" } },
      places: { 1: { es: "Aeropuerto", ca: "Aeroport" } },
    },
  });
  const extras = [
    { extra_id: "SEAT", extra_description: "Silla infantil, dos días", quantity: 1 },
    { extra_id: "GPS", extra_description: "Navegador", quantity: 1 },
  ];
  const seen = reservation("in_progress", { pickup_place_id: 1, return_place_id: 2, reservation_extras: extras });
  expect(describeVehiclesAndExtras(seen, getCategoryName)).toBe("1234 ABC · Econòmic, Cadireta, dos días, Navegador");
  expect(listCategoryChoices()).toEqual([["ECON", "Econòmic"]]);
  const groups = [
    ["category", { group: "ECON", group_name: "Económico" }],
    ["extra", { group: "SEAT", group_name: "Silla infantil" }],
    ["vehicle", { group: "A-1", group_name: "A-1" }],
  ] as const;
  expect(groups.map(([kind, row]) => getGroupName(kind, { ...row, period: "", figures: {} }))).toEqual([
    ...["Econòmic", "Cadireta", "A-1"],
  ]);
  expect([toDayPickups([seen]).done[0]?.place, toDayReturns([seen]).open[0]?.place]).toEqual(["Aeroport", "Harbour"]);
  setAccount({});
  vi.unstubAllGlobals();
});

import "./page.ts";
import { createElement } from "preact";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  formatMoney,
  getCategoryName,
  getCompanyDateTime,
  listCategoryChoices,
  setAccount,
} from "../../pwa/office/src/account.ts";
import { chosenBranchCode } from "../../pwa/office/src/desk/chosen-branch.ts";
import type { ReservationListItem } from "../../pwa/office/src/desk/reservation.ts";
import { getGroupName } from "../../pwa/office/src/pages/reports/report-tables.ts";
import {
  describeVehiclesAndExtras,
  toDayPickups,
  toDayReturns,
  toFreeCategories,
} from "../../pwa/office/src/pages/today/movements.ts";
import { TodayMovements } from "../../pwa/office/src/pages/today/today-movements.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

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
    ...{ flight: null, missing: [], trips: [], kind: "rental" },
    ...changes,
  }) as unknown as ReservationListItem;

const ids = (movements: readonly { readonly reservation: ReservationListItem }[]) =>
  movements.map(({ reservation: { id } }) => id);

test("shows all pickups of the linked list by hour, with those already handed over separately", () => {
  const { open, done } = toDayPickups([
    reservation("confirmed", { id: 3, time_from: "12:00", flight: "VY3950 11:20" }),
    reservation("in_progress", { id: 5 }),
    reservation("done", { id: 6, time_from: "08:00" }),
    reservation("pending_confirmation", { id: 7, time_from: "09:30" }),
  ]);
  expect([ids(open), ids(done)]).toEqual([
    [7, 3],
    [6, 5],
  ]);
  expect(open.map(({ place, flight }) => [place, flight])).toEqual([
    ["Airport", null],
    ["Airport", "VY3950 11:20"],
  ]);
});

test("shows returns by hour, and those already taken back separately", () => {
  const { open, done } = toDayReturns([
    reservation("in_progress", { id: 3, time_to: "18:00" }),
    reservation("in_progress", { id: 4, time_to: "07:00", flight: "VY3950" }),
    reservation("done", { id: 5 }),
  ]);
  expect([ids(open), ids(done)]).toEqual([[4, 3], [5]]);
  expect([open[0]?.place, open[0]?.flight]).toEqual(["Harbour", null]);
});

test("shows the trip of a transfer with its own time, place and flight, done with the report of a drop-off or no-show", () => {
  const trips = [
    { position: "outward", time: "09:00", origin: "Airport", flight: "VY3950", dropped: true },
    { position: "return", time: "15:00", origin: "Sea hotel", flight: "VY3951", dropped: false },
  ];
  const transfer = reservation("confirmed", { kind: "transfer", trips });
  expect(toDayPickups([transfer])).toMatchObject({ open: [], done: [{ time: "09:00", flight: "VY3950" }] });
  expect(toDayReturns([transfer])).toMatchObject({ open: [{ time: "15:00", place: "Sea hotel" }], done: [] });
  const [outward, back] = trips;
  const missed = reservation("confirmed", { kind: "transfer", trips: [outward, { ...back, nobody_came: true }] });
  expect(toDayReturns([missed])).toMatchObject({ open: [], done: [{ time: "15:00" }] });
});

describe("Today's headings and figures", () => {
  const today = getCompanyDateTime().date;
  const day = {
    pickups_today: [
      reservation("pending_confirmation"),
      reservation("confirmed", { id: 2, missing: ["payment", "licence", "identity", "signature"] }),
      reservation("in_progress", { id: 3 }),
    ],
    returns_today: [reservation("done", { id: 4 })],
    out: [],
  };
  let shown: Readonly<Record<string, readonly object[]>> = day;
  const lists: Readonly<Record<string, object>> = {
    "/planning": { sold: [] },
    "/reports/revenue": {
      totals: { gross: "900.00" },
      data: [
        { group: "PMI", figures: { gross: "800.00" } },
        { group: "IBZ", figures: { gross: "100.00" } },
      ],
    },
  };
  const requests: string[] = [];
  const reports: object[] = [];

  beforeAll(() => loadTexts("en"));
  beforeEach(() => {
    requests.length = 0;
    vi.stubGlobal("fetch", (path: string, { body }: { readonly body?: string }) => {
      if (body) reports.push(JSON.parse(body) as object);
      const { pathname, searchParams } = new URL(path, "https://office.test");
      const name = pathname.replace("/api/v1/office", "");
      requests.push(`${name}?${searchParams}`);
      const view = searchParams.get("view") ?? "";
      const data = shown[view] ?? [];
      const list = { data, total: view === "out" ? 120 : data.length, next: null };
      return Promise.resolve(Response.json(lists[name] ?? list));
    });
  });
  afterEach(() => {
    shown = day;
    setAccount({});
    chosenBranchCode.value = "";
    vi.unstubAllGlobals();
  });

  const show = async () => {
    const view = renderComponent(createElement(TodayMovements, {}));
    await vi.waitFor(() => expect(view.readText()).toContain("pickups today"));
    const links = view.list("a").map(({ textContent, href }) => [textContent, String(href)] as const);
    const text = view.readText();
    view.close();
    return { links, text };
  };

  test("count the rows of the list that they link to", async () => {
    const { links, text } = await show();
    const listLinks = links.filter(([, href]) => href.includes("view="));
    expect(listLinks.map(([name]) => name)).toEqual(["1 / 3", "1 / 1", "120", "3 pickups today", "1 return today"]);
    for (const [, href] of listLinks) {
      const filters = new URLSearchParams(href.split("?")[1]).toString();
      expect([href, requests.some((path) => path.startsWith(`/reservations?${filters}`))]).toEqual([href, true]);
    }
    expect(text).toContain("Missing: driving licence, identity document");
  });

  test("let the desk report a no-show once the time of a trip has passed, and only then", async () => {
    // Loads the part before the page asks for it, because a slow machine takes seconds.
    await import("../../pwa/office/src/pages/today/no-show-button.tsx");
    const trip = { position: "return", origin: "Hotel", flight: null, dropped: false, nobody_came: false };
    const transferAt = (id: number, time: string) =>
      reservation("confirmed", { id, kind: "transfer", version: 4, trips: [{ ...trip, time }] });
    setAccount({ user: { user_id: 1, full_name: "Ana", role: "operator", rights: [], language: "en" } });
    shown = { returns_today: [transferAt(8, "00:00"), transferAt(9, "23:59:59")] };
    const view = renderComponent(createElement(TodayMovements, {}));
    await vi.waitFor(() => expect(view.readText()).toContain("Mark as no-show"));
    const press = () => view.list("button")[0]?.dispatch("click");
    expect(view.list("button")).toHaveLength(1);
    press();
    await vi.waitFor(() => expect(view.readText()).toContain("Mark as no-show?"));
    press();
    await vi.waitFor(() => expect(reports).toHaveLength(1));
    expect(reports).toMatchObject([
      { booking_id: 8, base_version: 4, kind: "evidence", trip: { position: "return", moment: "nobody_came" } },
    ]);
    view.close();
  });

  test("show the chosen branch's revenue and link to its report of today", async () => {
    const findRevenue = async () => (await show()).links.find(([, href]) => href.includes("revenue"));
    const period = `#/reports/revenue?from=${today}&to=${today}&by=day`;
    expect(await findRevenue()).toEqual([formatMoney("900.00"), period]);
    chosenBranchCode.value = "IBZ";
    expect(await findRevenue()).toEqual([formatMoney("100.00"), `${period}&group=branch`]);
    expect(
      requests.filter((path) => path.startsWith("/reservations?rental") || /&rental_location_code=IBZ/.test(path)),
    ).toHaveLength(4);
    chosenBranchCode.value = "EMPTY";
    expect((await findRevenue())?.[0]).toBe(formatMoney("0"));
  });
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

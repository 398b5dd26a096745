import "./page.ts";
import { describe, expect, test, vi } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  dividePlanningPeriod,
  findFirstUnreadDay,
  joinPlanningPieces,
} from "../../pwa/office/src/desk/planning-pieces.ts";
import {
  addRowsAhead,
  type BoardBar,
  type BoardRow,
  chooseRowsToRender,
  clipBarToBoard,
  getSoldPercent,
  getVisibleRows,
  layOutBoard,
  listVehicleNeeds,
  listVisibleBars,
  packBarsIntoLines,
} from "../../pwa/office/src/pages/planning/board.ts";
import {
  toBoardChange,
  toChangeRequest,
  toFreePeriodChange,
  toUndoChange,
} from "../../pwa/office/src/pages/planning/board-changes.ts";
import { getNextBoardPosition, moveHeldBar } from "../../pwa/office/src/pages/planning/board-navigation.ts";
import { isSentWithoutConfirmation } from "../../pwa/office/src/pages/planning/change-sheet.tsx";
import {
  listDisplacedContracts,
  listDisplacedCustomerNames,
} from "../../pwa/office/src/pages/planning/displaced-contracts.ts";
import { toDroppedBarChange, toHeldBar } from "../../pwa/office/src/pages/planning/drag-gestures.ts";
import { formatWeekday } from "../../pwa/office/src/pages/planning/format-weekday.ts";
import type { PlannedContract, Planning } from "../../pwa/office/src/pages/planning/planning.ts";

test("shortens weekdays to two letters on narrow days of the board", () => {
  const shown = ["en", "es", "ca", "de"].map((lang) => {
    Object.assign(document.documentElement, { lang });
    return [formatWeekday("2030-06-12", 27), formatWeekday("2030-06-12", 40)];
  });
  expect(shown).toEqual([
    ["We", "Wed"],
    ["mi", "mié"],
    ["dc", "dc"],
    ["Mi", "Mi"],
  ]);
});

const contract = (id: number, from: string, to: string, more: Partial<PlannedContract> = {}): PlannedContract => ({
  id,
  version: 4,
  status: "confirmed",
  unit_id: id * 10,
  date_from: from,
  time_from: "12:00",
  date_to: to,
  time_to: "12:00",
  customer_fullname: `Customer ${id}`,
  rental_location_code: "PMI",
  return_rental_location_code: "PMI",
  from: `${from}T12:00`,
  to: `${to}T12:00`,
  ...more,
});

const vehicle = (reference: string, category_code: string, contracts: readonly PlannedContract[] = []) => ({
  reference,
  name: reference,
  stock_plate: null,
  out: null,
  category_code,
  rental_location_code: "PMI",
  inspection_due: null,
  insured_until: null,
  needs_cleaning: false,
  needs_fuel: false,
  contracts,
  exchanged: [],
  blocks: [],
});

const unassignedContract = contract(1, "2030-06-02", "2030-06-05");
const assigned = contract(2, "2030-06-03", "2030-06-04");
const out = contract(3, "2030-05-30", "2030-06-02", { status: "in_progress" });
const pending = contract(4, "2030-06-02", "2030-06-03", { status: "pending_confirmation" });

const planning: Planning = {
  date_from: "2030-06-01",
  days: 7,
  vehicles: [
    vehicle("A-1", "ECON", [assigned]),
    {
      ...vehicle("A-2", "ECON", [out]),
      blocks: [
        {
          id: 7,
          reference: "A-2",
          from: "2030-06-04T08:00",
          to: "2030-06-05T20:00",
          reason: "workshop",
          note: "",
          version: 2,
        },
      ],
    },
    vehicle("S-1", "SUV"),
  ],
  unassigned: [{ category_code: "ECON", contracts: [unassignedContract, pending] }],
  sold: [{ category_code: "ECON", date: "2030-06-01", sold: 3, stock: 2 }],
};

const NOW = 2.5;
const board = layOutBoard(planning, NOW);
const findRow = (key: string): BoardRow => {
  const row = [...board.waiting, ...board.fleet].find((row) => row.key === key);
  if (!row) throw new Error(key);
  return row;
};
const findBar = (row: BoardRow, key: string): BoardBar => {
  const bar = row.kind === "category" ? undefined : row.bars.find((bar) => bar.key === key);
  if (!bar) throw new Error(key);
  return bar;
};

describe("the planning board", () => {
  // Proves "office.md": Unassigned contracts on top
  test("lays out contracts by day and hour, and unassigned ones in as few rows as possible", () => {
    expect(board.waiting.map((row) => row.kind === "unassigned" && row.bars.map(({ key }) => key))).toEqual([
      ["c40"],
      ["c10"],
    ]);
    expect(board.fleet.map(({ key }) => key)).toEqual(["k-ECON", "v-A-1", "v-A-2", "k-SUV", "v-S-1"]);
    expect(findBar(findRow("v-A-1"), "c20")).toMatchObject({ start: 2.5, end: 3.5 });
  });

  test("draws an overdue contract's bar on the planning board until now", () => {
    expect(findBar(findRow("v-A-2"), "c30")).toMatchObject({ start: -1.5, end: NOW, isOverdue: true });
  });

  test("draws an exchanged vehicle's bar for its own period, and doesn't allow dragging it", () => {
    const until = contract(3, "2030-05-30", "2030-06-02", { from: "2030-05-30T12:00", to: "2030-06-01T18:00" });
    const before = { ...vehicle("A-1", "ECON"), exchanged: [until] };
    const [, row] = layOutBoard({ ...planning, vehicles: [before] }, NOW).fleet;
    if (row?.kind !== "vehicle") throw new Error("The vehicle has no row.");
    expect(row.bars).toMatchObject([{ start: -1.5, end: 0.75, isOverdue: false, isExchanged: true }]);
    const dragged = row.bars[0] && toBoardChange(row.bars[0], row, { grip: "end", days: 1, target: row });
    expect(dragged).toEqual({ kind: "refused", why: "over" });
  });

  test("draws successive contracts without an overlap in one row of the planning board", () => {
    const bar = (key: string, start: number, end: number): BoardBar => ({ key, start, end, isOverdue: false });
    const lines = packBarsIntoLines([bar("c", 2, 4), bar("a", 0, 2), bar("b", 1, 3)]);
    expect(lines.map((line) => line.map(({ key }) => key))).toEqual([["a", "c"], ["b"]]);
  });

  test("shows how much of a category is sold, and what a vehicle needs, on its row", () => {
    expect([0, 3, 6, 8].map((sold) => getSoldPercent({ sold, stock: 6 }))).toEqual([0, 50, 100, 100]);
    expect(getSoldPercent({ sold: 0, stock: 0 })).toBe(0);
    const due = { ...vehicle("A-1", "ECON"), needs_cleaning: true, inspection_due: "2030-06-02" };
    expect(listVehicleNeeds({ ...due, insured_until: "2030-06-03" }, "2030-06-03")).toEqual(["cleaning", "inspection"]);
    expect(listVehicleNeeds(vehicle("A-1", "ECON"), "2030-06-03")).toEqual([]);
  });

  test("cuts off bars at the board's days, and omits bars outside of them", () => {
    expect(clipBarToBoard({ start: -2, end: 3 }, 7)).toEqual({ start: 0, end: 3, isCutLeft: true, isCutRight: false });
    expect(clipBarToBoard({ start: 7, end: 9 }, 7)).toBeUndefined();
  });

  test("measures each visible bar's distance from the end of the previous one, negative if they overlap", () => {
    const bar = (key: string, start: number, end: number): BoardBar => ({ key, start, end, isOverdue: false });
    const bars = [bar("a", -5, 3), bar("b", -4, -1), bar("c", 4, 6), bar("d", 5, 40), bar("e", 35, 36)];
    expect(listVisibleBars(bars, 31).map(({ bar: { key }, gapDays, end }) => [key, gapDays, end])).toEqual([
      ["a", 0, 3],
      ["c", 1, 6],
      ["d", -1, 31],
    ]);
  });

  test("draws the visible rows of 300 vehicles first, and keeps them drawn after scrolling", () => {
    const visibleRows = getVisibleRows(4000, 800, 40, 300);
    expect(visibleRows).toEqual({ first: 94, last: 126 });
    expect(chooseRowsToRender({ first: 80, last: 120 }, visibleRows, 300)).toEqual({ first: 80, last: 126 });
    expect(chooseRowsToRender({ first: 0, last: 30 }, visibleRows, 300)).toBe(visibleRows);
    expect(chooseRowsToRender(visibleRows, { first: 95, last: 120 }, 300)).toBe(visibleRows);
    // With fewer vehicles, rows beyond the end are dropped.
    expect(chooseRowsToRender({ first: 0, last: 126 }, { first: 0, last: 40 }, 40)).toEqual({ first: 0, last: 40 });
    expect(chooseRowsToRender({ first: 0, last: 390 }, { first: 380, last: 412 }, 900)).toEqual({
      first: 380,
      last: 412,
    });
  });

  test("draws the board's other rows step by step, all of 300 vehicles but a limited number of a thousand", () => {
    const all = (count: number) => {
      let rows = { first: 94, last: 126 };
      for (let iteration = 0; iteration < count; iteration++) rows = addRowsAhead(rows, count);
      expect(addRowsAhead(rows, count)).toBe(rows);
      return rows.last - rows.first;
    };
    expect([all(300), all(1000)]).toEqual([300, 394]);
  });
});

describe("drag operations", () => {
  const drag = (from: string, bar: string, days: number, to = from) =>
    toBoardChange(findBar(findRow(from), bar), findRow(from), { grip: "bar", days, target: findRow(to) });

  // Drags the contract of A-1 to another vehicle.
  const dragTo = (target: Planning["vehicles"][number]) => {
    const { fleet } = layOutBoard({ ...planning, vehicles: [...planning.vehicles, target] }, NOW);
    const row = fleet.find(({ key }) => key === `v-${target.reference}`);
    return toBoardChange(findBar(findRow("v-A-1"), "c20"), findRow("v-A-1"), { grip: "bar", days: 0, target: row });
  };

  test("assigns another vehicle of the category by dragging, and undo restores the previous one", () => {
    const change = dragTo(vehicle("A-3", "ECON"));
    if (!change) throw new Error("nothing is asked for");
    expect(toChangeRequest(change)).toEqual({
      method: "POST",
      path: "/reservations/2/assign",
      body: { expected_version: 4, unit_id: 20, reference: "A-3" },
    });
    const back = toUndoChange(change, 5);
    expect(back && toChangeRequest(back)?.body).toEqual({ expected_version: 5, unit_id: 20, reference: "A-1" });
  });

  test("unassigns the vehicle by dragging a contract back to those without a vehicle", () => {
    expect(drag("v-A-1", "c20", 0, "u-ECON-0")).toMatchObject({ kind: "assign", from: "A-1", to: null });
  });

  test.each([
    ["contract to another category's vehicle", "u-ECON-1", "c10", "v-S-1", "otherCategory"],
    ["unconfirmed reservation to a vehicle", "u-ECON-0", "c40", "v-A-1", "pendingStays"],
    ["rented contract to those without a vehicle", "v-A-2", "c30", "u-ECON-0", "outStays"],
    ["contract to a vehicle blocked at that time", "v-A-1", "c20", "v-A-2", "occupied"],
    ["block to another vehicle", "v-A-2", "b7", "v-A-1", "oneOnly"],
  ] as const)("refuses dragging on the planning board with the reason: %s", (_, from, bar, to, refusalReason) => {
    expect(drag(from, bar, 0, to)).toEqual({ kind: "refused", why: refusalReason });
  });

  test("refuses dragging to a vehicle of another branch group or with another contract, but allows a free one", () => {
    setAccount({
      rental_locations: [
        { code: "PMI", name: "Palma", rental_storage_id: 1 },
        { code: "IBZ", name: "Ibiza", rental_storage_id: 2 },
      ],
    });
    const at = (hour: number) => `2030-06-03T${String(hour).padStart(2, "0")}:00`;
    const busyUntil = (hour: number) =>
      vehicle("A-3", "ECON", [contract(9, "2030-06-01", "2030-06-03", { to: at(hour) })]);
    expect(dragTo({ ...vehicle("A-3", "ECON"), rental_location_code: "IBZ" })).toEqual({
      kind: "refused",
      why: "otherGroup",
    });
    expect(dragTo(busyUntil(13))).toEqual({ kind: "refused", why: "occupied" });
    expect(dragTo(busyUntil(11))).toMatchObject({ kind: "assign", to: "A-3" });
    setAccount({});
  });

  test("lists the contracts that lose the vehicle by a moved block, and undo restores them", () => {
    const lostContract = contract(8, "2030-06-06", "2030-06-07");
    const over = contract(7, "2030-06-06", "2030-06-07", { status: "done" });
    const block = planning.vehicles[1]?.blocks ?? [];
    const { fleet } = layOutBoard(
      { ...planning, vehicles: [{ ...vehicle("A-2", "ECON", [lostContract, over]), blocks: [...block] }] },
      NOW,
    );
    const row = fleet.find(({ key }) => key === "v-A-2") ?? findRow("v-A-2");
    const move = (days: number) => toBoardChange(findBar(row, "b7"), row, { grip: "bar", days, target: undefined });
    expect(move(1)).toMatchObject({ displaced: [lostContract] });
    expect(move(-1)).toMatchObject({ displaced: [] });
    const change = move(1);
    expect(change && toUndoChange(change, 3)).toMatchObject({ displaced: [], restored: [lostContract] });
    expect(listDisplacedContracts([lostContract, over], "2030-06-05T00:00", "2030-06-06T12:00")).toEqual([]);
    expect(listDisplacedContracts([lostContract, over], "2030-06-05T00:00", "2030-06-06T12:01")).toEqual([
      lostContract,
    ]);
  });

  test("names the reservations that lose one of several blocked vehicles, once if they span two pieces", () => {
    const lost = contract(8, "2030-06-03", "2030-06-05");
    const pieces = [{ vehicles: [vehicle("A-1", "ECON", [lost]), vehicle("A-2", "ECON", [lost])] }];
    const block = { from: "2030-06-04T08:00", to: "2030-06-04T20:00" };
    expect(listDisplacedCustomerNames([...pieces, ...pieces], ["A-1"], block)).toEqual(["Customer 8 (8)"]);
    expect(listDisplacedCustomerNames(pieces, ["A-1", "A-2"], block)).toEqual([
      "Customer 8 (8, A-1)",
      "Customer 8 (8, A-2)",
    ]);
    expect(listDisplacedCustomerNames(pieces, ["A-1"], { from: "2030-06-05T12:00", to: "2030-06-06T08:00" })).toEqual(
      [],
    );
  });

  test("reads a rental of more than 92 days in pieces, without vehicles that leave the fleet before its return", () => {
    expect(dividePlanningPeriod({ from: "2030-06-01" as CivilDate, days: 100 })).toEqual([
      { date_from: "2030-06-01", days: "92" },
      { date_from: "2030-09-01", days: "8" },
    ]);
    const later = contract(8, "2030-09-03", "2030-09-05");
    const [first, second] = [
      { ...planning, vehicles: [vehicle("A-1", "ECON", [assigned]), vehicle("A-2", "ECON")] },
      { ...planning, vehicles: [vehicle("A-1", "ECON", [later])] },
    ];
    expect(joinPlanningPieces([first, second])?.vehicles).toEqual([vehicle("A-1", "ECON", [assigned, later])]);
  });

  test("reads three years whole, and names the first unread day of a block of decades", () => {
    const countDays = (days: number) =>
      dividePlanningPeriod({ from: "2030-06-01" as CivilDate, days }).reduce(
        (sum, piece) => sum + Number(piece.days),
        0,
      );
    expect([countDays(3 * 365), countDays(30 * 365)]).toEqual([3 * 365, 40 * 92]);
    const findUnread = (days: number) => findFirstUnreadDay({ from: "2030-06-01" as CivilDate, days });
    expect([findUnread(40 * 92), findUnread(40 * 92 + 1)]).toEqual([undefined, "2040-06-28"]);
  });

  test("exchanges a rented vehicle if the user drags its contract to another vehicle", () => {
    expect(drag("v-A-2", "c30", 0, "v-S-1")).toMatchObject({ kind: "exchange", to: "S-1" });
  });

  test("changes the days of a confirmed contract by dragging, and undo restores them", () => {
    const change = drag("v-A-1", "c20", 2);
    if (!change) throw new Error("nothing is asked for");
    expect(toChangeRequest(change)).toEqual({
      method: "PATCH",
      path: "/reservations/2",
      body: { expected_version: 4, date_from: "2030-06-05", date_to: "2030-06-06" },
    });
    const back = toUndoChange(change, 5);
    expect(back && toChangeRequest(back)?.body).toMatchObject({ date_from: "2030-06-03", date_to: "2030-06-04" });
  });

  test("extends or shortens a rental in progress by dragging its end, and keeps its pickup", () => {
    const end = (days: number) =>
      toBoardChange(findBar(findRow("v-A-2"), "c30"), findRow("v-A-2"), { grip: "end", days, target: undefined });
    expect(end(1)).toMatchObject({ action: "extend", date_to: "2030-06-03" });
    expect(end(-1)).toMatchObject({ action: "early-return", date_to: "2030-06-01" });
    expect(drag("v-A-2", "c30", 1)).toEqual({ kind: "refused", why: "pickupGone" });
  });

  test("lists the contracts that lose the vehicle by an extension, and undo restores them", () => {
    const next = contract(8, "2030-06-03", "2030-06-05");
    const { fleet } = layOutBoard({ ...planning, vehicles: [vehicle("A-2", "ECON", [out, next])] }, NOW);
    const row = fleet.find(({ key }) => key === "v-A-2") ?? findRow("v-A-2");
    const end = (days: number) => toBoardChange(findBar(row, "c30"), row, { grip: "end", days, target: undefined });
    expect(end(1)).toMatchObject({ action: "extend", displaced: [] });
    const change = end(2);
    expect(change).toMatchObject({ action: "extend", reference: "A-2", displaced: [next] });
    expect(change && toUndoChange(change, 5)).toMatchObject({
      ...{ action: "early-return", date_to: "2030-06-02", reference: "A-2" },
      ...{ displaced: [], restored: [next] },
    });
  });

  test("refuses to move or lengthen a bar over another contract or block of its vehicle", () => {
    const later = contract(8, "2030-06-05", "2030-06-06");
    const { fleet } = layOutBoard({ ...planning, vehicles: [vehicle("A-1", "ECON", [assigned, later])] }, NOW);
    const row = fleet.find(({ key }) => key === "v-A-1") ?? findRow("v-A-1");
    const move = (grip: "bar" | "end", days: number) =>
      toBoardChange(findBar(row, "c20"), row, { grip, days, target: undefined });
    const occupied = { kind: "refused", why: "occupied" };
    expect([move("bar", 1), move("end", 1)]).toMatchObject([{ kind: "dates" }, { kind: "dates" }]);
    expect([move("bar", 2), move("end", 2)]).toEqual([occupied, occupied]);
    // Contracts without a vehicle share a row only to save space.
    expect(drag("u-ECON-1", "c10", 1)).toMatchObject({ kind: "dates" });
    const blocked = toBoardChange(findBar(findRow("v-A-2"), "c30"), findRow("v-A-2"), {
      ...{ grip: "end", days: 2, target: undefined },
    });
    expect(blocked).toEqual(occupied);
  });

  test("refuses to assign a vehicle that is overdue at that time, or to exchange for one that is out or blocked", () => {
    vi.useFakeTimers({ now: Date.parse("2030-06-03T10:00:00Z"), toFake: ["Date"] });
    setAccount({ timezone: "Europe/Madrid" });
    const occupied = { kind: "refused", why: "occupied" };
    const overdue = contract(9, "2030-05-28", "2030-06-01", { status: "in_progress" });
    const rented = {
      ...vehicle("A-4", "ECON", [overdue]),
      out: { reservation_id: 9, customer_fullname: "Customer 9", date_to: "2030-06-01", time_to: "12:00" },
    };
    const [block] = planning.vehicles[1]?.blocks ?? [];
    const blocked = (from: string) => ({
      ...vehicle("S-2", "SUV"),
      blocks: block ? [{ ...block, from, to: "2030-06-03T20:00" }] : [],
    });
    const drop = (bar: "c10" | "c30", target: Planning["vehicles"][number]) => {
      const laidOut = layOutBoard({ ...planning, vehicles: [...planning.vehicles, target] }, NOW);
      const row = laidOut.fleet.find(({ key }) => key === `v-${target.reference}`);
      const from = findRow(bar === "c10" ? "u-ECON-1" : "v-A-2");
      return toBoardChange(findBar(from, bar), from, { grip: "bar", days: 0, target: row });
    };
    expect(drop("c10", rented)).toEqual(occupied);
    expect(drop("c30", rented)).toEqual(occupied);
    expect(drop("c30", blocked("2030-06-03T08:00"))).toEqual(occupied);
    expect(drop("c30", blocked("2030-06-03T18:00"))).toMatchObject({ kind: "exchange", to: "S-2" });
    setAccount({});
    vi.useRealTimers();
  });

  test("sends assignments and blocks that take no vehicle away at once, and shows the price of new dates first", () => {
    const [assign, block, dates] = [
      drag("v-A-1", "c20", 0, "u-ECON-0"),
      drag("v-A-2", "b7", 1),
      drag("v-A-1", "c20", 1),
    ];
    expect([assign, block, dates].map((change) => change && isSentWithoutConfirmation(change))).toEqual([
      true,
      true,
      false,
    ]);
    const displacing = block?.kind === "block" && { ...block, displaced: [assigned] };
    expect(displacing && isSentWithoutConfirmation(displacing)).toBe(false);
  });

  test("moves a whole block or only its end by dragging, and can undo both", () => {
    const change = drag("v-A-2", "b7", 1);
    const longer = toBoardChange(findBar(findRow("v-A-2"), "b7"), findRow("v-A-2"), {
      grip: "end",
      days: 1,
      target: undefined,
    });
    expect(change && toChangeRequest(change)?.body).toMatchObject({ from: "2030-06-05T08:00", to: "2030-06-06T20:00" });
    expect(longer && toChangeRequest(longer)?.body).toMatchObject({ from: "2030-06-04T08:00", to: "2030-06-06T20:00" });
    const back = change && toUndoChange(change, 3);
    expect(back && toChangeRequest(back)?.body).toEqual({
      expected_version: 3,
      from: "2030-06-04T08:00",
      to: "2030-06-05T20:00",
    });
  });

  // Proves "office.md": A free stretch is drawn to block or book it
  test("selects free days of a vehicle by dragging in either direction, but not over a contract", () => {
    const from = "2030-06-01" as CivilDate;
    expect(toFreePeriodChange(findRow("v-S-1"), from, 3.7, 1.2)).toMatchObject({
      date_from: "2030-06-02",
      date_to: "2030-06-04",
    });
    expect(toFreePeriodChange(findRow("v-A-1"), from, 1, 5)).toBeUndefined();
  });

  test("changes nothing if a bar is pressed but not dragged", () => {
    expect(drag("v-A-1", "c20", 0)).toBeUndefined();
  });
});

describe("keyboard control of the planning board", () => {
  test("moves the focus by keys along a row, to its name, and to the nearest bar of the next row", () => {
    const start = { row: findRow("v-A-1"), bar: findBar(findRow("v-A-1"), "c20") };
    expect(getNextBoardPosition(board, start, "ArrowLeft")).toEqual({ row: findRow("v-A-1"), bar: undefined });
    expect(getNextBoardPosition(board, start, "ArrowDown")).toEqual({
      row: findRow("v-A-2"),
      bar: findBar(findRow("v-A-2"), "c30"),
    });
    expect(getNextBoardPosition(board, start, "ArrowUp")?.row.key).toBe("u-ECON-1");
  });

  // Proves "accessibility.md": A10
  test("moves a held bar by arrow keys like by dragging, and skips category rows", () => {
    const row = findRow("u-ECON-1");
    const bar = findBar(row, "c10");
    const movedBar = moveHeldBar(board, toHeldBar(row, bar, "bar", 0, row), "ArrowDown");
    expect(movedBar.target.key).toBe("v-A-1");
    // The target vehicle is occupied for a part of the time.
    expect(toDroppedBarChange(movedBar, board)).toEqual({ kind: "refused", why: "occupied" });
    const later = moveHeldBar(board, toHeldBar(row, bar, "end", 0, row), "ArrowRight");
    expect(toDroppedBarChange(later, board)).toMatchObject({ kind: "dates", action: "change", date_to: "2030-06-06" });
  });
});

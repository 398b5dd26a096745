import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { callAsStaff } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import { insertRental } from "#support/rentals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let token = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
  desk = await createToken("desk");
});

interface VehicleAnswer {
  readonly vehicle: Readonly<Record<string, unknown>> & {
    readonly version: number;
    readonly blocks: readonly { readonly id: number; readonly version: number; readonly from: string }[];
    readonly damages: readonly { readonly id: number }[];
  };
  readonly history: readonly Readonly<Record<string, unknown>>[];
}

const send = (method: string, path: string, body?: unknown) => callOffice(method, path, { token, body });
const readVehicle = async (answer: Promise<Response>): Promise<VehicleAnswer> => {
  const response = await answer;
  if (response.status !== 200 && response.status !== 201)
    throw new Error(`${response.status} ${await response.text()}`);
  return response.json<VehicleAnswer>();
};
const read = (reference: string) => readVehicle(send("GET", `/vehicles/${reference}`));
const countFreeInA = async () => {
  const answer = await (await getAsAgency(createAvailabilityPath())).json<{
    response: { products: { code: string; available: boolean }[] };
  }>();
  return answer.response.products.find(({ code }) => code === "A")?.available;
};

describe("the fleet", () => {
  test("lists vehicles that match a search in pages, in the user's branches only", async () => {
    const list = async (query: string, as = token) =>
      (await callOffice("GET", `/vehicles${query}`, { token: as })).json<{
        data: { reference: string }[];
        total: number;
        next: string | null;
      }>();
    expect(await list("?category_code=A&page_size=2")).toMatchObject({
      data: [{ reference: "A-1" }, { reference: "A-2" }],
      total: 3,
      next: "A-2",
    });
    expect((await list("?category_code=A&page_size=2&after=A-2")).data).toMatchObject([{ reference: "A-3" }]);
    expect((await list("?q=b2")).data).toMatchObject([{ reference: "B-2" }]);
    expect((await list("?q=b2", desk)).total).toBe(0);
    expect((await callOffice("GET", "/vehicles/B-2", { token: desk })).status).toBe(404);
  });

  test("uses the same field name for an amount in the history before and after the amount is set", async () => {
    const changes = { expected_version: 1, purchasable_purchase_price: "123.00" };
    const { history } = await readVehicle(send("PATCH", "/vehicles/A-1", changes));
    expect(history[0]).toMatchObject({ before: { purchase_price: null }, after: { purchase_price: "123.00" } });
    expect(JSON.stringify(history)).not.toContain("_cents");
  });

  // Proves "office.md": The fleet is listed, grows, changes and loses vehicles, each step in its history
  // Proves "rentals.md": M7
  test("adds, changes by version and deletes a vehicle, with a history entry for each step", async () => {
    const body = {
      reference: "A-9",
      name: "A 9",
      category_code: "A",
      rental_location_code: "AIR",
      stock_plate: "1234 BCD",
    };
    const createdVehicle = await readVehicle(send("POST", "/vehicles", body));
    expect(createdVehicle.vehicle).toMatchObject({ reference: "A-9", rental_storage_id: 1, version: 1, is_out: false });
    expect((await send("POST", "/vehicles", body)).status).toBe(409);
    expect((await send("POST", "/vehicles", { ...body, reference: "X", category_code: "NONE" })).status).toBe(400);
    const blue = await readVehicle(send("PATCH", "/vehicles/A-9", { expected_version: 1, stock_color: "blue" }));
    expect(blue.vehicle).toMatchObject({ stock_color: "blue", stock_plate: "1234 BCD", version: 2 });
    const same = await readVehicle(send("PATCH", "/vehicles/A-9", { expected_version: 2, stock_color: "blue" }));
    expect([same.vehicle.version, same.history.length]).toEqual([2, blue.history.length]);
    const late = await send("PATCH", "/vehicles/A-9", { expected_version: 1, stock_color: "red" });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: "changed_meanwhile", vehicle: { stock_color: "blue", version: 2 } },
    ]);
    const retired = await readVehicle(send("POST", "/vehicles/A-9/retire", { expected_version: 2 }));
    expect(retired.vehicle).toMatchObject({ active: false, state: "retired" });
    await readReservationAnswer(
      send("POST", "/vehicles/A-1/blocks", { from: getBookableDay(-91), to: getBookableDay(2) }),
    );
    expect((await read("A-1")).vehicle).toMatchObject({ state: "blocked" });
    const states = async (state: string) =>
      (await (await send("GET", `/vehicles?state=${state}`)).json<{ data: { reference: string }[] }>()).data;
    expect((await states("blocked")).map(({ reference }) => reference)).toEqual(["A-1"]);
    expect((await states("retired")).map(({ reference }) => reference)).toEqual(["A-9"]);
    expect((await states("free")).some(({ reference }) => reference === "A-1")).toBe(false);
    expect(retired.history.map((entry) => entry["move"])).toEqual(["retired", "changed", "created"]);
    const listed = await callOffice("GET", `/vehicles/${retired.vehicle["reference"]}/history`, { token });
    expect(await listed.json()).toEqual({ data: retired.history });
    expect(retired.history[1]).toMatchObject({ who: "Bea Boss", before: { color: null }, after: { color: "blue" } });
    const codes = { reference: "A-11", category_code: "NONE", rental_location_code: "NONE" };
    const unknown = await send("POST", "/vehicles", { ...body, ...codes });
    expect(await unknown.json()).toMatchObject({
      detail: [{ field: "category_code" }, { field: "rental_location_code" }],
    });
    const refused = await callOffice("POST", "/vehicles", { token: desk, body: { ...body, reference: "A-10" } });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "permission_denied" }]);
  });

  // Proves "office.md": Assignments of retired vehicles and changed categories end; a retiring vehicle can't be
  //   assigned
  test("unassigns a vehicle from its contracts when it leaves the fleet or its category changes", async () => {
    await postAsAgency("/booking", createAgencyReservationBody());
    const list = await (await send("GET", "/reservations")).json<{ data: { id: number }[] }>();
    const path = `/reservations/${list.data[0]?.id}`;
    const promise = async (reference: string) => {
      const { version } = (await readReservationAnswer(send("GET", path))).reservation;
      return send("POST", `${path}/assign`, { expected_version: version, reference });
    };
    const loseVehicle = async (reference: string, leave: (version: number) => Promise<Response>) => {
      expect((await promise(reference)).status).toBe(200);
      expect((await leave((await read(reference)).vehicle.version)).status).toBe(200);
      const { reservation, history } = await readReservationAnswer(send("GET", path));
      return [reservation.units[0]?.reference, history[0]?.move, history[0]?.reason_code];
    };
    const retire = (date: CivilDate) => (version: number) =>
      send("POST", "/vehicles/A-1/retire", { expected_version: version, date });
    const change = (reference: string, changes: object) => (version: number) =>
      send("PATCH", `/vehicles/${reference}`, { expected_version: version, ...changes });
    const { date_to } = (await readReservationAnswer(send("GET", path))).reservation as unknown as {
      date_to: CivilDate;
    };
    expect(await loseVehicle("A-1", retire(addDays(date_to, 1)))).toEqual(["A-1", "assigned", null]);
    expect(await loseVehicle("A-2", change("A-2", { category_code: "B" }))).toEqual([
      null,
      "unassigned",
      "vehicle_category_changed",
    ]);
    expect(await loseVehicle("A-3", change("A-3", { active: false }))).toEqual([null, "unassigned", "vehicle_retired"]);
    expect(await loseVehicle("A-1", retire(date_to))).toEqual([null, "unassigned", "vehicle_retired"]);
    const late = await promise("A-1");
    expect([late.status, await late.json()]).toMatchObject([409, { code: "vehicle_retiring" }]);
  });

  test("assigns vehicles of the contract's branch group, or of the group that its pickup branch now belongs to", async () => {
    await postAsAgency("/booking", createAgencyReservationBody());
    const list = await (await send("GET", "/reservations")).json<{ data: { id: number }[] }>();
    const path = `/reservations/${list.data[0]?.id}`;
    const promise = async (reference: string) => {
      const { version } = (await readReservationAnswer(send("GET", path))).reservation;
      const answer = await send("POST", `${path}/assign`, { expected_version: version, reference });
      return [answer.status, (await answer.json<{ code?: string }>()).code];
    };
    await env.TENANT_ACME.prepare(
      "UPDATE vehicles SET branch_group_id = 2, branch_code = 'ISLE' WHERE reference = 'A-2'",
    ).run();
    expect(await promise("A-2")).toEqual([409, "vehicle_in_other_group"]);
    const soldBranchSql = "(SELECT branch_code FROM bookings LIMIT 1)";
    await env.TENANT_ACME.prepare(`UPDATE branches SET branch_group_id = 2 WHERE code = ${soldBranchSql}`).run();
    expect(await promise("A-2")).toEqual([200, undefined]);
    expect(await promise("A-1")).toEqual([200, undefined]);
  });

  // Proves "office.md": A vehicle on rent stays in the fleet and its place; users of its branch set the place
  test("rejects retiring or moving a rented vehicle, and moving a vehicle to a branch that isn't the user's", async () => {
    const out = await insertRental({ from: "2024-05-03 10:00", to: "2099-05-06 10:00", status: "in_progress" });
    await env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = 'A-1', delivered_at = 1 WHERE booking_id = ?",
    )
      .bind(out)
      .run();
    const { version } = (await read("A-1")).vehicle;
    for (const changes of [{ active: false }, { rental_location_code: "TOWN" }]) {
      const refused = await send("PATCH", "/vehicles/A-1", { expected_version: version, ...changes });
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: "vehicle_out" }]);
    }
    const same = { expected_version: version, active: true, rental_location_code: "AIR", stock_color: "red" };
    expect((await send("PATCH", "/vehicles/A-1", same)).status).toBe(200);
    await env.TENANT_ACME.prepare("UPDATE users SET role = 'manager' WHERE username LIKE 'desk%'").run();
    const away = await callOffice("PATCH", "/vehicles/A-2", {
      token: desk,
      body: { expected_version: 1, rental_location_code: "ISLE" },
    });
    expect([away.status, await away.json()]).toMatchObject([403, { code: "branch_forbidden" }]);
  });

  // Proves "office.md": The office sets a vehicle's place, key and needs
  test("shows a vehicle's parking place, key number and need for cleaning or fuel, also on the device", async () => {
    const parking = { parking_place: "P2 / 14", key_number: "K-7", needs_cleaning: true };
    const { vehicle } = await read("A-1");
    const version = Number(vehicle["version"]);
    const changes = await readVehicle(send("PATCH", "/vehicles/A-1", { expected_version: version, ...parking }));
    expect(changes.vehicle).toMatchObject({ ...parking, needs_fuel: false });
    const onPhone = await callAsStaff("GET", "/booking-items-search?term=A-1&rental_storage_id=1", desk);
    expect(await onPhone.json()).toMatchObject({ data: [parking] });
    const clearedParking = { parking_place: null, needs_cleaning: false };
    const cleared = await readVehicle(
      send("PATCH", "/vehicles/A-1", { expected_version: version + 1, ...clearedParking }),
    );
    expect(cleared.vehicle).toMatchObject({ ...clearedParking, key_number: "K-7" });
    const long = await send("PATCH", "/vehicles/A-1", { expected_version: version + 2, key_number: "k".repeat(31) });
    expect([long.status, JSON.stringify(await long.json())]).toEqual([400, expect.stringContaining("key_number")]);
  });

  test("shows a vehicle's cost and due dates, and warns the branch's staff in time", async () => {
    const on = (days: number) => addDays(getTodayAtCompany(), days);
    const listTasks = async (as = token) =>
      (
        await (await callOffice("GET", "/attention", { token: as })).json<{ data: { id: string; kind: string }[] }>()
      ).data.filter(({ kind }) => kind === "vehicle_due");
    const change = async (reference: string, body: object) => {
      const { vehicle } = await read(reference);
      return readVehicle(send("PATCH", `/vehicles/${reference}`, { expected_version: vehicle.version, ...body }));
    };
    const costs = {
      own_property: false,
      purchasable_acquisition_mode: "renting",
      purchasable_renting_monthly_fee: "312.50",
      purchasable_insurance_monthly_fee: "41.00",
      purchasable_renting_duration: 36,
      purchasable_purchase_price: null,
      purchasable_purchase_units: 12,
      stock_vin: "WVWZZZ1JZXW000001",
    };
    expect((await change("A-1", costs)).vehicle).toMatchObject(costs);
    const before = (await read("A-1")).vehicle.version;
    const fine = await send("PATCH", "/vehicles/A-1", { expected_version: before, purchasable_sale_price: "1.005" });
    expect([fine.status, await fine.json()]).toMatchObject([400, { detail: [{ field: "purchasable_sale_price" }] }]);
    expect(await listTasks()).toEqual([]);

    await change("A-1", {
      inspection_due: on(20),
      insured_until: on(10),
      service_due_units: 60_000,
      usage_units: 59_000,
    });
    expect(await listTasks()).toMatchObject([
      {
        why: `it is due: insurance ${on(10)}`,
        rental_location_code: "AIR",
        reservation_id: null,
        link: "/api/v1/office/vehicles/A-1",
        dismissible: true,
      },
    ]);
    await change("A-1", { usage_units: 59_600, inspection_due: on(-1) });
    const [item] = await listTasks();
    expect(item).toMatchObject({ why: `it is due: inspection ${on(-1)}; insurance ${on(10)}; service at 60000` });
    await readReservationAnswer(
      callOffice("POST", `/attention/${encodeURIComponent(item?.id ?? "")}/done`, { token, body: {} }),
    );
    expect(await listTasks()).toEqual([]);
    // The insurance is valid on its last day. Afterwards the task reappears, although the inspection task was
    // acknowledged.
    const comesBy = async (insured: string) => {
      await change("A-1", { insured_until: insured });
      return (await listTasks()).map(({ id }) => id.replace(insured, "day"));
    };
    const [lastDay] = await comesBy(on(0));
    expect(await comesBy(on(-2))).toEqual([lastDay?.replace("day", "day~")]);
    expect(await comesBy(on(10))).toEqual([]);
    // Vehicles of another branch group aren't shown at this branch.
    await change("B-2", { service_due: on(-3) });
    expect([(await listTasks()).length, await listTasks(desk)]).toEqual([1, []]);
    await change("B-2", { service_due: on(200) });
    await change("A-1", { inspection_due: on(700), insured_until: on(360), service_due_units: 75_000 });
    expect(await listTasks()).toEqual([]);
    await change("A-2", { insured_until: on(-40), active: false });
    expect(await listTasks()).toEqual([]);
  });

  test("removes a damage from the vehicle's list once it is repaired", async () => {
    await env.TENANT_ACME.prepare(`INSERT INTO vehicle_damages (damage_id, vehicle_reference, part, kind, severity, x, y, since)
      VALUES ('d-1', 'A-1', 'bumper_front', 'scratch', 'light', 1, 1, '2026-01-01')`).run();
    const [damage] = (await read("A-1")).vehicle.damages;
    const repaired = await readVehicle(send("POST", `/vehicles/A-1/damages/${damage?.id}/repaired`));
    expect(repaired.vehicle.damages).toEqual([]);
    expect((await send("POST", `/vehicles/A-1/damages/${damage?.id}/repaired`)).status).toBe(404);
  });
});

describe("a block", () => {
  // Proves "office.md": A block takes effect whatever is sold; promises that it breaks are taken back
  test("removes a blocked vehicle from searches and from its assigned contract until the block ends", async () => {
    await postAsAgency("/booking", createAgencyReservationBody());
    await postAsAgency("/booking", createAgencyReservationBody());
    expect(await countFreeInA()).toBe(true);
    const list = await (await send("GET", "/reservations")).json<{ data: { id: number; version: number }[] }>();
    const [first] = list.data;
    await readReservationAnswer(
      send("POST", `/reservations/${first?.id}/assign`, { expected_version: first?.version, reference: "A-1" }),
    );
    const blockRequest = {
      from: `${getBookableDay(1)}T09:00`,
      to: `${getBookableDay(1)}T18:00`,
      reason: "workshop",
      note: "Brakes",
    };
    const createdVehicle = await send("POST", "/vehicles/A-1/blocks", blockRequest);
    const { block } = await createdVehicle.json<{ block: { id: number } }>();
    expect([createdVehicle.status, block]).toMatchObject([201, { ...blockRequest, reference: "A-1", version: 1 }]);
    expect(await countFreeInA()).toBe(false);
    const contract = await readReservationAnswer(send("GET", `/reservations/${first?.id}`));
    expect(contract.reservation.units).toMatchObject([{ reference: null }]);
    expect(contract.history[0]).toMatchObject({ move: "unassigned", reason_code: "vehicle_blocked" });
    const response = await send("PATCH", `/blocks/${block.id}`, {
      expected_version: 1,
      note: "Tyres",
      to: `${getBookableDay(2)}T18:00`,
    });
    expect(await response.json()).toMatchObject({
      block: { note: "Tyres", to: `${getBookableDay(2)}T18:00`, version: 2 },
    });
    expect((await send("PATCH", `/blocks/${block.id}`, { expected_version: 1, note: "Late" })).status).toBe(409);
    expect((await send("DELETE", `/blocks/${block.id}`)).status).toBe(204);
    expect(await countFreeInA()).toBe(true);
    expect((await read("A-1")).history.map((entry) => entry["move"])).toEqual([
      "unblocked",
      "block_changed",
      "blocked",
    ]);
  });

  test("creates one of twenty simultaneous blocks of a vehicle", async () => {
    const block = (index: number) => ({
      from: `${getBookableDay(index)}T09:00`,
      to: `${getBookableDay(index)}T18:00`,
      reason: "workshop",
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send("POST", "/vehicles/A-1/blocks", block(index))),
    );
    const createdVehicle = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { block: { id: number; from: string } }).block),
    );
    expect(createdVehicle.map(({ from }) => from)).toEqual(Array.from({ length: 20 }, (_, index) => block(index).from));
    expect(new Set(createdVehicle.map(({ id }) => id)).size).toBe(20);
  });

  test("rejects a block with an end before its start, an unknown vehicle or another branch's vehicle by field", async () => {
    const blockRequest = { from: `${getBookableDay(1)}T09:00`, to: `${getBookableDay(1)}T08:00` };
    const response = await send("POST", "/vehicles/A-1/blocks", blockRequest);
    expect([response.status, await response.json()]).toMatchObject([400, { detail: [{ field: "to" }] }]);
    const right = { from: getBookableDay(1), to: getBookableDay(2) };
    expect((await send("POST", "/vehicles/NONE/blocks", right)).status).toBe(404);
    expect((await callOffice("POST", "/vehicles/A-1/blocks", { token: desk, body: right })).status).toBe(403);
    expect((await send("DELETE", "/blocks/12345")).status).toBe(404);
  });
});

test("returns a vehicle to the fleet after its sale is undone, and allows selling it again", async () => {
  const state = async () => (await readVehicle(send("GET", "/vehicles/B-1"))).vehicle;
  const free = async () => {
    const path = createAvailabilityPath({ "date-from": getBookableDay(0), "date-to": getBookableDay(3) });
    const answer = await (await getAsAgency(path)).json<{
      response: { products: { code: string }[] };
    }>();
    return answer.response.products.find(({ code }) => code === "B");
  };
  const retire = (version: number, date?: string | null) =>
    readReservationAnswer(
      send("POST", "/vehicles/B-1/retire", { expected_version: version, ...(date !== undefined && { date }) }),
    );
  const initialProduct = await free();
  expect(initialProduct).toBeDefined();
  await retire(1, getBookableDay(1));
  expect(await free()).not.toEqual(initialProduct);
  await retire(2, null);
  expect(await state()).toMatchObject({ active: true, state: "free", purchasable_sold_release_date: null });
  expect(await free()).toEqual(initialProduct);
  await retire(3);
  expect(await state()).toMatchObject({ active: false, state: "retired" });
  await readReservationAnswer(send("PATCH", "/vehicles/B-1", { expected_version: 4, active: true }));
  expect(await state()).toMatchObject({ active: true, state: "free", purchasable_sold_release_date: null });
  expect(await free()).toEqual(initialProduct);
});

describe("planning", () => {
  test("returns an empty planning board for a company without branches, and rejects an unknown branch", async () => {
    expect((await send("GET", `/planning?date_from=${getBookableDay(0)}&days=1&rental_location_code=NO`)).status).toBe(
      400,
    );
    for (const table of ["vehicles", "opening_hours", "closed_dates", "return_places", "pickup_places", "one_way_fees"])
      await env.TENANT_ACME.prepare(`DELETE FROM ${table}`).run();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("DELETE FROM user_branches"),
      env.TENANT_ACME.prepare("DELETE FROM branches"),
    ]);
    const board = await (await send("GET", `/planning?date_from=${getBookableDay(0)}&days=1`)).json();
    expect(board).toMatchObject({ vehicles: [], unassigned: [] });
  });

  // Proves "office.md": Planning shows vehicles, contracts, blocks, the unassigned and sold against stock
  // Proves "rentals.md": M6
  test("shows vehicles with contracts and blocks, unassigned contracts by category, and sold units against stock", async () => {
    await postAsAgency("/booking", createAgencyReservationBody());
    await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "B" }] }));
    const list = await (await send("GET", "/reservations")).json<{ data: { id: number; version: number }[] }>();
    const [ofB] = list.data;
    await readReservationAnswer(
      send("POST", `/reservations/${ofB?.id}/assign`, { expected_version: ofB?.version, reference: "B-1" }),
    );
    await send("POST", "/vehicles/A-2/blocks", { from: getBookableDay(1), to: getBookableDay(2), reason: "workshop" });
    const board = await (
      await send("GET", `/planning?date_from=${getBookableDay(0)}&days=5&rental_storage_id=1`)
    ).json<{
      vehicles: { reference: string; out: unknown; contracts: { id: number }[]; blocks: unknown[] }[];
      unassigned: { category_code: string; contracts: unknown[] }[];
      sold: { category_code: string; date: string; sold: number; stock: number }[];
    }>();
    expect(board.vehicles.map(({ reference }) => reference)).toEqual(["A-1", "A-2", "A-3", "B-1", "C-1", "H-1"]);
    expect(board.vehicles.find(({ reference }) => reference === "B-1")?.contracts).toMatchObject([{ id: ofB?.id }]);
    expect(board.vehicles.find(({ reference }) => reference === "A-2")?.blocks).toHaveLength(1);
    expect(board.unassigned).toMatchObject([{ category_code: "A", contracts: [{}] }]);
    const soldInA = board.sold.filter(({ category_code }) => category_code === "A");
    expect(soldInA.map(({ sold, stock }) => [sold, stock])).toEqual([
      [1, 3],
      [1, 2],
      [1, 3],
      [1, 3],
      [0, 3],
    ]);
    expect((await send("GET", `/planning?date_from=${getBookableDay(0)}&days=93`)).status).toBe(400);
    expect(board.vehicles.map(({ out }) => out)).toEqual(new Array(6).fill(null));
    const { reservation } = await readReservationAnswer(send("GET", `/reservations/${ofB?.id}`));
    const reading = { expected_version: reservation.version, reference: "B-1", kilometres: 1000, fuel_eighths: 8 };
    await readReservationAnswer(send("POST", `/reservations/${ofB?.id}/deliver`, reading));
    for (const [filter, problem] of [
      ["rental_storage_id=99", { field: "rental_storage_id", code: "no_branch_group" }],
      ["rental_location_code=NONE", { field: "rental_location_code", code: "no_branch" }],
    ] as const) {
      const refused = await send("GET", `/planning?date_from=${getBookableDay(0)}&days=1&${filter}`);
      expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [problem] }]);
    }
    const later = await (
      await send("GET", `/planning?date_from=${getBookableDay(30)}&days=1&rental_storage_id=1`)
    ).json<{
      vehicles: { reference: string; out: unknown }[];
    }>();
    expect(later.vehicles.find(({ reference }) => reference === "B-1")?.out).toEqual({
      ...{ reservation_id: ofB?.id, customer_fullname: "Ana Ruiz", date_to: getBookableDay(3), time_to: "10:00" },
    });
  });

  test("counts a substitute as sold in its own category instead of the agreed one, from today on", async () => {
    const today = getTodayAtCompany();
    const at = (days: number) => `${addDays(today, days)} 10:00`;
    const booking = await insertRental({ from: at(-1), to: at(1), category: "A", status: "in_progress" });
    await env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = 'C-1', delivered_at = 1 WHERE booking_id = ?",
    )
      .bind(booking)
      .run();
    const board = await (
      await send("GET", `/planning?date_from=${addDays(today, -1)}&days=4&rental_location_code=AIR`)
    ).json<{ sold: { category_code: string; date: string; sold: number }[] }>();
    const soldInC = board.sold.filter(({ category_code }) => category_code === "C");
    expect(soldInC.map(({ date, sold }) => [date, sold])).toEqual([
      [addDays(today, -1), 0],
      [today, 1],
      [addDays(today, 1), 1],
      [addDays(today, 2), 0],
    ]);
  });

  test("shows a vehicle that is overdue or went out early as out, and counts it as sold", async () => {
    const today = getTodayAtCompany();
    const at = (days: number) => `${addDays(today, days)} 10:00`;
    const wentOut = (days: number) => Date.now() + days * 86_400_000;
    const [overdue, early] = [
      await insertRental({ from: at(-5), to: at(-2), category: "A", status: "in_progress" }),
      await insertRental({ from: at(6), to: at(8), category: "B", status: "in_progress" }),
    ];
    const out = "UPDATE booking_units SET vehicle_reference = ?, delivered_at = ? WHERE booking_id = ?";
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(out).bind("A-1", wentOut(-5), overdue),
      env.TENANT_ACME.prepare(out).bind("B-1", wentOut(-0.01), early),
    ]);
    const board = async () => {
      const answer = await send("GET", `/planning?date_from=${today}&days=2&rental_location_code=AIR`);
      const { vehicles, sold } = await answer.json<{
        vehicles: { reference: string; contracts: { id: number }[] }[];
        sold: { category_code: string; sold: number }[];
      }>();
      const getSoldInCategory = (category: string) => sold.filter(({ category_code }) => category_code === category);
      return {
        lying: vehicles.flatMap(({ reference, contracts }) => contracts.map(({ id }) => [reference, id])),
        sold: ["A", "B"].map((category) => getSoldInCategory(category).map((item) => item.sold)),
      };
    };
    expect(await board()).toEqual({
      lying: [
        ["A-1", overdue],
        ["B-1", early],
      ],
      sold: [
        [1, 0],
        [1, 1],
      ],
    });
  });

  test("counts a unit that came back before its agreed return as sold only until it came back", async () => {
    const at = (days: number) => `${addDays(getBookableDay(0), days)} 10:00`;
    const booking = await insertRental({ from: at(0), to: at(3), category: "C", status: "in_progress" });
    const collected =
      "UPDATE booking_units SET vehicle_reference = 'C-1', delivered_at = 1, collected_at = ? WHERE booking_id = ?";
    const board = async () => {
      const answer = await send(
        "GET",
        `/planning?date_from=${getBookableDay(0)}&days=4&category_code=C&rental_location_code=AIR`,
      );
      return (await answer.json<{ sold: { sold: number }[] }>()).sold.map(({ sold }) => sold);
    };
    expect(await board()).toEqual([1, 1, 1, 1]);
    const back = Date.parse(`${addDays(getBookableDay(0), 1)}T12:00:00Z`);
    await env.TENANT_ACME.prepare(collected).bind(back, booking).run();
    expect(await board()).toEqual([1, 1, 0, 0]);
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import {
  callAsStaff,
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import {
  applicableExtrasAnswer,
  checkInDayAnswer,
  checkInSettingsAnswer,
  checkInVehiclesAnswer,
} from "#worker/api/check-in/day-messages.ts";
import { officeOperationsAnswer, operationRecordSchema } from "#worker/api/check-in/operation-messages.ts";

let desk: string;
let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  [desk, boss] = await Promise.all([createToken("desk"), createToken("boss")]);
  await openTestTenant(env).freshSnapshot();
});

const day = (date: string, { branch = "AIR", token = desk, headers = {} } = {}) =>
  callAsStaff(
    "GET",
    `/v1/booking/deliveries-collections?date=${date}&rental_location_code=${branch}`,
    token,
    undefined,
    headers,
  );

const costs = (response: Response) => response.headers.get("Server-Timing");

const getRowCount = (response: Response) => getRequestCost(response).rows;

describe("the settings", () => {
  // Proves "check-in.md: day, vehicles and extras": GET /api/v1/booking/delivery-collection-app-settings: settings for
  //   deliveries and collections
  test("returns the settings that the app needs, with only the user's branches", async () => {
    const response = await callAsStaff("GET", "/v1/booking/delivery-collection-app-settings", desk);
    const settings = checkInSettingsAnswer.parse(await response.json());
    expect(settings).toMatchObject({
      currency: "EUR",
      timezone: "Europe/Madrid",
      country_code: "ES",
      tax_records: false,
      communications: false,
      books_at_own_address: true,
      handover_checks: { payment: "warn", deposit: "warn", licence: "warn", identity: "warn", signature: "warn" },
      user: { full_name: "Dora Desk", role: "operator" },
    });
    expect(settings.rental_locations).toEqual([{ code: "AIR", name: "Airport branch", rental_storage_id: 1 }]);
    expect(settings.rental_storages).toEqual([{ id: 1, name: "North" }]);
    expect(costs(response)).toContain("calls=1");
  });

  test("names branches in the user's language, as categories", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE users SET language = 'de' WHERE username = 'desk'"),
      env.TENANT_ACME.prepare("INSERT INTO translations VALUES ('branch', 'AIR', 'name', 'de', 'Station Flughafen')"),
    ]);
    await openTestTenant(env).freshSnapshot();
    const response = await callAsStaff("GET", "/v1/booking/delivery-collection-app-settings", desk);
    const settings = checkInSettingsAnswer.parse(await response.json());
    expect(settings.rental_locations[0]?.name).toBe("Station Flughafen");
    expect(settings.categories.find(({ code }) => code === "A")?.name).toBe("Kleinwagen");
  });
});

describe("a day", () => {
  test("returns a customer's phone number with a single country prefix, however it was entered", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_phone_prefix = '+34', customer_phone = '600 111 222'",
    ).run();
    const { deliveries } = checkInDayAnswer.parse(await (await day("2024-05-03")).json());
    expect(deliveries[0]?.customer.phone).toBe("+34 600 111 222");
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/v1/booking/deliveries-collections: list of deliveries and
  //   collections (all that the app needs)
  test("shows before the delivery why a customer gets no vehicle, and whether the contract is signed", async () => {
    await insertCheckInRental();
    const readEntry = async () => {
      const { deliveries } = checkInDayAnswer.parse(await (await day("2024-05-03")).json());
      return deliveries[0];
    };
    expect(await readEntry()).toMatchObject({ do_not_rent: null, contract_signed: false });
    await env.TENANT_ACME.prepare(
      `INSERT INTO customers (name, surname, email, do_not_rent_reason, created_at, last_update)
        SELECT 'Eva', 'Sol', upper(customer_email), 'Left debts', 0, 0 FROM bookings`,
    ).run();
    expect(await readEntry()).toMatchObject({ do_not_rent: { reason: "Left debts" } });
  });

  test("lists deliveries by pickup day and branch, and collections by return day and branch", async () => {
    await insertCheckInRental({ extras: [{ code: "SEAT", quantity: 2, unitCents: 700 }] });
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET contract_data = '{"driver_name":"Eva","driver_surname":"Sol","driver_driving_license_number":"L1","flight_number":"IB1"}'`,
    ).run();
    const response = await day("2024-05-03");
    const { deliveries, collections, candidates, vehicles } = checkInDayAnswer.parse(await response.json());
    expect(collections).toEqual([]);
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).toMatchObject({
      booking_id: 7,
      version: 1,
      customer: { full_name: "Ana Ruiz" },
      drivers: [{ full_name: "Eva Sol", driving_license_number: "L1" }],
      flight: "IB1",
      extras: [{ extra_code: "SEAT", quantity: 2, unit_price: "7.00", cost: "14.00" }],
      amounts: {
        item_cost: "80.00",
        extras_cost: "14.00",
        supplements_cost: "0.00",
        total_cost: "94.00",
        total_paid: "0.00",
        total_pending: "94.00",
      },
      deposit: { total: "400.00", held: "0.00", pending: "400.00" },
      resources: [
        {
          resource_id: 70,
          category_code: "A",
          state: "to_deliver",
          vehicle: null,
          rates: { extra_day: "40.00", kilometres_included: null },
        },
      ],
    });
    expect(candidates).toEqual({ A: ["A-1", "A-2", "A-3"] });
    expect(vehicles).toHaveLength(3);
    await sendCheckInOperation(desk, createDeliveryMessage());
    const back = checkInDayAnswer.parse(await (await day("2024-05-05", { branch: "TOWN", token: boss })).json());
    expect(back.deliveries).toEqual([]);
    expect(back.collections[0]).toMatchObject({
      resources: [
        {
          state: "out",
          vehicle: { reference: "A-1", state: "out" },
          delivery: { by: "Dora Desk", kilometres: 1000, fuel_eighths: 8 },
        },
      ],
    });
  });

  test("keeps an overdue delivery in today's list once the vehicle is handed over, but not in the next day's list", async () => {
    const dateIn = (days: number) => addDays(getTodayAtCompany(), days);
    await insertCheckInRental({ from: dateIn(-2), to: dateIn(5) });
    const listed = async () => {
      const { deliveries } = checkInDayAnswer.parse(await (await day(dateIn(0))).json());
      return deliveries.map(({ booking_id, status }) => [booking_id, status]);
    };
    expect(await listed()).toEqual([[7, "confirmed"]]);
    await sendCheckInOperation(desk, createDeliveryMessage({ recorded_at: new Date().toISOString() }));
    expect(await listed()).toEqual([[7, "in_progress"]]);
    const longAgo = Date.now() - 30 * 3_600_000;
    await env.TENANT_ACME.prepare("UPDATE booking_units SET delivered_at = ?").bind(longAgo).run();
    expect(await listed()).toEqual([]);
  });

  // Proves "check-in.md: day, vehicles and extras": Collections in order of their return, with what is not handed over
  //   yet
  // Proves "rentals.md": 19
  test("lists the day's returns by time, including rentals not yet handed over", async () => {
    await insertCheckInRental({ id: 7, from: "2024-05-03" });
    await insertCheckInRental({ id: 8, from: "2024-05-04" });
    await insertCheckInRental({ id: 9, from: "2024-05-04", status: "pending_confirmation" });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE bookings SET time_from = '08:00', time_to = '18:00' WHERE id = 7"),
      env.TENANT_ACME.prepare("UPDATE bookings SET time_from = '12:00', time_to = '09:00' WHERE id = 8"),
    ]);
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { collections } = checkInDayAnswer.parse(
      await (await day("2024-05-05", { branch: "TOWN", token: boss })).json(),
    );
    expect(collections.map(({ booking_id, status, resources }) => [booking_id, status, resources[0]?.state])).toEqual([
      [8, "confirmed", "to_deliver"],
      [7, "in_progress", "out"],
    ]);
  });

  // Proves "check-in.md: failures in the field, the server": `candidates`, `engagements`
  // Proves "rules.md: the life of a contract": A vehicle that is assigned is not offered to others
  test("offers only vehicles that are free for the whole rental, and returns why the others aren't", async () => {
    const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await insertCheckInRental({ from: date(2), to: date(5) });
    await insertCheckInRental({ id: 8, from: date(4), to: date(6) });
    await insertCheckInRental({ id: 9, from: date(6), to: date(8) });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE id = 80"),
      env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-2' WHERE id = 90"),
      env.TENANT_ACME.prepare(
        `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
          VALUES ('A-3', 'workshop', unixepoch(?1) / 60, unixepoch(?1) / 60 + 600)`,
      ).bind(date(4)),
    ]);
    const { candidates, vehicles } = checkInDayAnswer.parse(await (await day(date(2))).json());
    expect(candidates).toEqual({ A: ["A-2"] });
    expect(vehicles.map(({ reference, state, engagements }) => [reference, state, engagements])).toEqual([
      ["A-1", "free", [{ kind: "promised", from: `${date(4)}T10:00`, to: `${date(6)}T10:00`, booking_id: 8 }]],
      ["A-2", "free", [{ kind: "promised", from: `${date(6)}T10:00`, to: `${date(8)}T10:00`, booking_id: 9 }]],
      ["A-3", "free", [{ kind: "blocked", from: `${date(4)}T00:00`, to: `${date(4)}T10:00`, booking_id: null }]],
    ]);
  });

  test("reads the day with one database call, and returns 304 while nothing has changed", async () => {
    await insertCheckInRental();
    const response = await day("2024-05-03");
    expect(costs(response)).toContain("calls=1");
    const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
    expect((await day("2024-05-03", { headers })).status).toBe(304);
    await sendCheckInOperation(desk, createDeliveryMessage());
    expect((await day("2024-05-03", { headers })).status).toBe(200);
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/v1/booking/deliveries-collections: date is required,
  //   yyyy-mm-dd
  // Proves "check-in.md: day, vehicles and extras": GET /api/v1/booking/deliveries-collections: rental_location_code is
  //   required when there are several branches
  test("rejects the day's list for another branch, without a branch or with an invalid date", async () => {
    expect((await day("2024-05-03", { branch: "TOWN" })).status).toBe(404);
    expect((await day("2024-05-03", { branch: "NONE", token: boss })).status).toBe(404);
    expect(await (await day("2030-02-30")).text()).toContain("date");
    const unnamed = await callAsStaff("GET", "/v1/booking/deliveries-collections?date=2024-05-03", desk);
    expect([unnamed.status, await unnamed.text()]).toEqual([400, expect.stringContaining("rental_location_code")]);
    expect((await callAsStaff("DELETE", "/v1/booking/deliveries-collections", desk)).status).toBe(405);
  });

  test("changes the hash of the contract to sign as soon as the contract's terms change", async () => {
    await insertCheckInRental();
    const hash = async () =>
      checkInDayAnswer.parse(await (await day("2024-05-03")).json()).deliveries[0]?.contract_hash;
    const before = await hash();
    await env.TENANT_ACME.prepare("UPDATE bookings SET item_cents = 9000, total_cents = 9000").run();
    expect(await hash()).not.toBe(before);
  });
});

describe("the vehicle search", () => {
  const search = (query: string, token = desk) => callAsStaff("GET", `/booking-items-search?${query}`, token);

  // Proves "check-in.md: day, vehicles and extras": GET /api/booking-items-search: term is a plate, an alias or a
  //   reference
  test("finds vehicles by plate, alias or reference, regardless of case, spaces and hyphens", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE vehicles SET plate = '1234-BCD', alias = 'Red one' WHERE reference = 'A-2'",
    ).run();
    for (const term of ["1234bcd", "34 bc", "a-2", "REDONE"]) {
      const response = await search(`term=${encodeURIComponent(term)}&rental_storage_id=1`);
      const { data, total } = checkInVehiclesAnswer.parse(await response.json());
      expect([term, data.map(({ reference }) => reference), total]).toEqual([term, ["A-2"], 1]);
      expect(costs(response)).toContain("calls=1");
    }
    expect(checkInVehiclesAnswer.parse(await (await search("term=%25_'&rental_storage_id=1")).json()).total).toBe(0);
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/booking-items-search: an empty parameter is absent
  test("treats an empty search text and empty filters as absent", async () => {
    const empty = await search("term=&category_code=&family_id=&rental_storage_id=1");
    expect(empty.status).toBe(200);
    expect(await empty.json()).toEqual(await (await search("rental_storage_id=1")).json());
    expect(await (await search("term=A&rental_storage_id=")).text()).toContain("is required");
    expect((await callAsStaff("GET", "/booking/7/extra-search?action=", desk)).status).toBe(
      (await callAsStaff("GET", "/booking/7/extra-search", desk)).status,
    );
  });

  test("offers no virtual placeholder vehicle in the vehicle search or for the day's deliveries", async () => {
    await insertCheckInRental({ id: 7 });
    const before = checkInDayAnswer.parse(await (await day("2024-05-03")).json());
    expect(before.candidates["A"]).toContain("A-2");
    await env.TENANT_ACME.prepare("UPDATE vehicles SET acquisition_mode = 'virtual' WHERE reference = 'A-2'").run();
    expect(checkInDayAnswer.parse(await (await day("2024-05-03")).json()).candidates["A"]).not.toContain("A-2");
    const { data } = checkInVehiclesAnswer.parse(await (await search("rental_storage_id=1")).json());
    const references = data.map(({ reference }) => reference);
    expect(references).toContain("A-1");
    expect(references).not.toContain("A-2");
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/booking-items-search: category_code and family_id are
  //   optional and combine
  test("combines filters of the vehicle search, and marks vehicles that are out or blocked", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const now = Math.floor(Date.now() / 60_000);
    await env.TENANT_ACME.prepare(
      "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', ?, ?)",
    )
      .bind(now - 600, now + 600)
      .run();
    const { data } = checkInVehiclesAnswer.parse(await (await search("category_code=A&rental_storage_id=1")).json());
    expect(Object.fromEntries(data.map(({ reference, state }) => [reference, state]))).toEqual({
      "A-1": "out",
      "A-2": "blocked",
      "A-3": "free",
    });
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/booking-items-search: rental_storage_id is required when
  //   there are several branch groups
  test("requires a branch group in the vehicle search if there are several, and accepts only the user's groups", async () => {
    expect(await (await search("term=A")).text()).toContain("rental_storage_id");
    expect((await search("rental_storage_id=2")).status).toBe(404);
    expect((await search("rental_storage_id=2", boss)).status).toBe(200);
    expect((await search("rental_storage_id=zero")).status).toBe(400);
  });
});

describe("the extras of a booking", () => {
  // Proves "check-in.md: day, vehicles and extras": GET /api/booking/:id/extra-search: extras that can apply to the
  //   booking, action delivery or collection
  // Proves "check-in.md: day, vehicles and extras": Extra-search gives the unit price and what is already booked
  test("lists the booked extras and the available ones, priced for the booking", async () => {
    await insertCheckInRental({ extras: [{ code: "SEAT", quantity: 1, unitCents: 700 }] });
    await insertCheckInRental({ id: 8, extras: [{ code: "SEAT", quantity: 2, unitCents: 700 }] });
    const response = await callAsStaff("GET", "/booking/7/extra-search?action=delivery", desk);
    const { data } = applicableExtrasAnswer.parse(await response.json());
    expect(data).toEqual([
      {
        extra_code: "SEAT",
        name: "Silla infantil",
        unit_price: "7.00",
        booked_quantity: 1,
        max_quantity: 3,
        sellable_quantity: 1,
        total_deposit: "400.00",
      },
      {
        extra_code: "GPS",
        name: "Navegador",
        unit_price: "15.00",
        booked_quantity: 0,
        max_quantity: 1,
        sellable_quantity: 1,
        total_deposit: "400.00",
      },
    ]);
    expect(costs(response)).toContain("calls=1");
    expect((await callAsStaff("GET", "/booking/999/extra-search", desk)).status).toBe(404);
    expect((await callAsStaff("GET", "/booking/7/extra-search?action=swap", desk)).status).toBe(400);
    expect((await callAsStaff("GET", "/booking/seven/extra-search", desk)).status).toBe(400);
  });

  // Proves "rules.md: sales and payments": Limits of extras for each vehicle hold on phones
  test("limits extras per vehicle if configured so, and shows the deposit that remains due with the extra", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("DELETE FROM extra_stocks"),
      env.TENANT_ACME.prepare(`UPDATE extras SET limit_per = 'vehicle', deposit_reduction_type = 'percentage',
        deposit_reduction_value = 10000, guarantee_reduction_value = 5000 WHERE code = 'GPS'`),
    ]);
    await openTestTenant(env).freshSnapshot();
    await insertCheckInRental({ units: 2, extras: [{ code: "GPS", quantity: 1, unitCents: 1500 }] });
    const response = await callAsStaff("GET", "/booking/7/extra-search?action=delivery", desk);
    const { data } = applicableExtrasAnswer.parse(await response.json());
    // GPS removes the deposit of 300.00, and half of the guarantee of 100.00, of each of the two vehicles.
    expect(data).toMatchObject([
      { extra_code: "SEAT", max_quantity: 3, total_deposit: "800.00" },
      { extra_code: "GPS", max_quantity: 2, sellable_quantity: 1, total_deposit: "100.00" },
    ]);
  });
});

describe("the office's check-in operations", () => {
  const work = (state: string, token = boss) =>
    callAsStaff("GET", `/v1/booking/check-in-operations?state=${state}`, token);

  // Proves "check-in.md: failures in the field, the server": A photo never arrives
  // Proves "check-in.md: failures in the field, the server": A phone's storage is wiped with work in it
  test("shows the office rejected, waiting and incomplete operations, and devices that numbered more operations than they sent", async () => {
    await insertCheckInRental();
    const taken_at = "2024-05-03T08:00:00.000Z";
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({ seq: 4, photos: [{ hash: "a".repeat(64), view: "front", taken_at }] }),
    );
    await sendCheckInOperation(desk, createDeliveryMessage({ seq: 5 }));
    const conflicts = officeOperationsAnswer.parse(await (await work("conflict")).json());
    expect(conflicts.total).toBe(1);
    expect(conflicts.data[0]).toMatchObject({
      code: "already_delivered",
      customer_fullname: "Ana Ruiz",
      seq: 5,
      operation: { kilometres: 1000 },
    });
    expect(conflicts.devices).toEqual([
      expect.objectContaining({ user: "Dora Desk", last_seq: 5, received: 2, missing: 3 }),
    ]);
    const incomplete = officeOperationsAnswer.parse(await (await work("incomplete")).json());
    expect(incomplete.data.map(({ files_arrived, files_total }) => [files_arrived, files_total])).toEqual([[0, 1]]);
    expect((await work("conflict", desk)).status).toBe(403);
    expect((await work("broken")).status).toBe(400);
  });

  test("lets the office decide on rejected operations, and rejects a second conflicting decision", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage({ seq: 2 }));
    const resolve = (action: string) =>
      callAsStaff("POST", `/v1/booking/check-in-operations/${result.op_id}/resolution`, boss, { action, note: "seen" });
    expect(operationRecordSchema.parse(await (await resolve("dismiss")).json()).state).toBe("dismissed");
    expect((await resolve("dismiss")).status).toBe(200);
    expect((await resolve("accept")).status).toBe(409);
    expect(
      (await callAsStaff("POST", "/v1/booking/check-in-operations/none/resolution", boss, { action: "accept" })).status,
    ).toBe(404);
  });

  test("lists recorded check-in operations only to staff of the reservation's branch", async () => {
    await env.TENANT_ACME.prepare("UPDATE users SET role = 'manager' WHERE username = 'desk'").run();
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(boss, createCollectionMessage({ device_id: "device-0009" }));
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const foreign = officeOperationsAnswer.parse(await (await work("all", desk)).json());
    expect([foreign.total, foreign.data, foreign.devices.map(({ user }) => user)]).toEqual([0, [], ["Dora Desk"]]);
    expect((await callAsStaff("GET", "/v1/booking/7/check-in", desk)).status).toBe(404);
    const all = officeOperationsAnswer.parse(await (await work("all")).json());
    expect(all.total).toBe(2);
  });
});

test("takes two database calls for a delivery, and at most 215 rows for a delivery or a return", async () => {
  await openTestTenant(env).freshSnapshot();
  await insertCheckInRental();
  await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
  // One document in 128 starts a search block of about thirty rows. Here it's the first one, regardless of used ids.
  const next = "INSERT INTO sqlite_sequence (name, seq) VALUES ('documents', 127)";
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("DELETE FROM sqlite_sequence WHERE name = 'documents'"),
    env.TENANT_ACME.prepare(next),
  ]);
  const before = { booking_id: 8, resource_id: 80 };
  await sendCheckInOperation(desk, createDeliveryMessage(before));
  await sendCheckInOperation(desk, createCollectionMessage(before));
  const { response } = await sendCheckInOperation(desk, createDeliveryMessage());
  expect(costs(response)).toContain("calls=2");
  expect(getRowCount(response)).toBeLessThanOrEqual(200);
  // The document starts a search block, which one in 128 does.
  expect(getRowCount((await sendCheckInOperation(desk, createCollectionMessage())).response)).toBeLessThanOrEqual(215);
  // The limits also hold for a substitute vehicle of another category.
  await insertCheckInRental({ id: 9 });
  const substitute = { booking_id: 9, resource_id: 90, vehicle_reference: "C-1" };
  expect(
    getRowCount((await sendCheckInOperation(desk, createDeliveryMessage(substitute))).response),
  ).toBeLessThanOrEqual(200);
  expect(
    getRowCount((await sendCheckInOperation(desk, createCollectionMessage(substitute))).response),
  ).toBeLessThanOrEqual(200);
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  callAsStaff,
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  readFirstRow,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { applyDueHeldOperations } from "#worker/usecases/check-in/apply-held-operations.ts";

let desk: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await openTestTenant(env).freshSnapshot();
  desk = await createToken("desk");
});

const createReturnAt = (branch: string, more = {}) =>
  createCollectionMessage({ return_rental_location_code: branch, ...more });
const getCodes = (warnings: readonly { code: string }[]) => warnings.map(({ code }) => code);
const AWAY = "SELECT vehicle_reference, ends_at > starts_at AS lasts FROM vehicle_blocks WHERE kind = 'away'";

describe("a vehicle returned to another branch than agreed", () => {
  // Proves "check-in.md: failures in the field, the server": A vehicle returned at another branch: contract and vehicle
  //   are there, and the office learns that nothing was charged
  // Proves "check-in.md": P22
  test("closes the contract at the actual return branch, and warns the office that the change wasn't charged", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { result } = await sendCheckInOperation(desk, createReturnAt("AIR"));
    expect([result.state, getCodes(result.warnings)]).toEqual(["applied", ["returned_elsewhere"]]);
    expect(result.warnings[0]).toMatchObject({
      field: "return_rental_location_code",
      message: "it came back to AIR, not to TOWN as was agreed; nothing is charged for that by itself",
    });
    expect(
      await readFirstRow("SELECT status, return_branch_code, return_place_id, return_place, total_cents FROM bookings"),
    ).toEqual({
      ...{ status: "done", return_branch_code: "AIR", return_place_id: null },
      ...{ return_place: "Airport branch", total_cents: 8000 },
    });
    expect(await readFirstRow("SELECT branch_code FROM vehicles WHERE reference = 'A-1'")).toEqual({
      branch_code: "AIR",
    });
    expect(await readFirstRow("SELECT count(*) AS taken FROM stock_allocations")).toEqual({ taken: 0 });
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
    expect(
      await readFirstRow(
        "SELECT detail ->> 'return_rental_location_code' AS branch FROM booking_history WHERE event = 'collected'",
      ),
    ).toEqual({ branch: "AIR" });
  });

  test("records a payment at a return in the cash drawer of the branch that received the vehicle", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const charges = [
      { charge_id: createOpId(), kind: "payment" as const, amount: "10.00", payment_method_id: "cash" as const },
    ];
    await sendCheckInOperation(desk, createReturnAt("AIR", { charges }));
    expect(await readFirstRow("SELECT branch_code, amount_cents FROM charges")).toEqual({
      branch_code: "AIR",
      amount_cents: 1000,
    });
  });

  test("records a payment sent with a return's correction in the cash drawer of the actual return branch", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createReturnAt("ISLE"));
    const right = {
      ...createCollectionMessage({ kind: "correction", seq: 3, base_version: 3 }),
      recorded_at: "2024-05-05T09:00:00.000Z",
    };
    const paid = { kind: "payment", amount: "10.00", payment_method_id: "cash" } as const;
    const { result } = await sendCheckInOperation(await createToken("boss"), {
      ...right,
      charges: [{ charge_id: createOpId(), ...paid }],
    });
    expect(result.state).toBe("applied");
    expect(await readFirstRow("SELECT branch_code FROM charges")).toEqual({ branch_code: "ISLE" });
  });

  // Proves "check-in.md: failures in the field, the server": … of another branch group: away, or that group's
  test("marks a vehicle returned on another island as away until it can be back", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { result } = await sendCheckInOperation(desk, createReturnAt("ISLE"));
    expect(result.state).toBe("applied");
    expect(await readFirstRow(AWAY)).toEqual({ vehicle_reference: "A-1", lasts: 1 });
    expect(await readFirstRow("SELECT branch_code, branch_group_id FROM vehicles WHERE reference = 'A-1'")).toEqual({
      branch_code: "ISLE",
      branch_group_id: 1,
    });
  });

  test("moves a vehicle returned on another island to the branch there if the account lets returned vehicles stay", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET one_way_mode = 'stays'").run();
    await openTestTenant(env).freshSnapshot();
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createReturnAt("ISLE"));
    expect(await readFirstRow("SELECT branch_code, branch_group_id FROM vehicles WHERE reference = 'A-1'")).toEqual({
      branch_code: "ISLE",
      branch_group_id: 2,
    });
    expect(await readFirstRow("SELECT count(*) AS taken FROM stock_allocations")).toEqual({ taken: 0 });
  });

  test("holds a return to another branch until the operation of the vehicle's delivery arrives", async () => {
    await insertCheckInRental();
    expect(
      await sendCheckInOperation(desk, createReturnAt("AIR", { recorded_at: "2024-05-05T08:00:00.000Z" })),
    ).toMatchObject({
      status: 202,
    });
    expect(await readFirstRow("SELECT return_branch_code FROM bookings")).toEqual({ return_branch_code: "TOWN" });
    await sendCheckInOperation(desk, createDeliveryMessage());
    expect(await readFirstRow("SELECT status, return_branch_code FROM bookings")).toEqual({
      status: "done",
      return_branch_code: "AIR",
    });
  });
});

test("unassigns a vehicle returned elsewhere from its next contract even if its delivery is never reported", async () => {
  await insertCheckInRental();
  await insertCheckInRental({ id: 8, from: "2024-05-05", to: "2024-05-07" });
  await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE id = 80").run();
  await sendCheckInOperation(desk, createReturnAt("ISLE", { base_version: 1 }));
  expect(await applyDueHeldOperations(openTestTenant(env), Date.now() + 25 * 3_600_000)).toBe(1);
  expect(await readFirstRow(AWAY)).toEqual({ vehicle_reference: "A-1", lasts: 1 });
  expect(await readFirstRow("SELECT vehicle_reference FROM booking_units WHERE id = 80")).toEqual({
    vehicle_reference: null,
  });
});

test("reports no changed return branch if the return names the agreed branch", async () => {
  await insertCheckInRental();
  await sendCheckInOperation(desk, createDeliveryMessage());
  const { result } = await sendCheckInOperation(desk, createReturnAt("TOWN"));
  expect([result.state, result.warnings]).toEqual(["applied", []]);
  expect(await readFirstRow("SELECT return_branch_code, return_place_id IS NULL AS own FROM bookings")).toMatchObject({
    return_branch_code: "TOWN",
  });
});

// Proves "check-in.md: failures in the field, the server": … with another kind of work, or of no branch: refused and
//   named
test.each([
  ["of no branch", createReturnAt("NOWHERE"), "return_rental_location_code branch not found"],
  [
    "with a delivery",
    createDeliveryMessage({ return_rental_location_code: "AIR" }),
    "return_rental_location_code is only allowed for a collection",
  ],
])("rejects a return place %s, naming the field", async (_, operation, message) => {
  await insertCheckInRental();
  if (operation.kind === "collection") await sendCheckInOperation(desk, createDeliveryMessage());
  const { status, result } = await sendCheckInOperation(desk, operation);
  expect([status, result.state, result.message]).toEqual([400, "rejected", message]);
});

test("lists a return only in the daily list of the branch that received the vehicle", async () => {
  await insertCheckInRental();
  await sendCheckInOperation(desk, createDeliveryMessage());
  await sendCheckInOperation(desk, createReturnAt("AIR"));
  const listCollections = async (branch: string) => {
    const path = `/v1/booking/deliveries-collections?date=2024-05-05&rental_location_code=${branch}`;
    const response = await callAsStaff("GET", path, await createToken("boss"));
    return ((await response.json()) as { collections: { booking_id: number }[] }).collections.length;
  };
  expect([await listCollections("AIR"), await listCollections("TOWN")]).toEqual([1, 0]);
});

describe("two vehicles of a contract", () => {
  const second = { resource_id: 71, vehicle_reference: "A-2" };
  const AT = "SELECT vehicle.branch_code FROM vehicles AS vehicle WHERE vehicle.reference = ?";
  const CONTRACT = "SELECT status, return_branch_code, return_place_id, return_place FROM bookings";
  const ALLOCATIONS_SQL = "SELECT quantity, branch_group_id, ends_at - returns_at AS after FROM stock_allocations";

  beforeEach(async () => {
    await insertCheckInRental({ units: 2 });
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createDeliveryMessage(second));
  });

  // Proves "check-in.md: failures in the field, the server": … one of several: the others are expected at the agreed
  //   branch, in the day and in the stock
  test("expects a contract's second vehicle at the agreed branch after the first returns elsewhere, also in stock", async () => {
    const { after } = (await readFirstRow(ALLOCATIONS_SQL)) ?? {};
    const { result } = await sendCheckInOperation(desk, createReturnAt("ISLE"));
    expect(getCodes(result.warnings)).toEqual(["returned_elsewhere"]);
    expect(await readFirstRow(CONTRACT)).toEqual({
      ...{ status: "in_progress", return_branch_code: "TOWN", return_place_id: 2, return_place: "Oficina" },
    });
    expect(await readFirstRow(AT, "A-1")).toEqual({ branch_code: "ISLE" });
    expect(await readFirstRow(AWAY)).toEqual({ vehicle_reference: "A-1", lasts: 1 });
    expect(await readFirstRow(ALLOCATIONS_SQL)).toEqual({ quantity: 1, branch_group_id: 1, after });
  });

  test("collects a contract's second vehicle at the agreed branch after the first returned elsewhere", async () => {
    await sendCheckInOperation(desk, createReturnAt("ISLE"));
    const { result } = await sendCheckInOperation(desk, createCollectionMessage(second));
    expect([result.state, result.warnings]).toEqual(["applied", []]);
    expect(await readFirstRow(CONTRACT)).toMatchObject({
      status: "done",
      return_branch_code: "TOWN",
      return_place: "Oficina",
    });
    expect(await readFirstRow(AT, "A-2")).toEqual({ branch_code: "TOWN" });
    expect(await readFirstRow("SELECT count(*) AS away FROM vehicle_blocks WHERE vehicle_reference = 'A-2'")).toEqual({
      away: 0,
    });
  });

  test("ends the contract at the other branch if the last vehicle returns there", async () => {
    await sendCheckInOperation(desk, createCollectionMessage());
    await sendCheckInOperation(desk, createReturnAt("AIR", second));
    expect(await readFirstRow(CONTRACT)).toEqual({
      ...{ status: "done", return_branch_code: "AIR", return_place_id: null, return_place: "Airport branch" },
    });
    expect(await readFirstRow(AT, "A-1")).toEqual({ branch_code: "TOWN" });
  });

  test("keeps one vehicle at its actual return branch if vehicles stay there, while the other returns as agreed", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET one_way_mode = 'stays'").run();
    await openTestTenant(env).freshSnapshot();
    await sendCheckInOperation(desk, createReturnAt("ISLE"));
    expect(await readFirstRow("SELECT branch_group_id FROM vehicles WHERE reference = 'A-1'")).toEqual({
      branch_group_id: 2,
    });
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT quantity, branch_group_id, ends_at < 9007199254740991 AS ends FROM stock_allocations",
    ).all();
    expect(results).toEqual([{ quantity: 1, branch_group_id: 1, ends: 1 }]);
    await sendCheckInOperation(desk, createCollectionMessage(second));
    expect(await readFirstRow("SELECT branch_group_id FROM vehicles WHERE reference = 'A-2'")).toEqual({
      branch_group_id: 1,
    });
    expect(await readFirstRow("SELECT count(*) AS taken FROM stock_allocations")).toEqual({ taken: 0 });
  });

  test("expects the second vehicle at the agreed branch if the first returned home and vehicles stay at their return branch", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE settings SET one_way_mode = 'stays'"),
      env.TENANT_ACME.prepare("UPDATE bookings SET return_branch_code = 'ISLE'"),
      env.TENANT_ACME.prepare("INSERT INTO reallocations (booking_id, at) VALUES (7, 1714723500000)"),
    ]);
    await openTestTenant(env).freshSnapshot();
    await sendCheckInOperation(desk, createReturnAt("AIR"));
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT quantity, branch_group_id FROM stock_allocations ORDER BY branch_group_id",
    ).all();
    expect(results).toEqual([
      { quantity: 1, branch_group_id: 1 },
      { quantity: -1, branch_group_id: 2 },
    ]);
    expect(await readFirstRow(CONTRACT)).toMatchObject({ return_branch_code: "ISLE" });
  });
});

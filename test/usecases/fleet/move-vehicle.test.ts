import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { fromCivilMinute, toCivilMinute } from "#domain/dates.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { insertRental } from "#support/rentals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { moveVehicle, type RequestedRelocation } from "#worker/usecases/fleet/move-vehicle.ts";

const AT = Date.now();
const { date, time } = toCivilNow("Europe/Madrid", AT);
const NOW = toCivilMinute(date, time);
const formatCivilTime = (minute: number) => Object.values(fromCivilMinute(minute)).join(" ");
const DAY = 1440;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare(
    "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('C-1', 'away', ?, ?)",
  )
    .bind(NOW - DAY, NOW + 2 * DAY)
    .run();
  await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'ISLE' WHERE reference = 'C-1'").run();
});

async function move(changes: Partial<RequestedRelocation>, username = "boss") {
  const requestedAction: RequestedRelocation = { reference: "C-1", branchCode: "AIR", from: NOW, ...changes };
  const authorization = await createToken(username);
  const write = { tenant: openTestTenant(env), authorization, now: AT, idempotencyKey: crypto.randomUUID() };
  const outcome = await moveVehicle(write, requestedAction);
  return outcome.ok ? "moved" : outcome.error.kind;
}

const canBook = (branch: string, minute: number) =>
  insertRental({ from: formatCivilTime(minute), to: formatCivilTime(minute + 60), category: "C", branch, at: AT })
    .then((id) => env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(id).run())
    .then(() => true)
    .catch(() => false);
const vehicle = () =>
  env.TENANT_ACME.prepare("SELECT branch_group_id, branch_code FROM vehicles WHERE reference = 'C-1'").first();

describe("a vehicle that is away", () => {
  // Proves "rules.md and conventions.md: the agency interface": The office brings a vehicle back or gives it a new home
  //   from a date
  // Proves "office.md": A vehicle is brought home, or gets a new home from a given time
  test("moves a vehicle home, and counts it in its home's stock from then on", async () => {
    expect(await canBook("AIR", NOW + DAY)).toBe(false);
    expect(await move({ from: NOW + DAY })).toBe("moved");
    expect(await canBook("AIR", NOW + DAY - 60)).toBe(false);
    expect(await canBook("AIR", NOW + DAY)).toBe(true);
    expect(await vehicle()).toEqual({ branch_group_id: 1, branch_code: "AIR" });
    expect(await move({})).toBe("moved");
    expect(await canBook("AIR", NOW + 60)).toBe(true);
  });

  // Proves "rules.md: quotes, counts and agreements": The office moves a vehicle from a moment on, never from its
  //   customer
  test("moves a vehicle to a new home from a date on, and counts it nowhere until then", async () => {
    expect(await move({ branchCode: "ISLE", from: NOW + DAY })).toBe("moved");
    expect(await vehicle()).toEqual({ branch_group_id: 2, branch_code: "ISLE" });
    expect([await canBook("ISLE", NOW + DAY - 60), await canBook("ISLE", NOW + DAY)]).toEqual([false, true]);
    expect(await canBook("AIR", NOW + 9 * DAY)).toBe(false);
  });

  test("unassigns a vehicle from rentals before its arrival and from those at its previous home", async () => {
    const promised = async (from: number) => {
      const id = await insertRental({ from: formatCivilTime(from), to: formatCivilTime(from + 60), category: "C" });
      await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'C-1' WHERE booking_id = ?")
        .bind(id)
        .run();
      return id;
    };
    const [soon, late] = [await promised(NOW + 3 * DAY), await promised(NOW + 9 * DAY)];
    const readSnapshot = async (id: number) => {
      const unit = env.TENANT_ACME.prepare("SELECT vehicle_reference FROM booking_units WHERE booking_id = ?").bind(id);
      const reasonQuery = env.TENANT_ACME.prepare(
        "SELECT detail ->> 'reasonCode' AS reason FROM booking_history WHERE booking_id = ? AND event = 'unassigned'",
      ).bind(id);
      return [await unit.first("vehicle_reference"), await reasonQuery.first("reason")];
    };
    expect(await move({ from: NOW + 4 * DAY })).toBe("moved");
    expect(await readSnapshot(soon)).toEqual([null, "vehicle_blocked"]);
    expect(await readSnapshot(late)).toEqual(["C-1", null]);
    expect(await move({ branchCode: "ISLE" })).toBe("moved");
    expect(await readSnapshot(late)).toEqual([null, "vehicle_home_changed"]);
  });

  test("refuses to move a vehicle without permission, to a missing branch, or while it is rented", async () => {
    expect(await move({}, "desk")).toBe("rightMissing");
    expect(await move({ branchCode: "NONE" })).toBe("invalid");
    expect(await move({ reference: "NONE" })).toBe("vehicleNotFound");
    const id = await insertRental({
      from: formatCivilTime(NOW + 9 * DAY),
      to: formatCivilTime(NOW + 10 * DAY),
      category: "C",
    });
    await env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = 'C-1', delivered_at = 1 WHERE booking_id = ?",
    )
      .bind(id)
      .run();
    expect(await move({})).toBe("vehicleOut");
  });
});

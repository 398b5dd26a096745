import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { findPeakAllocatedUnits, type StockAllocation } from "#domain/bookings/availability.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { setUpCompany } from "#support/company.ts";

const HOUR = 60;
const START = 30_000_000 - (30_000_000 % HOUR);
const PREPARATION = 60;

let nextId = 1;

beforeEach(async () => {
  await setUpCompany();
});

interface StockRequest {
  readonly startsAt: number;
  readonly hours: number;
  readonly quantity: number;
}

/** Inserts a category A booking like any writer. Returns whether the database accepted it. */
async function write(
  { startsAt, hours, quantity }: StockRequest,
  changes: { status?: string; expiresAt?: number | null; at?: number } = {},
) {
  const { status = "confirmed", expiresAt = null, at = 1000 } = changes;
  const from = fromCivilMinute(startsAt);
  const to = fromCivilMinute(startsAt + hours * HOUR);
  const id = nextId++;
  const statements = [
    env.TENANT_ACME.prepare(`INSERT INTO bookings (id, free_access_id, status, created_by, expires_at, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
      branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
      VALUES (?, ?, ?, 'staff', ?, ?, ?, ?, ?, 1, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, ?, ?)`).bind(
      id,
      `id-${id}`,
      status,
      expiresAt,
      from.date,
      from.time,
      to.date,
      to.time,
      at,
      at,
    ),
    env.TENANT_ACME.prepare(`INSERT INTO booking_lines (booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
      VALUES (?, 'A', '', ?, 0, 0, 0, 2100)`).bind(id, quantity),
  ];
  try {
    await env.TENANT_ACME.batch(statements);
    return { id, accepted: true };
  } catch (error) {
    expect(String(error)).toContain("sold_out category A");
    return { id, accepted: false };
  }
}

function setStatus(id: number, status: string, at = 1000) {
  return env.TENANT_ACME.prepare("UPDATE bookings SET status = ?, expires_at = NULL, last_update = ? WHERE id = ?")
    .bind(status, at, id)
    .run();
}

describe("the stock guard of the database", () => {
  // Proves "rules.md and conventions.md: the agency interface": Units: stock, preparation to the minute, blocks, sales
  test("accepts in the database exactly the bookings that the domain calculates as fitting the stock, in any order", async () => {
    const stockRequest = fc.record({
      startsAt: fc.integer({ min: 0, max: 60 }).map((hour) => START + hour * HOUR),
      hours: fc.integer({ min: 1, max: 30 }),
      quantity: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(stockRequest, { minLength: 3, maxLength: 15 }), async (requests) => {
        await setUpCompany();
        const stock = 3;
        const storedAllocations: StockAllocation[] = [];
        for (const request of requests) {
          const span = { startsAt: request.startsAt, endsAt: request.startsAt + request.hours * HOUR };
          const allocation = { startsAt: span.startsAt, endsAt: span.endsAt + PREPARATION, quantity: request.quantity };
          const fits = findPeakAllocatedUnits([...storedAllocations, allocation], allocation) <= stock;
          expect((await write(request)).accepted).toBe(fits);
          if (fits) storedAllocations.push(allocation);
        }
      }),
      { numRuns: 25 },
    );
  });

  const all = { startsAt: START, hours: 24, quantity: 3 };
  const item = { ...all, quantity: 1 };

  // Proves "rules.md: quotes, counts and agreements": Cancelled and finished bookings release their units
  test("releases the stock of cancelled and completed bookings", async () => {
    const { id } = await write(all);
    expect((await write(item)).accepted).toBe(false);
    await setStatus(id, "cancelled");
    const second = await write(all);
    expect(second.accepted).toBe(true);
    await setStatus(second.id, "in_progress");
    expect((await write(item)).accepted).toBe(false);
    await setStatus(second.id, "done");
    expect((await write(all)).accepted).toBe(true);
  });

  // Proves "rules.md and conventions.md: the agency interface": An ended hold releases its units and can't be confirmed
  //   over another booking
  test("ignores an expired hold, and rejects its confirmation if its units are taken", async () => {
    const hold = await write(all, { status: "pending_confirmation", expiresAt: 2000, at: 1000 });
    expect((await write(item, { at: 1999 })).accepted).toBe(false);
    expect((await write(item, { at: 2000 })).accepted).toBe(true);
    await expect(setStatus(hold.id, "confirmed", 2500)).rejects.toThrow("sold_out category A");
    expect(
      await env.TENANT_ACME.prepare("SELECT status FROM bookings WHERE id = ?").bind(hold.id).first("status"),
    ).toBe("pending_confirmation");
  });

  test("keeps the stock of a confirmed hold permanently", async () => {
    const hold = await write(all, { status: "pending_confirmation", expiresAt: 2000, at: 1000 });
    await setStatus(hold.id, "confirmed", 1500);
    expect((await write(item, { at: 9_000_000 })).accepted).toBe(false);
    const { results } = await env.TENANT_ACME.prepare("SELECT quantity, expires_at FROM stock_allocations").all();
    expect(results).toEqual([{ quantity: 3, expires_at: null }]);
  });

  test("allocates no stock for bookings inserted as completed or cancelled", async () => {
    await write(all, { status: "done" });
    await write(all, { status: "cancelled" });
    expect((await write(all)).accepted).toBe(true);
  });

  test("rejects updates of existing stock allocations in the database", async () => {
    await write(all);
    await expect(env.TENANT_ACME.prepare("UPDATE stock_allocations SET quantity = 1").run()).rejects.toThrow(
      "stock_allocations_are_replaced",
    );
  });

  test.each([
    [
      "a vehicle in the workshop during the rental",
      `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-1', 'workshop', ${START + 60}, ${START + 120})`,
      false,
    ],
    [
      "a vehicle in the workshop until the pickup",
      `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-1', 'workshop', ${START - 60}, ${START})`,
      true,
    ],
    [
      "a vehicle sold before the pickup",
      "UPDATE vehicles SET sold_release_date = '2000-01-01' WHERE reference = 'A-1'",
      false,
    ],
    ["a vehicle at another branch group", "UPDATE vehicles SET branch_group_id = 2 WHERE reference = 'A-1'", false],
    ["a vehicle that is not active", "UPDATE vehicles SET active = 0 WHERE reference = 'A-1'", false],
    ["a vehicle that cannot be assigned", "UPDATE vehicles SET assignable = 0 WHERE reference = 'A-1'", false],
  ])("checks in the database whether stock suffices with %s", async (_, change, accepted) => {
    await env.TENANT_ACME.prepare(change).run();
    expect((await write(all)).accepted).toBe(accepted);
  });
});

describe("a booking", () => {
  // Proves "rules.md and conventions.md: the agency interface": The status moves forward only
  // Proves "rules.md: quotes, counts and agreements": The statuses of a booking, forward only
  test.each([
    ["pending_confirmation", "in_progress"],
    ["pending_confirmation", "done"],
    ["confirmed", "done"],
    ["confirmed", "pending_confirmation"],
    ["in_progress", "cancelled"],
    ["in_progress", "confirmed"],
    ["done", "cancelled"],
    ["done", "confirmed"],
    ["cancelled", "confirmed"],
    ["cancelled", "in_progress"],
  ])("rejects a booking's status change from %s to %s", async (from, to) => {
    const { id } = await write({ startsAt: START, hours: 24, quantity: 1 }, { status: from });
    await expect(setStatus(id, to)).rejects.toThrow("booking_transition");
  });

  test("rejects a total of a booking or a line that isn't the sum of its parts", async () => {
    const { id } = await write({ startsAt: START, hours: 24, quantity: 1 });
    await expect(
      env.TENANT_ACME.prepare("UPDATE bookings SET total_cents = 1 WHERE id = ?").bind(id).run(),
    ).rejects.toThrow("CHECK");
    await expect(env.TENANT_ACME.prepare("UPDATE booking_lines SET item_cents = 1").run()).rejects.toThrow("CHECK");
  });
});

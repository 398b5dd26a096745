import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertRental, type NewRental } from "#support/rentals.ts";
import { reallocateStockStatement } from "#worker/store/bookings/reallocation.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";

const db = openDatabase(env.TENANT_ACME, createUsageMeter());

beforeEach(async () => {
  await setUpCompany();
});

const days = (from: string, to: string, changes: Partial<NewRental> = {}) =>
  insertRental({ from: `${from} 10:00`, to: `${to} 10:00`, category: "C", ...changes });

function change(id: number, statement: string) {
  const reallocation = reallocateStockStatement(db, id, 1000).toSQL();
  return env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(statement.replaceAll("$id", String(id))),
    env.TENANT_ACME.prepare(reallocation.sql).bind(...reallocation.params),
  ]);
}

function listAllocations(id: number) {
  return env.TENANT_ACME.prepare(
    "SELECT kind, code, quantity, (ends_at - starts_at) / 60 AS hours FROM stock_allocations WHERE booking_id = ? ORDER BY kind, code",
  )
    .bind(id)
    .all()
    .then(({ results }) => results);
}

describe("a booking that changes", () => {
  // Proves "rules.md and conventions.md: the agency interface": A changed booking writes its units again
  test("allocates a changed booking's new units and extras, and releases the old ones", async () => {
    const id = await days("2031-03-01", "2031-03-05", { extras: { SEAT: 2 } });
    await change(id, "UPDATE bookings SET date_to = '2031-03-03' WHERE id = $id");
    await change(id, "DELETE FROM booking_extras WHERE booking_id = $id");
    await change(id, "UPDATE booking_lines SET category_code = 'B' WHERE booking_id = $id");
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "B", quantity: 1, hours: 49 }]);
    await expect(days("2031-03-01", "2031-03-05")).resolves.toBeGreaterThan(id);
  });

  // Proves "rules.md and conventions.md: the agency interface": The increase passes the guard
  test("checks a booking that needs more stock by the guard, and changes nothing if it is rejected", async () => {
    const id = await days("2031-03-01", "2031-03-05");
    await days("2031-03-06", "2031-03-08");
    await expect(change(id, "UPDATE bookings SET date_to = '2031-03-07' WHERE id = $id")).rejects.toThrow(
      "sold_out category C",
    );
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 97 }]);
    await change(id, "UPDATE bookings SET date_to = '2031-03-06', time_to = '09:00' WHERE id = $id");
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 120 }]);
  });

  test("keeps a booking's units although the stock shrank, and allows only changes without additional units", async () => {
    const id = await days("2031-03-01", "2031-03-05");
    await env.TENANT_ACME.prepare("UPDATE vehicles SET active = 0 WHERE reference = 'C-1'").run();
    await change(id, "UPDATE bookings SET comments = 'late' WHERE id = $id");
    await change(id, "UPDATE bookings SET date_to = '2031-03-04' WHERE id = $id");
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 73 }]);
    await expect(change(id, "UPDATE bookings SET date_to = '2031-03-06' WHERE id = $id")).rejects.toThrow(
      "sold_out category C",
    );
  });

  test("releases the units of an expired hold", async () => {
    const id = await days("2031-03-01", "2031-03-05", { status: "pending_confirmation", expiresAt: 900, at: 1 });
    await days("2031-03-01", "2031-03-05", { at: 1000 });
    await expect(db.batch([reallocateStockStatement(db, id, 1000)])).rejects.toThrow("sold_out category C");
  });

  test("allocates no stock to completed and cancelled bookings", async () => {
    for (const status of ["done", "cancelled"]) {
      const id = await days("2031-03-01", "2031-03-05", { status });
      await db.batch([reallocateStockStatement(db, id, 1000)]);
      expect([status, await listAllocations(id)]).toEqual([status, []]);
    }
  });
});

describe("a contract", () => {
  const status = (id: number, to: string) =>
    env.TENANT_ACME.prepare("UPDATE bookings SET status = ?, last_update = 1000 WHERE id = ?").bind(to, id).run();
  const collect = (id: number, unit: number, at: number | null) =>
    env.TENANT_ACME.prepare(
      "UPDATE booking_units SET collected_at = ? WHERE id = (SELECT id FROM booking_units WHERE booking_id = ? ORDER BY id LIMIT 1 OFFSET ?)",
    )
      .bind(at, id, unit)
      .run();

  test("releases each unit when it is returned, and occupies it again if the return is undone", async () => {
    const id = await days("2031-03-01", "2031-03-05", { category: "A", quantity: 3 });
    await status(id, "in_progress");
    await collect(id, 0, 5);
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "A", quantity: 2, hours: 97 }]);
    await collect(id, 1, 5);
    await collect(id, 1, null);
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "A", quantity: 2, hours: 97 }]);
  });

  test("allocates a reopened contract's units again, and rejects the reopening if they are sold", async () => {
    const id = await days("2031-03-01", "2031-03-05");
    await status(id, "in_progress");
    await status(id, "done");
    expect(await listAllocations(id)).toEqual([]);
    await status(id, "in_progress");
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 97 }]);
    await status(id, "done");
    await days("2031-03-02", "2031-03-03");
    await expect(status(id, "in_progress")).rejects.toThrow("sold_out category C");
  });

  test("allocates a contract reopened after its period without checking the past stock", async () => {
    const id = await days("2026-03-01", "2026-03-05");
    await status(id, "in_progress");
    await status(id, "done");
    await days("2026-03-02", "2026-03-03");
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress', last_update = ? WHERE id = ?")
      .bind(Date.UTC(2026, 5, 1), id)
      .run();
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 97 }]);
  });

  test("revives an expired hold if its units are free, but never a booking a user cancelled", async () => {
    const id = await days("2031-03-01", "2031-03-05", { status: "pending_confirmation", expiresAt: 5000 });
    const insertEvent = (event: string) =>
      env.TENANT_ACME.prepare("INSERT INTO booking_history (booking_id, at, actor, event) VALUES (?, 1, 'system', ?)")
        .bind(id, event)
        .run();
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled', expires_at = NULL WHERE id = ?")
      .bind(id)
      .run();
    await insertEvent("expired");
    await status(id, "confirmed");
    expect(await listAllocations(id)).toEqual([{ kind: "category", code: "C", quantity: 1, hours: 97 }]);
    await status(id, "cancelled");
    const other = await days("2031-03-02", "2031-03-03");
    await expect(status(id, "confirmed")).rejects.toThrow("sold_out category C");
    await status(other, "cancelled");
    await insertEvent("cancelled");
    await expect(status(id, "confirmed")).rejects.toThrow("booking_transition");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const TRANSFERS = "0014_transfers.sql";

function anAccountBeforeTransfers(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec("PRAGMA foreign_keys = on");
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql") && name < TRANSFERS);
  for (const file of files.sort()) db.exec(readFileSync(`migrations/${file}`, "utf8"));
  db.exec(`
    INSERT INTO branch_groups (id, name, timezone, created_at, last_update) VALUES (1, 'North', 'Europe/Madrid', 1, 1);
    INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update)
      VALUES ('AIR', 1, 'Airport', 'airport', 'Europe/Madrid', 'EUR', 1, 1);
    INSERT INTO categories (code, name, position, vat_basis_points, created_at, last_update) VALUES ('A', 'Small', 1, 2100, 1, 1);
    INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
      VALUES ('A-1', 'A 1', 'A', 1, 1, 'AIR', 1, 1);
  `);
  return db;
}

function book(db: DatabaseSync, id: number): void {
  db.exec(`
    INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
      branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
    VALUES (${id}, 'f${id}', 'confirmed', 'staff', '2030-06-01', '10:00', '2030-06-03', '10:00', 2, 'Airport', 'Airport',
      'AIR', 'AIR', 1, 'Ana', 'en', 9000, 9000, 1, 1);
    INSERT INTO booking_lines (booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
    VALUES (${id}, 'A', 'Small', 1, 9000, 9000, 9000, 2100);
  `);
}

test("an account that has bookings learns transfers and keeps what is taken, guarded as before", () => {
  const db = anAccountBeforeTransfers();
  book(db, 1);
  const before = db.prepare("SELECT * FROM stock_allocations").all();
  expect(before).toHaveLength(1);
  db.exec(readFileSync(`migrations/${TRANSFERS}`, "utf8"));
  expect(db.prepare("SELECT * FROM stock_allocations").all()).toEqual(before);
  expect(db.prepare("SELECT kind FROM bookings").all()).toEqual([{ kind: "rental" }]);
  expect(() => book(db, 2)).toThrow("sold_out category A");
  db.exec("UPDATE bookings SET status = 'cancelled' WHERE id = 1");
  expect(db.prepare("SELECT * FROM stock_allocations").all()).toEqual([]);
  expect(db.prepare("SELECT total FROM list_totals WHERE list = 'bookings'").all()).toEqual([{ total: 2 }]);
  expect(() => db.exec("UPDATE bookings SET kind = 'transfer' WHERE id = 1")).toThrow("booking_kind");
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../../migrations");
const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
/** Last migration of version 1.0.0. Later ones run on accounts that are in use. */
const LAST_INITIAL_MIGRATION = "0015_generated_triggers.sql";

// A company during the day: a current rental with its users.
const WORK = `
INSERT INTO settings (id, account_name, country_code, currency, timezone, languages, default_language) VALUES (1, 'Acme', 'ES', 'EUR', 'Europe/Madrid', '["es"]', 'es');
INSERT INTO branch_groups (id, name, timezone, created_at, last_update) VALUES (1, 'Island', 'Europe/Madrid', 0, 0);
INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update) VALUES ('AIR', 1, 'Airport', 'airport', 'Europe/Madrid', 'EUR', 0, 0);
INSERT INTO categories (code, name, vat_basis_points, created_at, last_update) VALUES ('A', 'Small', 2100, 0, 0);
INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
VALUES ('A-1', 'Car', 'A', 1, 1, 'AIR', 0, 0), ('A-2', 'Car', 'A', 1, 1, 'AIR', 0, 0);
INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', 10, 20);
INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
VALUES (3, 'staff', 'field', 'field@b.es', 'Field', 'x', 'operator', 0, 0, 0);
INSERT INTO user_branches (user_id, branch_code) VALUES (3, 'AIR');
INSERT INTO user_sessions (id, user_id, created_at, expires_at) VALUES ('session', 3, 0, 99);
INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES ('reset', 3, 99);
INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
  branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
VALUES (7, 'seven', 'confirmed', 'staff', '2030-05-03', '10:00', '2030-05-05', '10:00', 2, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, 0, 0);
INSERT INTO booking_lines (id, booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
VALUES (70, 7, 'A', 'Small', 1, 0, 0, 0, 2100);
INSERT INTO booking_units (id, booking_line_id, booking_id, vehicle_reference) VALUES (700, 70, 7, 'A-1');
INSERT INTO booking_history (booking_id, at, actor, event) VALUES (7, 0, 'staff:3', 'created');
UPDATE bookings SET status = 'in_progress' WHERE id = 7;
UPDATE booking_units SET delivered_at = 5 WHERE id = 700;
INSERT INTO check_in_operations (op_id, booking_id, unit_id, kind, state, code, message, fingerprint, operation, version, author, user_id, device_id, seq, recorded_at, received_at)
VALUES ('00000000-0000-0000-0000-000000000001', 7, 700, 'delivery', 'applied', 'ok', '', 'f', '{}', 1, 'field', 3, 'phone', 1, 0, 0);
INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at)
VALUES (7, '${"a".repeat(64)}', 'image/jpeg', 1, 1, 1, 3, 0);
INSERT INTO check_in_operation_files (op_id, position, booking_id, hash, view)
VALUES ('00000000-0000-0000-0000-000000000001', 0, 7, '${"a".repeat(64)}', 'front');
INSERT INTO vehicle_damages (damage_id, vehicle_reference, part, kind, severity, x, y, booking_id, op_id, since)
VALUES ('scratch', 'A-1', 'door', 'scratch', 'light', 1, 1, 7, '00000000-0000-0000-0000-000000000001', '2030-05-03');
`;

function apply(database: DatabaseSync, names: readonly string[]): void {
  for (const name of names) database.exec(`BEGIN;\n${readFileSync(join(FOLDER, name), "utf8")}\nCOMMIT;`);
}

function listTables(database: DatabaseSync): readonly string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
}

const countRows = (database: DatabaseSync, table: string) =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);

const first = MIGRATIONS.filter((name) => name <= LAST_INITIAL_MIGRATION);
const later = MIGRATIONS.filter((name) => name > LAST_INITIAL_MIGRATION);

test("migrates an account in use without losing rows or breaking references", () => {
  const database = new DatabaseSync(":memory:");
  apply(database, first);
  database.exec(WORK);
  const before = new Map(listTables(database).map((table) => [table, countRows(database, table)]));
  apply(database, later);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  const after = listTables(database);
  const preservedTables = [
    "users",
    "user_branches",
    "user_sessions",
    "password_resets",
    "bookings",
    "booking_units",
    "vehicles",
  ];
  const work = [
    "vehicle_blocks",
    "booking_history",
    "stock_allocations",
    "check_in_operations",
    "check_in_operation_files",
    "check_in_files",
  ];
  for (const table of [...preservedTables, ...work, "check_in_devices", "vehicle_damages"])
    expect([table, countRows(database, table)]).toEqual([table, before.get(table)]);
  expect(after.filter((name) => /_(before|put_aside|made_anew)$/.test(name))).toEqual([]);
  database.close();
});

/** Lists the stock allocations of each booking, from the table or from the view that derives them from bookings. */
const listAllocations = (database: DatabaseSync, source: "stock_allocations" | "booking_allocations") =>
  database
    .prepare(`SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity) AS quantity
      FROM ${source} WHERE quantity <> 0 GROUP BY booking_id, kind, code, branch_group_id, starts_at, ends_at ORDER BY booking_id, starts_at`)
    .all();

test("migrates stock allocations so that they match the bookings", () => {
  const database = new DatabaseSync(":memory:");
  apply(database, first);
  database.exec(`${WORK}
    INSERT INTO transfer_zones (id, name) VALUES (1, 'Island');
    INSERT INTO transfer_points (id, zone_id, name, point_type) VALUES (1, 1, 'Airport', 'airport'), (2, 1, 'Hotel', 'location');
    INSERT INTO transfer_vehicles (id, name, branch_code, seats, units, vat_basis_points) VALUES (1, 'Minibus', 'AIR', 8, 2, 1000);
    INSERT INTO bookings (id, kind, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
      branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
    VALUES (8, 'transfer', 'eight', 'confirmed', 'staff', '2026-01-03', '10:00', '2026-01-03', '11:00', 1, '', '', 'AIR', 'AIR', 1, 'Eva', 'es', 0, 0, 0, 0);
    INSERT INTO transfer_bookings (booking_id, transfer_vehicle_id, vehicle_name, adults, children, infants, vat_basis_points) VALUES (8, 1, 'Minibus', 2, 0, 0, 1000);
    INSERT INTO transfer_trips (booking_id, position, date, time, origin_point_id, destination_point_id, origin_name, destination_name, minutes, price_cents)
    VALUES (8, 1, '2026-01-03', '10:00', 1, 2, '', '', 60, 0);
    `);
  apply(database, later);
  expect(listAllocations(database, "stock_allocations")).toEqual(listAllocations(database, "booking_allocations"));
  expect(listAllocations(database, "stock_allocations").map(({ booking_id: id, kind }) => [id, kind])).toEqual([
    [7, "category"],
    [8, "transfer"],
  ]);
  database.close();
});

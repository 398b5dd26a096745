import { DatabaseSync } from "node:sqlite";
import { findAccountFile } from "#tools/platform/database-files.ts";

const FAULTS: Readonly<Record<string, readonly string[]>> = {
  lost: [
    "PRAGMA foreign_keys = off",
    "DELETE FROM bookings WHERE id = (SELECT max(id) FROM bookings WHERE agency_reservation_id LIKE 'chaos-%')",
  ],
  oversold: [
    "DROP TRIGGER stock_allocations_update_prevent",
    "UPDATE stock_allocations SET quantity = quantity + 500 WHERE id = (SELECT max(id) FROM stock_allocations WHERE kind = 'category')",
  ],
  sums: ["UPDATE bookings SET total_paid_cents = total_paid_cents + 100 WHERE id = (SELECT max(id) FROM bookings)"],
};

/** Injects a violation manually to test that the audit finds it. */
export function injectFault(stateDir: string, name: string): void {
  const statements = FAULTS[name];
  if (!statements) throw new Error(`--fault takes ${Object.keys(FAULTS).join(", ")}`);
  const database = new DatabaseSync(findAccountFile(stateDir, "acme"));
  for (const statement of statements) database.exec(statement);
  database.close();
}

import { expect, test } from "vitest";
import { checkBookings } from "#scripts/chaos/acknowledged.ts";
import { newHistory } from "#scripts/chaos/history.ts";
import { checkLaws, checkSteps, checkStock, lawsBrokenBefore } from "#scripts/chaos/invariants.ts";
import type { Rows } from "#scripts/chaos/state.ts";
import { filledDemo } from "#support/demo-data.ts";

// The naive twins of `npm run chaos`: a look that finds nothing wrong here would be blind.

const NOTHING = { acme: 0, globex: 0 };

async function someBooking() {
  const { rows } = await filledDemo("globex");
  const [row] = rows<{ id: number; status: string; reference: string; key: string; surname: string }>(
    `SELECT bookings.id, bookings.status, agency_reservation_id AS reference, api_key AS key FROM bookings JOIN partner_keys USING (agency_id)
      WHERE scope_ota = 1 AND bookings.status = 'confirmed' ORDER BY bookings.id DESC LIMIT 1`,
  );
  if (!row) throw new Error("the demo has no booking of an agency");
  rows("UPDATE bookings SET agency_reservation_id = 'chaos-1' WHERE id = ?", row.id);
  const history = newHistory();
  history.agencyBookings.set(`${row.key}/chaos-1`, { account: "globex", state: "booked" });
  const none: Rows = () => [];
  const look = (other: Rows = none) =>
    checkBookings({ acme: other, globex: rows }, { lastBooking: { ...NOTHING, globex: row.id - 1 } }, history);
  return { rows, row, history, look };
}

test("an acknowledged booking that is there once is no violation, and its loss is", async () => {
  const { rows, row, look } = await someBooking();
  expect(look()).toEqual([]);
  rows("UPDATE bookings SET agency_reservation_id = 'elsewhere' WHERE id = ?", row.id);
  expect(look()).toMatchObject([{ check: "everything acknowledged is there" }]);
});

test("an acknowledged booking that is kept as cancelled is lost", async () => {
  const { rows, row, look } = await someBooking();
  rows("UPDATE bookings SET status = 'cancelled' WHERE id = ?", row.id);
  expect(look()).toMatchObject([{ check: "everything acknowledged is there" }]);
});

test("a booking that was refused, or that nobody asked for, must not be there", async () => {
  const { history, look } = await someBooking();
  const [name = ""] = history.agencyBookings.keys();
  history.agencyBookings.set(name, { account: "globex", state: "refused" });
  expect(look()).toHaveLength(1);
  history.agencyBookings.clear();
  expect(look()).toMatchObject([{ check: "nothing is there that nobody asked for" }]);
});

test("the same booking in two accounts is found", async () => {
  const { rows, look } = await someBooking();
  const checks = look(rows).map(({ check }) => check);
  expect(checks).toContain("nothing is double");
});

test("a take beyond the stock is found, whatever wrote it", async () => {
  const { rows } = await filledDemo("globex");
  expect(checkStock("globex", rows)).toEqual([]);
  rows("DROP TRIGGER takes_are_replaced_not_changed");
  rows("UPDATE takes SET quantity = quantity + 500 WHERE id = (SELECT max(id) FROM takes WHERE kind = 'category')");
  expect(checkStock("globex", rows)).toMatchObject([{ check: "no unit is oversold" }]);
});

test("a sum that is wrong by a cent and a step that is told twice are found", async () => {
  const { rows } = await filledDemo("globex");
  const before = lawsBrokenBefore(rows);
  expect(checkLaws("globex", rows, before)).toEqual([]);
  rows("UPDATE bookings SET total_paid_cents = total_paid_cents + 1 WHERE id = (SELECT max(id) FROM bookings)");
  expect(checkLaws("globex", rows, before)).not.toEqual([]);
  expect(checkSteps("globex", rows)).toEqual([]);
  rows(`INSERT INTO booking_history (booking_id, at, event, actor)
    SELECT booking_id, at, event, actor FROM booking_history WHERE event = 'created' LIMIT 1`);
  expect(checkSteps("globex", rows)).toMatchObject([{ check: "each step happens once" }]);
});

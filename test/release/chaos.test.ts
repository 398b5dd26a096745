import { expect, test } from "vitest";
import { DEMO_TIME, openCopiedDemo } from "#support/demo-data.ts";
import { demoInvariants } from "#support/demo-invariants.ts";
import { ACCOUNT_INVARIANTS, replacedInvariantReasons } from "#tools/chaos/audit/account-invariants.ts";
import { checkBookings } from "#tools/chaos/audit/bookings.ts";
import { checkCheckInOperations } from "#tools/chaos/audit/check-in-operations.ts";
import { checkCustomers } from "#tools/chaos/audit/customers.ts";
import { checkDeskRequests } from "#tools/chaos/audit/desk.ts";
import { checkInvariants, checkStock, findInitialViolations } from "#tools/chaos/audit/invariants.ts";
import { createHistory } from "#tools/chaos/history.ts";
import type { Rows } from "#tools/platform/database-files.ts";

// Negative tests of `npm run chaos`: each check must find the fault injected here.

const NOTHING = { acme: 0, globex: 0 };

async function openDemoWithBooking() {
  const { rows } = await openCopiedDemo("globex");
  const [row] = rows<{ id: number; status: string; reference: string; key: string; surname: string }>(
    `SELECT bookings.id, bookings.status, agency_reservation_id AS reference, api_key AS key FROM bookings JOIN partner_keys USING (agency_id)
      WHERE scope_ota = 1 AND bookings.status = 'confirmed' ORDER BY bookings.id DESC LIMIT 1`,
  );
  if (!row) throw new Error("the demo has no booking of an agency");
  rows("UPDATE bookings SET agency_reservation_id = 'chaos-1' WHERE id = ?", row.id);
  const history = createHistory();
  history.agencyBookings.set(`${row.key}/chaos-1`, { account: "globex", state: "booked" });
  const none: Rows = () => [];
  const checkRows = (other: Rows = none) =>
    checkBookings({ acme: other, globex: rows }, { lastBooking: { ...NOTHING, globex: row.id - 1 } }, history);
  return { rows, row, history, look: checkRows };
}

test("accepts an acknowledged booking that exists once, and detects its loss", async () => {
  const { rows, row, look } = await openDemoWithBooking();
  expect(look()).toEqual([]);
  rows("UPDATE bookings SET agency_reservation_id = 'elsewhere' WHERE id = ?", row.id);
  expect(look()).toMatchObject([{ check: "all confirmed records exist" }]);
});

test("reports an acknowledged booking that is stored as cancelled as lost", async () => {
  const { rows, row, look } = await openDemoWithBooking();
  rows("UPDATE bookings SET status = 'cancelled' WHERE id = ?", row.id);
  expect(look()).toMatchObject([{ check: "all confirmed records exist" }]);
});

test("detects a rejected or unrequested booking that exists", async () => {
  const { history, look } = await openDemoWithBooking();
  const [name = ""] = history.agencyBookings.keys();
  history.agencyBookings.set(name, { account: "globex", state: "refused" });
  expect(look()).toHaveLength(1);
  history.agencyBookings.clear();
  expect(look()).toMatchObject([{ check: "no record is unexpected" }]);
});

test("detects the same booking in two accounts", async () => {
  const { rows, look } = await openDemoWithBooking();
  const checks = look(rows).map(({ check }) => check);
  expect(checks).toContain("no record is duplicated");
});

test("detects allocations beyond the stock, whatever wrote them", async () => {
  const { rows } = await openCopiedDemo("globex");
  expect(checkStock("globex", rows)).toEqual([]);
  rows("DROP TRIGGER stock_allocations_update_prevent");
  rows(
    "UPDATE stock_allocations SET quantity = quantity + 500 WHERE id = (SELECT max(id) FROM stock_allocations WHERE kind = 'category')",
  );
  expect(checkStock("globex", rows)).toMatchObject([{ check: "no unit is oversold" }]);
});

test("counts a vehicle that is away as missing stock, unless it went out as a substitute after the sale", async () => {
  const { rows } = await openCopiedDemo("globex");
  const [take] = rows<{ code: string; storage: number; startsAt: number; endsAt: number; allocatedAt: number }>(
    `SELECT code, branch_group_id AS storage, starts_at AS startsAt, ends_at AS endsAt, (SELECT max(allocated_at) FROM stock_allocations) AS allocatedAt FROM stock_allocations
      WHERE kind = 'category' AND NOT substitute AND quantity > 0 ORDER BY id DESC LIMIT 1`,
  );
  const [done] = rows<{ bookingId: number; lineId: number }>(
    `SELECT unit.booking_id AS bookingId, booking_line_id AS lineId FROM booking_units AS unit
      JOIN bookings ON bookings.id = unit.booking_id WHERE bookings.status = 'done' ORDER BY unit.id DESC LIMIT 1`,
  );
  if (!take || !done) throw new Error("the demo has sold nothing");
  const { code, storage, startsAt, endsAt, allocatedAt } = take;
  const inStock = "FROM vehicles WHERE category_code = ? AND branch_group_id = ?";
  rows(
    `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) SELECT reference, 'away', ?, ? ${inStock}`,
    ...[startsAt, endsAt, code, storage],
  );
  const oversold = () => checkStock("globex", rows).length;
  const all = oversold();
  expect(all).toBeGreaterThan(0);
  // Records that one contract returned all these vehicles.
  for (const { reference } of rows<{ reference: string }>(`SELECT reference ${inStock}`, code, storage)) {
    rows(
      `INSERT INTO booking_units (booking_id, booking_line_id, vehicle_reference, delivered_at, collected_at) VALUES (?, ?, ?, 0, ?)`,
      ...[done.bookingId, done.lineId, reference, startsAt * 60_000],
    );
    rows(
      `INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (?, ?, 'staff:1', 'collected', json_object('unit_id', (SELECT max(id) FROM booking_units)))`,
      ...[done.bookingId, allocatedAt + 1],
    );
  }
  rows("UPDATE booking_lines SET category_code = ? WHERE id = ?", code, done.lineId);
  expect(oversold()).toBe(all);
  rows(
    "UPDATE booking_lines SET category_code = (SELECT min(code) FROM categories WHERE code <> ?) WHERE id = ?",
    code,
    done.lineId,
  );
  expect(oversold()).toBe(0);
});

test.each(["acme", "globex"] as const)(
  "satisfies every invariant of the load test in the unchanged demo account %s",
  async (account) => {
    const { rows } = await openCopiedDemo(account);
    expect([...findInitialViolations(rows, DEMO_TIME)]).toEqual([]);
  },
);

test("reuses the invariants of the demo accounts, replaces only existing ones, and adds more", () => {
  expect(Object.keys(demoInvariants)).toEqual(expect.arrayContaining(Object.keys(replacedInvariantReasons)));
  expect(Object.keys(ACCOUNT_INVARIANTS).length).toBeGreaterThan(Object.keys(demoInvariants).length);
});

// Statements that violate each invariant that replaces one of the demo's.
const units = "(SELECT id FROM booking_units WHERE collected_at IS NULL AND delivered_at IS NOT NULL ORDER BY id";
const breaks: Readonly<Record<string, readonly string[]>> = {
  "no vehicle is on two rentals at once": [
    "DROP TRIGGER booking_units_update_prevent_double_delivery",
    `UPDATE booking_units SET vehicle_reference = (SELECT vehicle_reference FROM booking_units WHERE id = ${units} LIMIT 1))
      WHERE id = ${units} LIMIT 1 OFFSET 1)`,
  ],
  "no vehicle is assigned to two rentals at once": [
    "DROP TRIGGER IF EXISTS booking_units_update_prevent_double_assignment",
    `UPDATE booking_units SET vehicle_reference = (SELECT max(reference) FROM vehicles)
      WHERE booking_id IN (SELECT id FROM bookings WHERE status = 'confirmed')`,
  ],
  "no vehicle on rent is inactive or sold": [
    `UPDATE vehicles SET active = 0 WHERE reference = (SELECT vehicle_reference FROM booking_units WHERE id = ${units} LIMIT 1))`,
  ],
  "vehicles on rent or assigned are of the booked category and the pickup's branch group": [
    `UPDATE vehicles SET category_code = (SELECT code FROM categories WHERE code <> vehicles.category_code LIMIT 1)
      WHERE reference = (SELECT vehicle_reference FROM booking_units WHERE id = ${units} LIMIT 1))`,
  ],
  "a vehicle has the last recorded reading": [
    `UPDATE vehicles SET usage_units = usage_units - 1 WHERE reference = (SELECT vehicle_reference FROM booking_units WHERE id = ${units} LIMIT 1))`,
  ],
  "the status matches the delivered and returned units": [
    `UPDATE booking_units SET delivered_at = NULL WHERE id = ${units} LIMIT 1)`,
  ],
  "delivered units have a vehicle and readings, and return after their delivery": [
    `UPDATE booking_units SET delivery_fuel = NULL WHERE id = ${units} LIMIT 1)`,
  ],
  "last_update of a contract isn't older than its history": [
    "UPDATE booking_history SET at = at + 3600000 WHERE id = (SELECT max(id) FROM booking_history)",
  ],
  "each unit is delivered once, and returned once more for each reopening": [
    "INSERT INTO booking_history (booking_id, at, event, actor) SELECT booking_id, at, event, actor FROM booking_history WHERE event = 'collected' LIMIT 1",
  ],
  "the history contains each exchanged vehicle once": [
    `INSERT INTO booking_history (booking_id, at, event, actor, detail) SELECT booking_id, at, 'exchanged', actor, '{}' FROM booking_history WHERE event = 'delivered' LIMIT 1`,
  ],
  "each reservation and each vehicle is reported to the ministry once": [
    `INSERT INTO ministry_reports (booking_id, kind, state, xml, fingerprint, created_at)
      SELECT max(id), 'RV', 'waiting', '<x/>', 'one', 0 FROM bookings UNION ALL SELECT max(id), 'RV', 'accepted', '<x/>', 'two', 0 FROM bookings`,
  ],
  "only delivered vehicles are reported to the ministry": [
    `INSERT INTO ministry_reports (booking_id, kind, unit_id, state, xml, fingerprint, created_at)
      SELECT booking_id, 'AV', id, 'waiting', '<x/>', 'one', 0 FROM booking_units WHERE delivered_at IS NULL LIMIT 1`,
  ],
  "allocations match the open bookings, including extras sold at the delivery": [
    "DELETE FROM stock_allocations WHERE id = (SELECT max(id) FROM stock_allocations WHERE kind <> 'transfer')",
  ],
  "pending bookings have an expiry, and unpaid holds end within a minute after it": [
    "UPDATE bookings SET expires_at = 1 WHERE id = (SELECT max(id) FROM bookings WHERE status = 'pending_confirmation' AND total_paid_cents = 0)",
  ],
  "no paid booking expires": [
    "INSERT INTO booking_history (booking_id, at, event, actor) SELECT booking_id, at, 'expired', 'system' FROM booking_history WHERE event = 'paid' LIMIT 1",
  ],
  "credit notes don't exceed their invoice": [
    "DROP TRIGGER documents_update_prevent_issued",
    "UPDATE documents SET total_cents = 2 * total_cents, subtotal_cents = 2 * subtotal_cents, total_without_taxes_cents = 2 * total_without_taxes_cents, taxes_cents = 2 * taxes_cents WHERE id = (SELECT max(id) FROM documents WHERE corrects_document_id IS NOT NULL)",
  ],
  "the history contains each operation once": [
    `INSERT INTO booking_history (booking_id, at, event, actor, detail) SELECT id, created_at, 'changed', 'staff:1', '{"op_id":"1"}' FROM bookings LIMIT 2`,
  ],
  "a unit has the readings of its delivery and return": [
    `INSERT INTO booking_history (booking_id, at, event, actor, detail) SELECT booking_id, 0, 'delivered', 'staff:1',
      json_object('op_id', '1', 'kind', 'delivery', 'unit_id', id, 'vehicle', vehicle_reference, 'kilometres', delivery_usage_units + 1)
      FROM booking_units WHERE delivered_at IS NOT NULL LIMIT 1`,
  ],
  "the documents of a rental don't exceed its price": [
    "DROP TRIGGER documents_update_prevent_issued",
    "UPDATE documents SET total_cents = total_cents + 1, subtotal_cents = subtotal_cents + 1, total_without_taxes_cents = total_without_taxes_cents + 1 WHERE id = (SELECT max(documents.id) FROM documents JOIN bookings ON bookings.id = booking_id WHERE status = 'done' AND invoice_status = 'invoice' AND bookings.total_cents = documents.total_cents)",
  ],
};

test.each(Object.entries(breaks))("detects that stored data breaks the invariant %s", async (invariant, statements) => {
  const { rows } = await openCopiedDemo("acme");
  for (const statement of statements) rows(statement);
  const checks = checkInvariants("acme", rows, new Set(), DEMO_TIME).map(({ check }) => check);
  expect(checks).toContain(`invariant: ${invariant}`);
});

test("reports a paid total that is off by one cent and a history event that exists twice", async () => {
  const { rows } = await openCopiedDemo("globex");
  const before = findInitialViolations(rows, DEMO_TIME);
  expect(checkInvariants("globex", rows, before, DEMO_TIME)).toEqual([]);
  rows("UPDATE bookings SET total_paid_cents = total_paid_cents + 1 WHERE id = (SELECT max(id) FROM bookings)");
  expect(checkInvariants("globex", rows, before, DEMO_TIME)).not.toEqual([]);
  rows(`INSERT INTO booking_history (booking_id, at, event, actor)
    SELECT booking_id, at, event, actor FROM booking_history WHERE event = 'created' LIMIT 1`);
  const checks = checkInvariants("globex", rows, before, DEMO_TIME).map(({ check }) => check);
  expect(checks).toContain("invariant: the history contains each status change of a contract once");
});

const noRows: Rows = () => [];

async function openDemoWithCharge() {
  const { rows } = await openCopiedDemo("globex");
  const [booking] = rows<{ id: number }>("SELECT max(id) AS id FROM bookings");
  rows("INSERT INTO document_requests VALUES ('request-1', 'content', 0)");
  rows(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update, uid)
    SELECT id, 'booking', 'charge', 'cash', 0, 1000, 'EUR', branch_code, 0, 0, 'request-1' FROM bookings WHERE id = (SELECT max(id) FROM bookings)`);
  const history = createHistory();
  const work = { account: "globex", what: "charge", bookingId: booking?.id ?? 0, kind: "charge", cents: 1000 } as const;
  history.desk.set("request-1", { ...work, state: "done" });
  const checkRows = (acme: Rows = noRows) =>
    checkDeskRequests({ acme, globex: rows }, history).map(({ check }) => check);
  return { rows, history, work, look: checkRows };
}

test("accepts a desk payment that exists once as requested, and detects its loss or another amount", async () => {
  const { rows, history, work, look } = await openDemoWithCharge();
  expect(look()).toEqual([]);
  history.desk.set("request-1", { ...work, state: "done", cents: 2000 });
  expect(look()).toEqual(["all confirmed records exist"]);
  history.desk.set("request-1", { ...work, state: "done" });
  rows("DROP TRIGGER charges_delete_prevent");
  rows("DELETE FROM charges WHERE uid = 'request-1'");
  expect(look()).toEqual(["all confirmed records exist"]);
});

test("detects a rejected or unrequested charge, and one in two accounts", async () => {
  const { rows, history, work, look } = await openDemoWithCharge();
  history.desk.set("request-1", { ...work, state: "refused" });
  expect(look()).toEqual(["nothing is there that was refused"]);
  history.desk.set("request-1", { ...work, state: "asked" });
  expect(look()).toEqual([]);
  expect(look(rows)).toContain("nothing of one account is in another");
  history.desk.clear();
  expect(look()).toContain("no record is unexpected");
});

test("accepts a gateway refund that exists once, unless its payment never arrived", async () => {
  const { rows } = await openCopiedDemo("globex");
  const bookingId = rows<{ id: number }>("SELECT max(id) AS id FROM bookings")[0]?.id ?? 0;
  const at = DEMO_TIME.getTime();
  rows(
    `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, state, created_at, expires_at, paid_at)
      SELECT '${"a".repeat(32)}', ?, method, 'total', '000000000001', 9000, 'EUR', 'paid', ?, ?, ? FROM payment_gateways LIMIT 1`,
    ...[bookingId, at, at + 1, at],
  );
  const history = createHistory();
  const checkRows = () => checkCheckInOperations({ acme: noRows, globex: rows }, history).map(({ check }) => check);
  const payment = { account: "globex", order: "000000000001", cents: 1000, acknowledged: true } as const;
  history.refunds.set("refund-1", payment);
  expect(checkRows()).toEqual(["all confirmed records exist"]);
  rows(
    `INSERT INTO payment_notifications (method, order_reference, kind, auth_code, intent_id, amount_cents, currency, outcome, received_at)
      SELECT method, order_reference, 'refunded', 'refund-1', id, 1000, 'EUR', 'waiting', ? FROM payment_intents`,
    at,
  );
  expect(checkRows()).toEqual([]);
  rows(
    `INSERT INTO payment_notifications (method, order_reference, kind, auth_code, intent_id, amount_cents, currency, outcome, received_at)
      SELECT method, order_reference, 'authorised', '123456', id, 9000, 'EUR', 'paid', ? FROM payment_intents`,
    at,
  );
  const take = (type: string, cents: number, operation: string) =>
    rows(
      `INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update, external_operation_number, origin)
        SELECT id, 'booking', ?, 'credit_card', 0, ?, 'EUR', branch_code, 0, 0, ?, 'web' FROM bookings WHERE id = ?`,
      ...[type, cents, operation, bookingId],
    );
  take("charge", 9000, "123456");
  history.payments.set("000000000001", { account: "globex", cents: 9000, acknowledged: true });
  expect(checkRows()).toEqual(["all confirmed records exist"]);
  take("payment", 1000, "refund-1");
  rows("UPDATE payment_intents SET refunded_cents = 1000");
  expect(checkRows()).toEqual([]);
  take("payment", 1000, "refund-1");
  expect(checkRows()).toEqual(["no record is duplicated"]);
});

test("reports a registered customer that is missing, and one that was never registered", async () => {
  const { rows } = await openCopiedDemo("globex");
  const history = createHistory();
  const checkRows = (acme: Rows, globex: Rows) => checkCustomers({ acme, globex }, history).map(({ check }) => check);
  history.customers.set("nobody@example.com", { account: "globex", state: "registered" });
  const { rows: other } = await openCopiedDemo("acme");
  expect(checkRows(other, rows)).toEqual(["customers are registered once"]);
  rows(
    "INSERT INTO customers (customer_type, name, email, created_at, last_update) VALUES ('individual', 'Ana', 'nobody@example.com', 0, 0)",
  );
  rows(`INSERT INTO users (kind, username, email, full_name, password_hash, role, customer_id, created_at, last_update)
    SELECT 'customer', email, email, name, '', 'customer', id, 0, 0 FROM customers WHERE email = 'nobody@example.com'`);
  expect(checkRows(other, rows)).toEqual([]);
  expect(checkRows(rows, rows)).toEqual(["nothing of one account is in another"]);
});

test("detects an extra that the cart acknowledged and the booking lacks", async () => {
  const { rows } = await openCopiedDemo("globex");
  const [row] = rows<{ id: number }>(
    "SELECT max(id) AS id FROM bookings WHERE status = 'confirmed' AND id NOT IN (SELECT booking_id FROM booking_extras)",
  );
  rows("UPDATE bookings SET cart_id = NULL");
  rows(
    "UPDATE bookings SET cart_id = 'cart-1', agency_id = NULL, agency_reservation_id = NULL WHERE id = ?",
    row?.id ?? 0,
  );
  const history = createHistory();
  const checkRows = () =>
    checkBookings({ acme: noRows, globex: rows }, { lastBooking: { acme: 0, globex: (row?.id ?? 0) - 1 } }, history);
  const booked = { account: "globex", kind: "rental", state: "booked" } as const;
  history.purchases.set("cart-1", { ...booked, extras: new Map() });
  expect(checkRows()).toEqual([]);
  history.purchases.set("cart-1", { ...booked, extras: new Map([["SEAT", 1]]) });
  expect(checkRows()).toMatchObject([{ check: "a booking is what its cart acknowledged" }]);
});

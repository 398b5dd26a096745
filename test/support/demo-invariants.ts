import type { SqliteD1 } from "./sqlite-d1.ts";

const PERIOD = `unixepoch(date_from || ' ' || time_from) / 60 AS starts_at,
  unixepoch(date_to || ' ' || time_to) / 60 + preparation_minutes AS ends_at`;

/** Invariants by name. Each query returns violations. */
export type QueriesByInvariant = Readonly<Record<string, string>>;

/** Invariants of a new demo company. */
export const demoInvariants: QueriesByInvariant = {
  "a booking costs what its lines cost": `SELECT booking.id FROM bookings AS booking JOIN (
      SELECT booking_id, sum(item_cents) AS item, sum(category_supplement_1_unit_cents * quantity) AS fuel,
        sum(category_supplement_2_unit_cents * quantity) AS second, sum(category_supplement_3_unit_cents * quantity) AS third,
        sum(product_deposit_unit_cents * quantity) AS deposit, sum(product_guarantee_unit_cents * quantity) AS guarantee
      FROM booking_lines GROUP BY 1) AS line ON line.booking_id = booking.id
    WHERE (item_cents, category_supplement_1_cents, category_supplement_2_cents, category_supplement_3_cents, product_deposit_cents,
      product_guarantee_cents) <> (item, fuel, second, third, deposit, guarantee)`,
  "a booking costs what its extras cost": `SELECT id FROM bookings WHERE extras_cents <>
      coalesce((SELECT sum(extra_cents) FROM booking_extras WHERE booking_id = bookings.id), 0)
      + coalesce((SELECT sum(extra_cents) FROM surcharges WHERE booking_id = bookings.id), 0)
      + coalesce((SELECT sum(extra_cents) FROM transfer_booking_extras WHERE booking_id = bookings.id), 0)`,
  "a transfer costs what its trips and supplements cost": `SELECT id FROM bookings WHERE kind = 'transfer' AND (item_cents, supplement_1_cents) <> (
      (SELECT total(price_cents) FROM transfer_trips WHERE booking_id = bookings.id) - discount_cents
        + (SELECT total(discount_cents) FROM transfer_booking_extras WHERE booking_id = bookings.id),
      (SELECT total(supplement_cents) FROM transfer_booking_supplements WHERE booking_id = bookings.id))`,
  "every transfer has a vehicle and one trip or two": `SELECT id FROM bookings LEFT JOIN transfer_bookings AS transfer ON transfer.booking_id = id
    WHERE (kind = 'transfer') <> (transfer.booking_id IS NOT NULL) OR (kind = 'transfer' AND (SELECT count(*) FROM transfer_trips WHERE booking_id = id) NOT IN (1, 2))`,
  "what is taken of the transfers' vehicles is what living transfers drive": `SELECT bookings.id FROM transfer_trips AS trip JOIN bookings ON bookings.id = trip.booking_id
    JOIN transfer_bookings USING (booking_id) WHERE (status IN ('done', 'cancelled')) = EXISTS (
      SELECT 1 FROM stock_allocations WHERE stock_allocations.booking_id = bookings.id AND stock_allocations.kind = 'transfer' AND stock_allocations.code = CAST(transfer_vehicle_id AS TEXT) AND stock_allocations.quantity = 1
        AND stock_allocations.expires_at IS bookings.expires_at AND stock_allocations.starts_at = unixepoch(trip.date || ' ' || trip.time) / 60
        AND stock_allocations.ends_at - stock_allocations.preparation_minutes = stock_allocations.starts_at + trip.minutes)
      AND unixepoch(trip.date || ' ' || trip.time) * 1000 > $now`,
  "nothing is taken for nobody": `SELECT stock_allocations.id FROM stock_allocations LEFT JOIN bookings ON bookings.id = booking_id
    WHERE (bookings.id IS NULL AND quote_id IS NULL) OR status IN ('done', 'cancelled') OR (stock_allocations.kind = 'transfer') <> (bookings.kind = 'transfer')`,
  "every rental has a line, and each unit of a line a row": `SELECT bookings.id FROM bookings LEFT JOIN booking_lines AS line ON line.booking_id = bookings.id
    WHERE (kind = 'rental') <> (line.id IS NOT NULL) OR line.quantity <> (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id)`,
  "the invoices of a rental that is done add up to its price": `SELECT id FROM bookings WHERE status = 'done' AND total_cents <>
      coalesce((SELECT sum(total_cents) FROM documents WHERE booking_id = bookings.id AND invoice_type = 'invoice'), 0)`,
  "a document is the sum of its items": `SELECT documents.id FROM documents LEFT JOIN (
      SELECT document_id, sum(total_without_taxes_cents) AS without, sum(subtotal_cents) AS subtotal, sum(taxes_cents) AS taxes, sum(total_cents) AS total
      FROM document_items GROUP BY 1) AS item ON item.document_id = documents.id
    WHERE item.total IS NULL OR (total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents) <> (without, subtotal, taxes, total)`,
  "an item's total is its units, less the document's discount": `SELECT item.id FROM document_items AS item JOIN documents ON documents.id = document_id
    WHERE discount_type = 'none' AND item.total_cents <> unit_cents * quantity`,
  "a document's taxes add up, rate by rate": `SELECT document_id, vat_basis_points, sum(subtotal), sum(taxes) FROM (
      SELECT document_id, vat_basis_points, subtotal_cents AS subtotal, taxes_cents AS taxes FROM document_taxes
      UNION ALL SELECT document_id, item.vat_basis_points, -item.subtotal_cents, -item.taxes_cents FROM document_items AS item
        JOIN documents ON documents.id = document_id AND kind = 'invoice')
    GROUP BY 1, 2 HAVING sum(subtotal) <> 0 OR sum(taxes) <> 0`,
  "an internal bond carries no tax": "SELECT id FROM documents WHERE kind = 'internal_bond' AND taxes_cents <> 0",
  "numbers have no gaps, and the series knows the last": `SELECT documents.company_id, documents.serie
    FROM documents LEFT JOIN number_series USING (company_id, serie) WHERE invoice_status = 'invoice'
    GROUP BY 1, 2 HAVING min(number) <> 1 OR max(number) <> count(*) OR last_number IS NOT max(number) OR last_date IS NOT max(date)`,
  "a number says its branch and year, and which kind of paper it is": `SELECT id FROM documents WHERE invoice_status = 'invoice' AND serie IS NOT
      CASE form WHEN 'full' THEN 'A' WHEN 'simplified' THEN 'T' WHEN 'credit_note' THEN 'R' WHEN 'internal_bond' THEN 'B' END
      || '-' || branch_code || '-' || substr(date, 3, 2)`,
  "a full invoice names its customer, tax id and address": `SELECT id FROM documents WHERE form = 'full' AND invoice_status = 'invoice'
      AND (customer_document_id IS NULL OR customer_address_street IS NULL OR customer_address_city IS NULL OR customer_full_name = '')`,
  "later numbers have no earlier dates": `SELECT id FROM (SELECT id, date, year,
      lag(date) OVER (PARTITION BY company_id, serie ORDER BY number) AS before FROM documents WHERE invoice_status = 'invoice')
    WHERE before > date OR substr(date, 1, 4) <> CAST(year AS TEXT)`,
  "a credit note takes back its invoice": `SELECT note.id FROM documents AS note LEFT JOIN documents AS corrected ON corrected.id = note.corrects_document_id
    WHERE note.invoice_type = 'payment' AND (corrected.id IS NULL OR corrected.total_cents <> -note.total_cents OR corrected.id >= note.id)`,
  "an invoice is paid as far as money and its credit notes say": `SELECT documents.id FROM documents WHERE corrects_document_id IS NULL AND total_paid_cents <>
      coalesce((SELECT sum(amount_cents) FROM charge_allocations WHERE document_id = documents.id), 0)
      - coalesce((SELECT sum(total_cents - agent_commission_prepaid_cents) FROM documents AS note WHERE note.corrects_document_id = documents.id), 0)
      + coalesce((SELECT sum(amount_cents) FROM charge_allocations JOIN documents AS note ON note.id = document_id WHERE note.corrects_document_id = documents.id), 0)`,
  "a credit note is settled": `SELECT id FROM documents WHERE corrects_document_id IS NOT NULL
      AND total_paid_cents + agent_commission_prepaid_cents <> total_cents`,
  "no charge counts for more than it is": `SELECT id FROM charges WHERE virtual = 0 AND amount_cents < abs(coalesce((
      SELECT sum(amount_cents) FROM charge_allocations WHERE charge_id = charges.id), 0))`,
  "nobody pays more than an invoice asks":
    "SELECT id FROM documents WHERE abs(total_paid_cents + agent_commission_prepaid_cents) > abs(total_cents)",
  "a booking is paid as far as its charges say, deposits apart": `SELECT id FROM bookings WHERE total_paid_cents <> coalesce((
      SELECT sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END) FROM charges WHERE booking_id = bookings.id AND virtual = 0), 0)`,
  "the payment status says what was paid": `SELECT id, payment_status FROM bookings WHERE payment_status <> CASE
      WHEN total_paid_cents = 0 AND EXISTS (SELECT 1 FROM charges WHERE booking_id = bookings.id AND virtual = 0) THEN 'refunded'
      WHEN total_paid_cents = 0 THEN 'none'
      WHEN total_paid_cents + agent_commission_prepaid_cents >= total_cents - credited_cents THEN 'total' ELSE 'deposit' END`,
  "what is held of a deposit is what its charges come to": `SELECT id FROM bookings WHERE deposit_held_cents <> coalesce((
      SELECT sum(CASE source_doc WHEN 'deposit_received' THEN amount_cents ELSE -amount_cents END) FROM charges WHERE booking_id = bookings.id AND virtual = 1), 0)`,
  "a deposit given back or kept was held before, and what is kept was charged": `SELECT booking_id FROM charges WHERE booking_id IS NOT NULL AND virtual = 1 GROUP BY 1
    HAVING sum(CASE WHEN source_doc = 'deposit_received' THEN amount_cents ELSE -amount_cents END) < 0
    UNION ALL SELECT booking_id FROM charges WHERE deposit_kept = 1 GROUP BY 1 HAVING sum(iif(virtual = 1, -amount_cents, amount_cents)) <> 0`,
  "no vehicle is in two rentals at once": `WITH use AS (SELECT vehicle_reference AS item, booking_units.id AS unit, ${PERIOD}
      FROM booking_units JOIN bookings ON bookings.id = booking_id, settings WHERE vehicle_reference IS NOT NULL AND status <> 'cancelled')
    SELECT a.item, a.unit, b.unit FROM use AS a JOIN use AS b ON a.item = b.item AND a.unit < b.unit AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  "no vehicle is rented while it is blocked, before it came or after it went": `SELECT use.item FROM (SELECT vehicle_reference AS item, date_from, date_to, ${PERIOD}
      FROM booking_units JOIN bookings ON bookings.id = booking_id, settings WHERE status <> 'cancelled') AS use JOIN vehicles ON reference = item
    WHERE acquisition_date >= date_from OR sold_release_date <= date_to
      OR EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = item AND block.starts_at < use.ends_at AND block.ends_at > use.starts_at)`,
  "a vehicle is of the category that was booked, at the branch group of the pickup": `SELECT unit.id FROM booking_units AS unit
    JOIN booking_lines AS line ON line.id = booking_line_id JOIN bookings ON bookings.id = unit.booking_id JOIN vehicles AS item ON item.reference = vehicle_reference
    WHERE item.category_code <> line.category_code OR item.branch_group_id <> bookings.branch_group_id`,
  "what is taken is what the living bookings have": `SELECT * FROM (
      SELECT booking_id, 'category' AS kind, category_code AS code, quantity FROM booking_lines UNION ALL SELECT booking_id, 'extra', extra_code, quantity FROM booking_extras) AS had
    JOIN bookings ON bookings.id = had.booking_id, settings WHERE (status IN ('done', 'cancelled')) = EXISTS (
      SELECT 1 FROM stock_allocations WHERE stock_allocations.booking_id = had.booking_id AND stock_allocations.kind = had.kind AND stock_allocations.code = had.code AND stock_allocations.quantity = had.quantity
        AND stock_allocations.expires_at IS bookings.expires_at AND stock_allocations.branch_group_id = bookings.branch_group_id AND stock_allocations.ends_at = unixepoch(date_to || ' ' || time_to) / 60
          + settings.preparation_minutes + CASE WHEN bookings.branch_group_id = (SELECT branch_group_id FROM branches WHERE code = return_branch_code)
            THEN 0 ELSE 1440 * settings.repatriation_days END)`,
  "delivered and collected is what the status says": `SELECT bookings.id FROM bookings JOIN booking_units ON booking_id = bookings.id
    WHERE (delivered_at IS NOT NULL) <> (status IN ('in_progress', 'done')) OR (collected_at IS NOT NULL) <> (status = 'done')
      OR (delivered_at IS NOT NULL AND (vehicle_reference IS NULL OR delivery_usage_units IS NULL OR delivery_fuel IS NULL))
      OR (collected_at IS NOT NULL AND (collected_at <= delivered_at OR collection_usage_units < delivery_usage_units OR collection_fuel IS NULL))`,
  "a meter never runs backwards": `SELECT item, at FROM (SELECT vehicle_reference AS item, delivered_at AS at, delivery_usage_units AS units,
      lag(collection_usage_units) OVER (PARTITION BY vehicle_reference ORDER BY delivered_at) AS before FROM booking_units WHERE delivered_at IS NOT NULL)
    WHERE units < before`,
  "a vehicle shows its last reading": `SELECT reference FROM vehicles JOIN (SELECT vehicle_reference AS item,
      max(max(coalesce(collection_usage_units, 0)), max(delivery_usage_units)) AS last FROM booking_units WHERE delivered_at IS NOT NULL GROUP BY 1) ON item = reference
    WHERE usage_units <> last`,
  "history begins with the booking and tells each step once": `SELECT bookings.id FROM bookings WHERE (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'created') <> 1
      OR (status = 'done') <> (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'collected')
      OR (status = 'cancelled') <> (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event IN ('cancelled', 'expired'))
      OR created_at <> (SELECT min(at) FROM booking_history WHERE booking_id = bookings.id)
      OR last_update <> max((SELECT max(at) FROM booking_history WHERE booking_id = bookings.id),
        coalesce((SELECT max(last_update) FROM charges WHERE booking_id = bookings.id), 0))`,
  "nothing has happened later than now":
    "SELECT id FROM booking_history WHERE at > $now UNION ALL SELECT id FROM charges WHERE date > $now UNION ALL SELECT id FROM documents WHERE created_at > $now",
  "a rental is booked before its pickup":
    "SELECT id FROM bookings WHERE created_at > unixepoch(date_from || ' ' || time_from) * 1000 + 43200000",
  "a hold ends in the future":
    "SELECT id FROM bookings WHERE expires_at <= $now OR (status = 'pending_confirmation') <> (expires_at IS NOT NULL)",
  "nobody drives below the age":
    "SELECT bookings.id FROM bookings JOIN driver_age_rules AS rule ON rule.id = driver_age_rule_id WHERE allowed = 0 OR driver_age NOT BETWEEN age_from AND age_to",
  "vehicles of a service plan are due as their last service says": `SELECT reference FROM vehicles JOIN next_services ON vehicle_reference = reference
    WHERE service_due IS NOT due_on OR service_due_units IS NOT due_units
    UNION ALL SELECT vehicle_reference FROM vehicle_services JOIN vehicles ON reference = vehicle_reference
      WHERE date > date($now / 1000, 'unixepoch', '+1 day') OR date < acquisition_date OR vehicle_services.usage_units > vehicles.usage_units`,
  "agencies get a commission of what they sold, and no more is paid": `SELECT bookings.id FROM bookings JOIN agencies ON agencies.id = agency_id
      LEFT JOIN agency_commissions AS commission ON commission.booking_id = bookings.id
    WHERE commission_basis_points > 0 AND (commission.basis_points IS NOT commission_basis_points
      OR (paid_cents > 0) <> (paid_on IS NOT NULL) OR paid_cents > (item_cents * basis_points + 5000) / 10000)`,
  "every vehicle of the house costs something": `SELECT reference FROM vehicles WHERE acquisition_mode <> 'virtual'
    AND reference NOT IN (SELECT vehicle_reference FROM expenses)`,
};

/** Returns the violated invariants of an account as of a point in time, with the first violating rows. */
export function findBrokenInvariants(
  { rows }: Pick<SqliteD1, "rows">,
  now: Date,
  invariants = demoInvariants,
): readonly (readonly [invariant: string, rows: readonly unknown[]])[] {
  return Object.entries(invariants)
    .map(([invariant, sql]) => [invariant, rows(sql.replaceAll("$now", String(now.getTime()))).slice(0, 3)] as const)
    .filter(([, item]) => item.length > 0);
}

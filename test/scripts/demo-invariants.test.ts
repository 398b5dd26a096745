import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { draftBooking } from "#domain/booking-draft.ts";
import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { agreeTerms } from "#domain/rental-terms.ts";
import { clockOf } from "#scripts/demo/clock.ts";
import { filledDemo, someMorning } from "#support/demo-data.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { findSnapshot } from "#worker/store/catalogue.ts";

const PERIOD = `unixepoch(date_from || ' ' || time_from) / 60 AS starts_at,
  unixepoch(date_to || ' ' || time_to) / 60 + preparation_minutes AS ends_at`;

/** Each query finds what breaks the law it is named for. */
const laws: Readonly<Record<string, string>> = {
  "a booking costs what its lines cost": `SELECT booking.id FROM bookings AS booking JOIN (
      SELECT booking_id, sum(item_cents) AS item, sum(category_supplement_1_unit_cents * quantity) AS fuel,
        sum(category_supplement_2_unit_cents * quantity) AS second, sum(category_supplement_3_unit_cents * quantity) AS third,
        sum(product_deposit_unit_cents * quantity) AS deposit, sum(product_guarantee_unit_cents * quantity) AS guarantee
      FROM booking_lines GROUP BY 1) AS line ON line.booking_id = booking.id
    WHERE (item_cents, category_supplement_1_cents, category_supplement_2_cents, category_supplement_3_cents, product_deposit_cents,
      product_guarantee_cents) <> (item, fuel, second, third, deposit, guarantee)`,
  "a booking costs what its extras cost": `SELECT id FROM bookings WHERE extras_cents <>
      coalesce((SELECT sum(extra_cents) FROM booking_extras WHERE booking_id = bookings.id), 0)`,
  "every booking has a line, and each unit of a line a row": `SELECT bookings.id FROM bookings LEFT JOIN booking_lines AS line ON line.booking_id = bookings.id
    WHERE line.id IS NULL OR line.quantity <> (SELECT count(*) FROM booking_line_resources WHERE booking_line_id = line.id)`,
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
  "numbers have no gaps, and the series knows the last": `SELECT documents.kind, documents.rental_location_code, documents.serie, documents.year
    FROM documents LEFT JOIN document_series USING (kind, rental_location_code, serie, year) WHERE invoice_status = 'invoice'
    GROUP BY 1, 2, 3, 4 HAVING min(number) <> 1 OR max(number) <> count(*) OR last_number IS NOT max(number)`,
  "later numbers have no earlier dates": `SELECT id FROM (SELECT id, date, year,
      lag(date) OVER (PARTITION BY kind, rental_location_code, serie, year ORDER BY number) AS before FROM documents WHERE invoice_status = 'invoice')
    WHERE before > date OR substr(date, 1, 4) <> CAST(year AS TEXT)`,
  "a credit note takes back its invoice": `SELECT note.id FROM documents AS note LEFT JOIN documents AS corrected ON corrected.id = note.corrects_document_id
    WHERE note.invoice_type = 'payment' AND (corrected.id IS NULL OR corrected.total_cents <> -note.total_cents OR corrected.id >= note.id)`,
  "a document is paid as far as its charges say": `SELECT documents.id FROM documents WHERE total_paid_cents <> coalesce((
      SELECT sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END) FROM charges WHERE document_id = documents.id), 0)`,
  "nobody pays more than an invoice asks":
    "SELECT id FROM documents WHERE abs(total_paid_cents + agent_comission_prepaid_cents) > abs(total_cents)",
  "a booking is paid as far as its charges say, deposits apart": `SELECT id FROM bookings WHERE total_paid_cents <> coalesce((
      SELECT sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END) FROM charges WHERE booking_id = bookings.id AND virtual = 0), 0)`,
  "the payment status says what was paid": `SELECT id, payment_status FROM bookings WHERE payment_status <> CASE
      WHEN total_paid_cents = 0 AND EXISTS (SELECT 1 FROM charges WHERE booking_id = bookings.id AND virtual = 0) THEN 'refunded'
      WHEN total_paid_cents = 0 THEN 'none'
      WHEN total_paid_cents + agent_comission_prepaid_cents >= total_cents THEN 'total' ELSE 'deposit' END`,
  "a deposit given back or kept was held before": `SELECT booking_id FROM charges WHERE booking_id IS NOT NULL AND (virtual = 1 OR deposit_kept = 1) GROUP BY 1
    HAVING sum(CASE WHEN source_doc = 'deposit_received' THEN amount_cents ELSE -amount_cents END) < 0`,
  "no vehicle is in two rentals at once": `WITH use AS (SELECT booking_item_reference AS item, booking_line_resources.id AS unit, ${PERIOD}
      FROM booking_line_resources JOIN bookings ON bookings.id = booking_id, settings WHERE booking_item_reference IS NOT NULL AND status <> 'cancelled')
    SELECT a.item, a.unit, b.unit FROM use AS a JOIN use AS b ON a.item = b.item AND a.unit < b.unit AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  "no vehicle is rented while it is blocked, before it came or after it went": `SELECT use.item FROM (SELECT booking_item_reference AS item, date_from, date_to, ${PERIOD}
      FROM booking_line_resources JOIN bookings ON bookings.id = booking_id, settings WHERE status <> 'cancelled') AS use JOIN booking_items ON reference = item
    WHERE purchasable_adquisition_date >= date_from OR purchasable_sold_release_date <= date_to
      OR EXISTS (SELECT 1 FROM item_blocks AS block WHERE block.booking_item_reference = item AND block.starts_at < use.ends_at AND block.ends_at > use.starts_at)`,
  "a vehicle is of the category that was booked, at the branch group of the pickup": `SELECT unit.id FROM booking_line_resources AS unit
    JOIN booking_lines AS line ON line.id = booking_line_id JOIN bookings ON bookings.id = unit.booking_id JOIN booking_items AS item ON item.reference = booking_item_reference
    WHERE item.category_code <> line.item_id OR item.rental_storage_id <> bookings.rental_storage_id`,
  "what is taken is what the living bookings have": `SELECT * FROM (
      SELECT booking_id, 'category' AS kind, item_id AS code, quantity FROM booking_lines UNION ALL SELECT booking_id, 'extra', extra_id, quantity FROM booking_extras) AS had
    JOIN bookings ON bookings.id = had.booking_id, settings WHERE (status IN ('done', 'cancelled')) = EXISTS (
      SELECT 1 FROM takes WHERE takes.booking_id = had.booking_id AND takes.kind = had.kind AND takes.code = had.code AND takes.quantity = had.quantity
        AND takes.expires_at IS bookings.expires_at AND takes.ends_at = unixepoch(date_to || ' ' || time_to) / 60 + settings.preparation_minutes)`,
  "delivered and collected is what the status says": `SELECT bookings.id FROM bookings JOIN booking_line_resources ON booking_id = bookings.id
    WHERE (delivered_at IS NOT NULL) <> (status IN ('in_progress', 'done')) OR (collected_at IS NOT NULL) <> (status = 'done')
      OR (delivered_at IS NOT NULL AND (booking_item_reference IS NULL OR delivery_usage_units IS NULL OR delivery_fuel IS NULL))
      OR (collected_at IS NOT NULL AND (collected_at <= delivered_at OR collection_usage_units < delivery_usage_units OR collection_fuel IS NULL))`,
  "a meter never runs backwards": `SELECT item, at FROM (SELECT booking_item_reference AS item, delivered_at AS at, delivery_usage_units AS units,
      lag(collection_usage_units) OVER (PARTITION BY booking_item_reference ORDER BY delivered_at) AS before FROM booking_line_resources WHERE delivered_at IS NOT NULL)
    WHERE units < before`,
  "a vehicle shows its last reading": `SELECT reference FROM booking_items JOIN (SELECT booking_item_reference AS item,
      max(max(coalesce(collection_usage_units, 0)), max(delivery_usage_units)) AS last FROM booking_line_resources WHERE delivered_at IS NOT NULL GROUP BY 1) ON item = reference
    WHERE usage_units <> last`,
  "history begins with the booking and tells each step once": `SELECT bookings.id FROM bookings WHERE (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'created') <> 1
      OR (status = 'done') <> (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'collected')
      OR (status = 'cancelled') <> (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event IN ('cancelled', 'expired'))
      OR created_at <> (SELECT min(at) FROM booking_history WHERE booking_id = bookings.id)
      OR last_update <> (SELECT max(at) FROM booking_history WHERE booking_id = bookings.id)`,
  "nothing has happened later than now":
    "SELECT id FROM booking_history WHERE at > $now UNION ALL SELECT id FROM charges WHERE date > $now UNION ALL SELECT id FROM documents WHERE created_at > $now",
  "a rental is booked before its pickup":
    "SELECT id FROM bookings WHERE created_at > unixepoch(date_from || ' ' || time_from) * 1000 + 43200000",
  "a hold ends in the future":
    "SELECT id FROM bookings WHERE expires_at <= $now OR (status = 'pending_confirmation') <> (expires_at IS NOT NULL)",
  "nobody drives below the age":
    "SELECT bookings.id FROM bookings JOIN driver_age_rules AS rule ON rule.id = driver_age_rule_id WHERE allowed = 0 OR driver_age NOT BETWEEN age_from AND age_to",
  "every vehicle of the house costs something": `SELECT reference FROM booking_items WHERE purchasable_acquisition_mode <> 'virtual'
    AND reference NOT IN (SELECT booking_item_reference FROM expenses)`,
};

const moments = [
  someMorning,
  new Date("2027-08-15T22:30:00Z"),
  new Date("2028-02-29T23:55:00Z"),
  new Date("2027-03-28T00:30:00Z"),
];
const acmeOfSomeMorning = filledDemo("acme");

describe.each(moments)("the accounts as of %s", (now) => {
  it.each(["acme", "globex"] as const)("keep every law: %s", async (account) => {
    const database = await (account === "acme" && now === someMorning ? acmeOfSomeMorning : filledDemo(account, now));
    const broken = Object.entries(laws).map(([law, sql]) => [
      law,
      database.rows(sql.replaceAll("$now", String(now.getTime()))).slice(0, 3),
    ]);
    expect(broken.filter(([, found]) => found?.length !== 0)).toEqual([]);
    expect(await wronglyPriced(database)).toEqual([]);
  });
});

interface Priced {
  readonly id: number;
  readonly dateFrom: CivilDate;
  readonly timeFrom: TimeOfDay;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeOfDay;
  readonly pickupPlaceId: number;
  readonly returnPlaceId: number;
  readonly salesChannel: string | null;
  readonly driverAge: number | null;
  readonly promotionCode: string | null;
  readonly createdAt: number;
  readonly cents: number;
  readonly products: string;
  readonly extras: string;
}

/** Bookings that the domain, reading the catalogue from the database, would price in another way. */
async function wronglyPriced({ db, rows }: SqliteD1): Promise<number[]> {
  const snapshot = await findSnapshot(drizzle(db, { casing: "snake_case" }));
  if (!snapshot) throw new Error("the account has no settings");
  const { catalogue } = snapshot;
  const clock = clockOf(catalogue.settings.timezone);
  const choices = (table: string, code: string) =>
    `(SELECT json_group_array(json_object('code', ${code}, 'quantity', quantity)) FROM ${table} WHERE booking_id = bookings.id)`;
  const bookings = rows<
    Priced & object
  >(`SELECT id, date_from AS dateFrom, time_from AS timeFrom, date_to AS dateTo, time_to AS timeTo,
    pickup_place_id AS pickupPlaceId, return_place_id AS returnPlaceId, sales_channel_code AS salesChannel, driver_age AS driverAge,
    promotion_code AS promotionCode, created_at AS createdAt, total_cents - supplement_1_cents - supplement_2_cents - supplement_3_cents AS cents,
    ${choices("booking_lines", "item_id")} AS products, ${choices("booking_extras", "extra_id")} AS extras FROM bookings`);
  return bookings
    .filter((booking) => {
      const request = {
        ...booking,
        period: booking,
        salesChannel: booking.salesChannel ?? undefined,
        driverAge: booking.driverAge ?? undefined,
        promotionCode: booking.promotionCode ?? undefined,
      };
      const terms = agreeTerms(catalogue, request, fromCivilMinute(clock.toCivilMinute(booking.createdAt)));
      const draft =
        terms.ok && draftBooking(catalogue, terms.value, JSON.parse(booking.products), JSON.parse(booking.extras));
      return !draft || !draft.ok || draft.value.totals.totalCents !== booking.cents;
    })
    .map(({ id }) => id);
}

describe("document 3", () => {
  const values: readonly (readonly [string, string, readonly (string | number)[]])[] = [
    ["bookings", "status", ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]],
    ["bookings", "customer_type", ["individual", "legal_entity", "group_company", "internal_department"]],
    ["bookings", "agent_comission_calculation", ["fixed_amount", "percentage"]],
    ["bookings", "payment_status", ["none", "deposit", "total", "refunded"]],
    ["booking_items", "purchasable_acquisition_mode", ["purchase", "renting", "rented", "supplier", "virtual"]],
    ["booking_items", "fuel", ["none", "petrol", "diesel", "electric", "hybrid"]],
    ["booking_items", "assignable", [0, 1]],
    ["booking_items", "active", [0, 1]],
    ["item_blocks", "kind", ["workshop", "transfer", "other"]],
    [
      "documents WHERE kind = 'invoice'",
      "invoice_mode",
      ["default", "reservation_retainer", "reservation_breakdown", "reservation_extra"],
    ],
    ["documents WHERE kind = 'internal_bond'", "invoice_mode", ["default", "reservation_breakdown"]],
    ["documents", "invoice_type", ["invoice", "payment"]],
    ["documents", "invoice_status", ["draft", "invoice"]],
    ["documents", "customer_type", ["individual", "legal_entity", "internal_department", "legal_entity_group_company"]],
    ["documents", "total_paid_cents >= total_cents", [0, 1]],
    ["documents", "accounting_processed", [0, 1]],
    ["charges", "payment_type", ["charge", "payment"]],
    [
      "charges",
      "payment_method_id",
      [
        "credit_card",
        "cash",
        "bank_transfer",
        "wallet_standard",
        "tpvA_256",
        "tpvB",
        "tpvC",
        "tpvD",
        "tpv_online",
        "check",
        "promissory_note",
        "booking_portal",
      ],
    ],
    [
      "charges",
      "source_doc",
      [
        "booking",
        "order",
        "customer_invoice",
        "customer_simplified_invoice",
        "internal_bond_invoice",
        "deposit_received",
        "deposit_returned",
      ],
    ],
    ["charges", "deposit_kept", [0, 1]],
    [
      "booking_history",
      "event",
      ["created", "confirmed", "changed", "delivered", "collected", "cancelled", "expired", "paid", "refunded"],
    ],
  ];

  it("finds each of its values in acme, and every kind of place in the two accounts", async () => {
    const [acme, globex] = await Promise.all([acmeOfSomeMorning, filledDemo("globex")]);
    for (const [table, column, expected] of values) {
      const found = new Set(acme.rows(`SELECT DISTINCT ${column} AS value FROM ${table}`).map(({ value }) => value));
      expect([...found], `${table} ${column}`).toEqual(expect.arrayContaining([...expected]));
    }
    const kinds = "SELECT place_type AS kind FROM pickup_places UNION SELECT place_type FROM rental_locations";
    const found = [...acme.rows(kinds), ...globex.rows(kinds)].map(({ kind }) => kind);
    expect([...new Set(found)].sort()).toEqual([
      "accommodation",
      "airport",
      "bus_station",
      "harbor",
      "hotel",
      "location",
      "train_station",
    ]);
  });
});

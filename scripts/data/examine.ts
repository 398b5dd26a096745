import type { DatabaseSync } from "node:sqlite";
import type { Problem } from "./problem.ts";
import type { BadLine } from "./read-files.ts";
import { placeOf, type Taking } from "./taking.ts";
import type { Stored } from "./values.ts";

interface Rule extends Problem {
  readonly table: string;
  readonly field: string;
  /** The keys of rows that break it, with what they say there. */
  readonly sql: string;
}

/** What no row can be refused for by itself, because it needs the rows that come after it. */
const RULES: readonly Rule[] = [
  {
    table: "vehicles",
    field: "plate",
    sql: `SELECT id AS key, plate AS value FROM vehicles WHERE active = 1 AND sold_release_date IS NULL AND plate <> '' AND EXISTS (
      SELECT 1 FROM vehicles AS other WHERE other.plate = vehicles.plate AND other.id <> vehicles.id AND other.active = 1
        AND other.sold_release_date IS NULL)`,
    problem: "is the plate of several vehicles",
    remedy: "one vehicle for each plate; those that are sold with their sold_release_date, or not active",
  },
  {
    table: "bookings",
    field: "free_access_id",
    sql: `SELECT id AS key, free_access_id AS value FROM bookings WHERE length(free_access_id) < 16
      OR free_access_id NOT GLOB '*[^0-9]*'`,
    problem: "can be guessed, and opens the contract to whoever knows it",
    remedy: "no column free_access_id, so that one is made; else 16 random letters and digits at least",
  },
  {
    table: "bookings",
    field: "category_code",
    sql: `SELECT id AS key, NULL AS value FROM bookings WHERE kind = 'rental' AND status <> 'cancelled'
      AND NOT EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: "has no line: nothing is rented by it",
    remedy: "the column category_code (and vehicle_reference), or a row of booking_lines",
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT line.booking_id AS key, line.category_code AS value FROM booking_lines AS line JOIN bookings ON bookings.id = line.booking_id
      WHERE bookings.status <> 'cancelled' AND bookings.kind = 'rental'
        AND (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id) <> line.quantity`,
    problem: "has other than one unit for each of its quantity",
    remedy: "a row of booking_units for each vehicle, its vehicle_reference empty where none is assigned",
  },
  {
    table: "bookings",
    field: "item",
    sql: `SELECT id AS key, item_cents AS value FROM bookings WHERE kind = 'rental' AND price_difference_cents = 0 AND item_cents <>
      (SELECT total(item_cents) FROM booking_lines WHERE booking_id = bookings.id)
      AND EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: "is not the sum of its lines",
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT unit.booking_id AS key, unit.vehicle_reference AS value FROM booking_units AS unit JOIN bookings ON bookings.id = unit.booking_id
      WHERE bookings.status = 'in_progress' AND unit.collected_at IS NULL AND (unit.vehicle_reference IS NULL OR EXISTS (
        SELECT 1 FROM booking_units AS other JOIN bookings AS theirs ON theirs.id = other.booking_id WHERE theirs.status = 'in_progress'
          AND other.vehicle_reference = unit.vehicle_reference AND other.collected_at IS NULL AND other.id <> unit.id))`,
    problem: "is out: it has a vehicle, and that one no other open contract",
    remedy: "the plate of the vehicle that is out",
  },
  {
    table: "documents",
    field: "number",
    sql: `SELECT id AS key, number AS value FROM documents WHERE invoice_status = 'invoice'
      AND NOT EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id)`,
    problem: "is issued, and has no items",
    remedy: "the column vat_percent, which makes one of its total, or rows of document_items",
  },
  {
    table: "documents",
    field: "total",
    sql: `SELECT id AS key, total_cents AS value FROM documents WHERE invoice_status = 'invoice' AND (
      SELECT (count(*) = 0 OR (total(total_cents), total(taxes_cents)) = (documents.total_cents, documents.taxes_cents))
      FROM document_items WHERE document_id = documents.id) = 0`,
    problem: "is not the sum of its items",
  },
  {
    table: "documents",
    field: "taxes",
    sql: `SELECT id AS key, taxes_cents AS value FROM documents WHERE invoice_status = 'invoice' AND kind = 'invoice'
      AND EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id) AND (
      SELECT (total(subtotal_cents), total(taxes_cents)) = (documents.subtotal_cents, documents.taxes_cents)
      FROM document_taxes WHERE document_id = documents.id) = 0`,
    problem: "is not the sum of its rates",
    remedy: "a row of document_taxes for each rate, or the column vat_percent",
  },
];

/** What is wrong with the rows that were taken, as they are now that all are there. */
export function examine({ sqlite, origins }: Taking): readonly BadLine[] {
  return RULES.flatMap(({ table, field, sql, problem, remedy }) =>
    sqlite
      .prepare(sql)
      .all()
      .flatMap((row): readonly BadLine[] => {
        const origin = origins.get(placeOf(table, [row["key"] as Stored]));
        const value = String(shownValue(sqlite, table, field, row["value"] as Stored) ?? "");
        return origin ? [{ ...origin, field, value, problem, ...(remedy && { remedy }) }] : [];
      }),
  );
}

// Amounts are shown as files write them.
function shownValue(sqlite: DatabaseSync, table: string, field: string, value: Stored): Stored {
  const isMoney = sqlite.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?").get(table, `${field}_cents`);
  return isMoney && typeof value === "number" ? (value / 100).toFixed(2) : value;
}

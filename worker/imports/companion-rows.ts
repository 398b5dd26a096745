import { parseCivilDate, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { linkImportedContractToCustomerStatements } from "#worker/store/check-in/link-customer.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { toEpochInstant } from "#worker/tenancy/clock.ts";
import { type ImportState, insertRowInCopy } from "./import-state.ts";
import { wrapAsD1 } from "./synchronous-d1.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

type Draft = Record<string, StoredValue>;

/**
 * Rows of other tables that a row of an imported file also defines: the customer, line and unit of a contract, the
 * item of a document.
 */
export interface CompanionRows {
  readonly add: (key: StoredValue) => void;
  /** Applies changes to the related rows. Returns whether any differ. */
  readonly change: (row: Readonly<Record<string, StoredValue>>) => boolean;
}

const NOTHING: CompanionRows = { add: () => undefined, change: () => false };

/**
 * Returns the related rows of a file's row. A bracket's tariff is found or created immediately, because the bracket
 * references it.
 */
export function createCompanionRows(importState: ImportState, table: string, values: Draft): CompanionRows {
  if (table === "tariff_brackets") bindTariff(importState, values);
  if (table === "bookings") {
    const line = values["line.category_code"] ? contractLine(importState, values) : NOTHING;
    const add = (booking: StoredValue) => {
      linkCustomer(importState, values, booking);
      line.add(booking);
    };
    return { ...line, add };
  }
  if (table === "documents" && values["item.vat_basis_points"] !== undefined) return documentItem(importState, values);
  return NOTHING;
}

function bindTariff(importState: ImportState, values: Draft): void {
  const category = values["tariff.category_code"] ?? null;
  if (values["tariff_id"] !== undefined || category === null) return;
  const [season, channel] = [values["tariff.season_id"] ?? null, values["tariff.sales_channel_code"] ?? null];
  const existingRow = importState.sqlite
    .prepare("SELECT id FROM tariffs WHERE category_code = ? AND season_id IS ? AND sales_channel_code IS ?")
    .get(category, season, channel);
  const tariff = { category_code: category, season_id: season, sales_channel_code: channel };
  values["tariff_id"] =
    (existingRow?.["id"] as StoredValue) ?? insertRowInCopy(importState, "tariffs", tariff, undefined)[0] ?? null;
}

// A row with an id comes from an export, which contains the account's customers.
function linkCustomer({ sqlite, now }: ImportState, values: Draft, booking: StoredValue): void {
  if (values["id"] !== undefined || (values["customer_id"] ?? null) !== null) return;
  const db = openDatabase(wrapAsD1(sqlite), createUsageMeter());
  for (const statement of linkImportedContractToCustomerStatements(db, Number(booking), now)) {
    const { sql, params } = statement.toSQL();
    sqlite.prepare(sql).run(...(params as StoredValue[]));
  }
}

function contractLine(importState: ImportState, values: Draft): CompanionRows {
  const getText = (name: string) => values[name] ?? undefined;
  const add = (booking: StoredValue) => {
    const quantity = Number(getText("line.quantity") ?? 1);
    const { sqlite } = importState;
    const [line = null] = insertRowInCopy(
      importState,
      "booking_lines",
      {
        booking_id: booking,
        category_code: values["line.category_code"] ?? null,
        quantity,
        ...defined("vat_basis_points", getText("line.vat_basis_points")),
        product_guarantee_unit_cents: Math.trunc(Number(getText("product_guarantee_cents") ?? 0) / quantity),
        product_deposit_unit_cents: Math.trunc(Number(getText("product_deposit_cents") ?? 0) / quantity),
      },
      undefined,
    );
    for (let unit = 0; unit < quantity; unit++) {
      insertRowInCopy(
        importState,
        "booking_units",
        {
          booking_id: booking,
          booking_line_id: line,
          ...(unit === 0 && defined("vehicle_reference", getText("unit.vehicle_reference"))),
          ...defined(
            "delivered_at",
            getText("unit.delivered_at") ?? outSince(sqlite, booking, ["in_progress", "done"], "from"),
          ),
          ...defined("collected_at", getText("unit.collected_at") ?? outSince(sqlite, booking, ["done"], "to")),
          ...defined("delivery_usage_units", getText("unit.delivery_usage_units")),
        },
        undefined,
      );
    }
  };
  return { add, change: (row) => changeUnit(importState.sqlite, row["id"] ?? null, values) };
}

// Changes the vehicle of a contract with one unit. With several units, a file's row doesn't identify one.
function changeUnit(sqlite: SynchronousDatabase, booking: StoredValue, values: Draft): boolean {
  const vehicle = values["unit.vehicle_reference"] ?? null;
  if (vehicle === null) return false;
  const units = sqlite
    .prepare("SELECT id, vehicle_reference AS vehicle FROM booking_units WHERE booking_id = ?")
    .all(booking);
  const [unit] = units;
  if (units.length !== 1 || !unit || unit["vehicle"] === vehicle) return false;
  sqlite.prepare("UPDATE booking_units SET vehicle_reference = ? WHERE id = ?").run(vehicle, unit["id"] ?? null);
  return true;
}

function defined(column: string, value: StoredValue | undefined): Draft {
  return value === undefined || value === null ? {} : { [column]: value };
}

// Returns the start or end of a booking in one of these states, as default time of its delivery or return.
function outSince(
  sqlite: SynchronousDatabase,
  booking: StoredValue,
  states: readonly string[],
  end: "from" | "to",
): number | undefined {
  const row = sqlite
    .prepare(
      `SELECT status, date_${end} AS date, time_${end} AS time, (SELECT timezone FROM settings) AS timezone FROM bookings WHERE id = ?`,
    )
    .get(booking);
  if (!row || !states.includes(String(row["status"]))) return undefined;
  const [date, time] = [parseCivilDate(String(row["date"])), parseTimeText(String(row["time"]))];
  return date && time ? toEpochInstant(String(row["timezone"] ?? "UTC"), toCivilMinute(date, time)) : undefined;
}

function documentItem(importState: ImportState, values: Draft): CompanionRows {
  const add = (document: StoredValue) => {
    const row = importState.sqlite.prepare("SELECT * FROM documents WHERE id = ?").get(document) ?? {};
    const getNumber = (name: string) => Number(row[name] ?? 0);
    const sums = {
      vat_basis_points: values["item.vat_basis_points"] ?? 0,
      total_without_taxes_cents: getNumber("total_without_taxes_cents"),
      subtotal_cents: getNumber("subtotal_cents"),
      taxes_cents: getNumber("taxes_cents"),
    };
    const item = {
      document_id: document,
      concept: String(row["concept"]),
      quantity: 1,
      unit_without_taxes_cents: getNumber("subtotal_cents"),
      unit_taxes_cents: getNumber("taxes_cents"),
      unit_cents: getNumber("total_cents"),
      total_cents: getNumber("total_cents"),
      ...sums,
    };
    insertRowInCopy(importState, "document_items", item, undefined);
    if (row["kind"] === "invoice")
      insertRowInCopy(
        importState,
        "document_taxes",
        { document_id: document, position: 1, discount_cents: getNumber("discount_cents"), ...sums },
        undefined,
      );
  };
  return { add, change: () => false };
}

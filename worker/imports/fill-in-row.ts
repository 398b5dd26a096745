import { randomBytes } from "node:crypto";
import { countRentalDays, parseCivilDate, parseTimeText } from "#domain/dates.ts";
import { getNetAmount } from "#domain/money.ts";
import type { StoredValues } from "./natural-keys.ts";
import { getCurrencyDecimalsOrDefault } from "./standard-values.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

export type DraftRow = Record<string, StoredValue | undefined>;
type Fill = (row: DraftRow, item: (sql: string, ...values: StoredValue[]) => StoredValue | undefined) => void;

/** Derived values of a new row that its file doesn't contain, by table. */
const FILL: Readonly<Record<string, Fill>> = {
  settings: (row) => {
    row["currency_decimals"] ??= getCurrencyDecimalsOrDefault(String(row["currency"]));
  },
  branch_groups: (row, item) => {
    row["timezone"] ??= item("SELECT timezone FROM settings");
  },
  branches: (row, item) => {
    row["timezone"] ??= item("SELECT timezone FROM settings");
    row["currency"] ??= item("SELECT currency FROM settings");
    row["place_type"] ??= "location";
    row["branch_group_id"] ??= item("SELECT id FROM branch_groups WHERE (SELECT count(*) FROM branch_groups) = 1");
  },
  pickup_places: (row) => {
    row["place_type"] ??= "location";
  },
  vehicles: (row, item) => {
    row["reference"] ??= row["plate"];
    row["name"] ??= [row["brand"], row["model"]].filter(Boolean).join(" ") || row["reference"];
    row["branch_group_id"] ??= item("SELECT branch_group_id FROM branches WHERE code = ?", row["branch_code"] ?? null);
    row["owner_branch_group_id"] ??= row["branch_group_id"];
  },
  bookings: fillBooking,
  booking_lines: (row, item) => {
    const category = row["category_code"] ?? null;
    row["quantity"] ??= 1;
    row["item_description"] ||= item("SELECT name FROM categories WHERE code = ?", category);
    row["vat_basis_points"] ??= item("SELECT vat_basis_points FROM categories WHERE code = ?", category);
    const total = row["item_cents"] ?? item("SELECT item_cents FROM bookings WHERE id = ?", row["booking_id"] ?? null);
    row["item_unit_cents"] ??= Number(total) / Number(row["quantity"]);
    row["item_unit_base_cents"] ??= row["item_unit_cents"];
    row["item_cents"] ??= total;
  },
  booking_units: (row, item) => {
    row["booking_id"] ??= item("SELECT booking_id FROM booking_lines WHERE id = ?", row["booking_line_id"] ?? null);
    row["booking_line_id"] ??= item(
      "SELECT min(id) FROM booking_lines WHERE booking_id = ? HAVING count(*) = 1",
      row["booking_id"] ?? null,
    );
  },
  booking_extras: (row, item) => {
    row["extra_description"] ||= item("SELECT name FROM extras WHERE code = ?", row["extra_code"] ?? null);
    fillSold(row, item, "extras", ["extra_unit_cents", "extra_cents"]);
  },
  documents: fillDocument,
  transfer_bookings: (row, item) => {
    const vehicle = row["transfer_vehicle_id"] ?? null;
    row["vehicle_name"] ||= item("SELECT name FROM transfer_vehicles WHERE id = ?", vehicle);
    row["vat_basis_points"] ??= item("SELECT vat_basis_points FROM transfer_vehicles WHERE id = ?", vehicle);
    row["adults"] ??= 1;
    row["children"] ??= 0;
    row["infants"] ??= 0;
  },
  transfer_trips: (row, item) => {
    row["position"] ??= 1;
    const booking = row["booking_id"] ?? null;
    for (const end of ["origin", "destination"])
      row[`${end}_name`] ||= item("SELECT name FROM transfer_points WHERE id = ?", row[`${end}_point_id`] ?? null);
    for (const part of ["date", "time"]) row[part] ??= item(`SELECT ${part}_from FROM bookings WHERE id = ?`, booking);
  },
  transfer_booking_extras: (row, item) => fillSold(row, item, "transfer_extras", ["unit_cents", "extra_cents"]),
  transfer_booking_supplements: (row, item) => {
    const supplement = row["transfer_supplement_id"] ?? null;
    row["name"] ||= item("SELECT name FROM transfer_supplements WHERE id = ?", supplement);
  },
  number_series: (row) => {
    row["company_id"] ??= 1;
    row["last_number"] ??= 0;
    row["last_date"] ??= "2000-01-01";
  },
  charges: (row, item) => {
    const booking = row["booking_id"] ?? null;
    row["currency"] ??= item("SELECT currency FROM settings");
    row["source_doc"] ??= "booking";
    row["payment_type"] ??= row["source_doc"] === "deposit_returned" ? "payment" : "charge";
    row["branch_code"] ??= item("SELECT branch_code FROM bookings WHERE id = ?", booking);
    row["origin"] ??= "import";
  },
  expenses: (row, item) => {
    row["branch_code"] ??= item(
      "SELECT branch_code FROM vehicles WHERE reference = ?",
      row["vehicle_reference"] ?? null,
    );
    row["branch_group_id"] ??= item("SELECT branch_group_id FROM branches WHERE code = ?", row["branch_code"] ?? null);
    fillSums(row);
  },
};

/** Derives the missing unit price or total of an extra from the other one and the quantity. */
function fillSold(
  row: DraftRow,
  item: Parameters<Fill>[1],
  table: "extras" | "transfer_extras",
  [unit, sum]: readonly [unit: string, sum: string],
): void {
  const keyCondition = table === "extras" ? "code = ?" : "id = ?";
  const extra = row[table === "extras" ? "extra_code" : "transfer_extra_id"] ?? null;
  row["quantity"] ??= 1;
  if (table === "transfer_extras") row["name"] ||= item("SELECT name FROM transfer_extras WHERE id = ?", extra);
  row["vat_basis_points"] ??= item(`SELECT vat_basis_points FROM ${table} WHERE ${keyCondition}`, extra);
  const discount = Number(row["discount_cents"] ?? 0);
  row[unit] ??= (Number(row[sum] ?? 0) + discount) / Number(row["quantity"]);
  row[sum] ??= Number(row[unit]) * Number(row["quantity"]) - discount;
}

/** Table, columns of the file and time for which derived values are filled in. */
export interface FillInContext {
  readonly table: string;
  readonly columns: ReadonlySet<string>;
  readonly now: number;
  /** Whether the row has an id already, so that it's complete and its empty values are stored as null. */
  readonly isComplete: boolean;
}

/** Completes a new row with derived values. Creation and change times default to now. */
export function addDerivedValues(
  sqlite: SynchronousDatabase,
  inputValues: StoredValues,
  terms: FillInContext,
): DraftRow {
  const { table, columns, now, isComplete } = terms;
  const item = (sql: string, ...values: StoredValue[]) => {
    const defaultRow = sqlite.prepare(sql).get(...values);
    return defaultRow === undefined ? undefined : ((Object.values(defaultRow)[0] as StoredValue) ?? undefined);
  };
  const filledEntries = Object.entries(inputValues).filter(
    ([, value]) => isComplete || (value !== null && value !== ""),
  );
  const row: DraftRow = Object.fromEntries(filledEntries);
  FILL[table]?.(row, item);
  for (const moment of getInstantColumns(table)) if (columns.has(moment)) row[moment] ??= now;
  return {
    ...inputValues,
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(isComplete ? filledEntries : []),
  };
}

// Sample rows from which the derivable columns are found: an empty one, one with total and rate, one with net amount
// and taxes.
const SAYING: readonly DraftRow[] = [
  {},
  { total_cents: 0, "item.vat_basis_points": 0 },
  { subtotal_cents: 0, taxes_cents: 0 },
];

/** Returns the columns that may be missing in a new row, because they are derived or set to the current time. */
export function listDerivedColumns(table: string): ReadonlySet<string> {
  const filled = SAYING.flatMap((filledEntries) => {
    const row = { ...filledEntries };
    FILL[table]?.(row, () => 0);
    return Object.keys(row).filter((column) => !(column in filledEntries));
  });
  // A bracket's tariff may be given by the category and season in the same row.
  const tariff = table === "tariff_brackets" ? ["tariff_id"] : [];
  return new Set([...filled, ...getInstantColumns(table), ...tariff]);
}

// Returns the columns that default to the current time. None for number series, where the office may have stored null.
function getInstantColumns(table: string): readonly string[] {
  return table === "number_series" ? [] : ["created_at", "last_update"];
}

function fillBooking(row: DraftRow, item: Parameters<Fill>[1]): void {
  const customer = row["customer_id"] ?? null;
  row["free_access_id"] ||= randomBytes(24).toString("base64url");
  row["created_by"] ??= "import";
  row["time_from"] ??= "10:00";
  row["time_to"] ??= row["time_from"];
  row["return_branch_code"] ??= row["branch_code"];
  row["branch_group_id"] ??= item("SELECT branch_group_id FROM branches WHERE code = ?", row["branch_code"] ?? null);
  row["pickup_place"] ||= item("SELECT name FROM branches WHERE code = ?", row["branch_code"] ?? null);
  row["return_place"] ||= item("SELECT name FROM branches WHERE code = ?", row["return_branch_code"] ?? null);
  for (const column of ["name", "surname", "email", "document_id"])
    row[`customer_${column}`] ||= item(`SELECT ${column} FROM customers WHERE id = ?`, customer);
  row["customer_phone"] ??= item("SELECT coalesce(phone_number, mobile_phone) FROM customers WHERE id = ?", customer);
  row["customer_surname"] ??= "";
  row["customer_language"] ??=
    item("SELECT language FROM customers WHERE id = ?", customer) ?? item("SELECT default_language FROM settings");
  row["days"] ??= getRentalDays(row, Number(item("SELECT grace_minutes FROM settings") ?? 0));
  const others = Object.entries(row).filter(([name]) => PARTS.test(name));
  row["item_cents"] ??= Number(row["total_cents"]) - others.reduce((sum, [, cents]) => sum + Number(cents ?? 0), 0);
  row["total_cents"] ??= Number(row["item_cents"]) + others.reduce((sum, [, cents]) => sum + Number(cents ?? 0), 0);
  row["total_deposit_cents"] ??= [
    "product_deposit_cents",
    "product_guarantee_cents",
    "driver_age_deposit_cents",
  ].reduce((sum, name) => sum + Number(row[name] ?? 0), 0);
}

const PARTS = /^(extras|time_from|time_to|pickup_place|return_place|driver_age|(category_)?supplement_[123])_cents$/;

function getRentalDays(row: DraftRow, graceMinutes: number): number | undefined {
  const [from, to] = [parseCivilDate(String(row["date_from"])), parseCivilDate(String(row["date_to"]))];
  const [starts, ends] = [parseTimeText(String(row["time_from"])), parseTimeText(String(row["time_to"]))];
  if (!from || !to || !starts || !ends || `${to}${ends}` <= `${from}${starts}`) return undefined;
  return countRentalDays({ dateFrom: from, timeFrom: starts, dateTo: to, timeTo: ends }, graceMinutes);
}

const ADDRESS = ["street", "number", "complement", "city", "state", "country", "zip"];

function fillDocument(row: DraftRow, item: Parameters<Fill>[1]): void {
  const [customer, booking] = [row["customer_id"] ?? null, row["booking_id"] ?? null];
  row["kind"] ??= "invoice";
  row["invoice_mode"] ??= "default";
  row["invoice_status"] ??= (row["number"] ?? row["serie"]) ? "invoice" : "draft";
  row["year"] ??= row["date"] ? Number(String(row["date"]).slice(0, 4)) : undefined;
  row["branch_code"] ??= item("SELECT branch_code FROM bookings WHERE id = ?", booking);
  row["currency"] ??= item("SELECT currency FROM settings");
  row["concept"] ||= booking === null ? "Rental" : `Rental ${booking}`;
  const type = item("SELECT customer_type FROM customers WHERE id = ?", customer);
  row["customer_type"] ??= type === "group_company" ? "legal_entity_group_company" : (type ?? "individual");
  row["customer_full_name"] ||=
    item("SELECT full_name FROM customers WHERE id = ?", customer) ??
    item("SELECT trim(customer_name || ' ' || customer_surname) FROM bookings WHERE id = ?", booking);
  row["customer_document_id"] ??= item("SELECT document_id FROM customers WHERE id = ?", customer);
  for (const part of ADDRESS)
    row[`customer_address_${part}`] ??= item(`SELECT address_${part} FROM customers WHERE id = ?`, customer);
  fillSums(row);
}

// Derives the missing amounts from total and rate, or from net amount and taxes.
function fillSums(row: DraftRow): void {
  row["subtotal_cents"] ??= getNetCents(row);
  const [net, total] = [row["subtotal_cents"], row["total_cents"]];
  if (typeof net !== "number") return;
  row["total_without_taxes_cents"] ??= net + Number(row["discount_cents"] ?? 0);
  if (typeof total === "number") row["taxes_cents"] ??= total - net;
  if (typeof row["taxes_cents"] === "number") row["total_cents"] ??= net + row["taxes_cents"];
}

function getNetCents(row: DraftRow): number | undefined {
  const [total, taxes, rate] = [row["total_cents"], row["taxes_cents"], row["item.vat_basis_points"]];
  if (typeof total !== "number") return undefined;
  if (typeof taxes === "number") return total - taxes;
  return typeof rate === "number" ? getNetAmount(total, rate) : undefined;
}

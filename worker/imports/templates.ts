import { strToU8, zipSync } from "fflate";
import { toCsv } from "#domain/reporting/csv.ts";
import { type ImportExportTable, readImportExportTables } from "#worker/store/operations/file-tables.ts";
import { listDerivedColumns } from "./fill-in-row.ts";
import { listFileFields } from "./headings.ts";

/** Example lines of the templates for a new company. */
const TEMPLATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  branch_groups: { name: "Mallorca" },
  branches: {
    code: "PMI",
    name: "Palma Airport",
    branch_group_id: "Mallorca",
    place_type: "airport",
    address_country_code: "ES",
  },
  opening_hours: { branch_code: "PMI", weekday: "1", opens: "08:00", closes: "22:00" },
  pickup_places: { branch_code: "PMI", name: "Palma Airport, arrivals", place_type: "airport", price: "0.00" },
  categories: {
    code: "A",
    name: "Small car",
    vat_percent: "21.00",
    guarantee: "300.00",
    seats: "4",
    transmission: "manual",
    fuel: "petrol",
  },
  vehicles: {
    plate: "1234BCD",
    brand: "Fiat",
    model: "500",
    category_code: "A",
    branch_code: "PMI",
    usage_units: "12000",
    fuel: "petrol",
  },
  seasons: { name: "High" },
  season_periods: { season_id: "High", date_from: "2027-07-01", date_to: "2027-08-31" },
  tariff_brackets: { category_code: "A", season_id: "High", from_days: "1", to_days: "7", price: "45.00" },
  extras: {
    code: "SEAT",
    name: "Child seat",
    price_per: "day",
    price: "5.00",
    max_quantity: "2",
    vat_percent: "21.00",
  },
  customers: {
    key: "C-17",
    name: "Ana",
    surname: "Ruiz",
    document_id: "12345678Z",
    email: "ana@example.com",
    language: "es",
    address_country: "ES",
  },
  bookings: {
    key: "2026/00123",
    status: "in_progress",
    customer_id: "12345678Z",
    branch_code: "PMI",
    date_from: "2026-05-03",
    time_from: "10:00",
    date_to: "2026-05-10",
    time_to: "10:00",
    category_code: "A",
    vehicle_reference: "1234BCD",
    total: "315.00",
    product_guarantee: "300.00",
  },
  booking_extras: { booking_id: "2026/00123", extra_code: "SEAT", quantity: "1", extra: "0.00" },
  charges: {
    key: "P-9",
    booking_id: "2026/00123",
    source_doc: "booking",
    payment_method_id: "credit_card",
    date: "2026-05-03T08:05:00Z",
    amount: "315.00",
  },
  documents: {
    booking_id: "2026/00123",
    customer_id: "12345678Z",
    serie: "F26",
    number: "41",
    date: "2026-05-03",
    total: "315.00",
    vat_percent: "21.00",
  },
  number_series: { serie: "R26", last_number: "7", last_date: "2026-04-30" },
  expense_accounts: { name: "Fleet" },
  expense_concepts: { expense_account_id: "Fleet", name: "Tyres" },
  expenses: {
    vehicle_reference: "1234BCD",
    expense_concept_id: "Tyres",
    date: "2027-04-02",
    subtotal: "100.00",
    taxes: "21.00",
    total: "121.00",
  },
};

/**
 * Returns the templates as names and texts of files: one per required table with an example, and one that
 * explains every field.
 */
export async function createImportTemplates(
  db: D1Database,
  isIncluded: (table: string) => boolean = () => true,
): Promise<readonly (readonly [file: string, text: string])[]> {
  const tables = (await readImportExportTables(db)).filter(({ name }) => isIncluded(name));
  const examples = Object.entries(TEMPLATES).filter(([table]) => isIncluded(table));
  const files = examples.map(
    ([table, example], index) =>
      [
        `${String(index + 1).padStart(2, "0")}_${table}.csv`,
        `\uFEFF${toCsv([Object.keys(example), Object.values(example)])}`,
      ] as const,
  );
  const fields = `\uFEFF${toCsv([["table", "field", "what", "needed", "words"], ...tables.flatMap(rowsAbout)])}`;
  return [...files, ["about/fields.csv", fields]];
}

function rowsAbout(table: ImportExportTable): readonly string[][] {
  const following = listDerivedColumns(table.name);
  return listFileFields(table).map(({ field, column, kind, shape, isRequired, allowed, names }) => [
    table.name,
    field,
    names ? `a row of ${names.table}` : (shape ?? kind),
    isRequired ? (following.has(column) ? "unless it follows" : "yes") : "no",
    allowed?.join(" ") ?? "",
  ]);
}

/** Returns the templates as one zip file. */
export async function zipImportTemplates(
  db: D1Database,
  isIncluded: (table: string) => boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const files = await createImportTemplates(db, isIncluded);
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])));
}

import { cleanPastedText, normalizeDocumentId } from "#domain/identity.ts";
import type { ImportProblem } from "#domain/operations/import-problems.ts";
import { foldText } from "#domain/search-text.ts";
import { createCompactSql, createPhoneKeySql } from "#worker/store/access/matching-customers.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import type { IdSystem } from "./headings.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

/** Natural keys by which users identify a row, most reliable first. Excludes codes that are the table's own key. */
export const NATURAL_KEYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  settings: [["id"]],
  classifiers: [["name"]],
  branch_groups: [["external_code"], ["name"]],
  branches: [["external_code"], ["name"]],
  pickup_places: [["branch_code", "name"], ["name"]],
  families: [["code"], ["name"]],
  categories: [["name"]],
  vehicles: [["reference"], ["plate"]],
  vehicle_blocks: [["vehicle_reference", "starts_at"]],
  seasons: [["name"]],
  season_periods: [["season_id", "date_from"]],
  tariffs: [["category_code", "season_id", "sales_channel_code"]],
  offers: [["name"]],
  driver_age_rules: [["age_from", "age_to"]],
  extras: [["code"], ["name"]],
  agencies: [["name"]],
  agents: [["name"]],
  sales_channels: [["name"]],
  customers: [["document_id"]],
  bookings: [["agency_id", "agency_reservation_id"], ["free_access_id"]],
  booking_lines: [["booking_id", "category_code"]],
  booking_units: [["booking_line_id", "vehicle_reference"]],
  booking_extras: [["booking_id", "extra_code"]],
  documents: [["company_id", "kind", "serie", "number"]],
  number_series: [["company_id", "serie"]],
  transfer_trips: [["booking_id", "position"]],
  expense_accounts: [["name"]],
  expense_concepts: [["name"]],
  transfer_zones: [["name"]],
  transfer_points: [["name"]],
  transfer_vehicles: [["name"]],
  transfer_extras: [["name"]],
  letterhead: [["id"]],
};

/** Columns of natural keys that may be empty. */
const MAY_BE_NOTHING: Readonly<Record<string, readonly string[]>> = {
  tariffs: ["season_id", "sales_channel_code"],
  booking_units: [],
};

/** Values assumed for identifying a row if its file doesn't contain them. */
export const ASSUMED_KEY_VALUES: Readonly<Record<string, StoredValues>> = {
  documents: { company_id: 1, kind: "invoice" },
  number_series: { company_id: 1 },
  transfer_trips: { position: 1 },
};

export type StoredValues = Readonly<Record<string, StoredValue>>;

/** Returns a condition, with parameters, that finds the row with a key. Undefined if a value is missing. */
export function createKeyCondition(
  table: string,
  key: readonly string[],
  values: StoredValues,
): { readonly where: string; readonly parameters: readonly StoredValue[] } | undefined {
  const optional = MAY_BE_NOTHING[table] ?? [];
  const isThere = (column: string) =>
    optional.includes(column) || (values[column] !== undefined && values[column] !== null && values[column] !== "");
  if (key.length === 0 || !key.every(isThere)) return undefined;
  const compared = key.map((column) => compareKey(table, column));
  return {
    where: compared.map(({ where }) => where).join(" AND "),
    parameters: compared.map(({ toValue }, at) => toValue(values[key[at] ?? ""] ?? null)),
  };
}

interface KeyComparison {
  readonly where: string;
  readonly toValue: (value: StoredValue) => StoredValue;
}

// Compares documents and plates in any spelling, as the office does, and any other column exactly.
function compareKey(table: string, column: string): KeyComparison {
  if (table === "customers" && column === "document_id")
    return {
      where: `${createCompactSql(column)} IS ? AND merged_into_id IS NULL`,
      toValue: (value) => squeeze(value, normalizeDocumentId),
    };
  if (table === "vehicles" && column === "plate")
    return { where: `${createCompactSql(column)} IS ?`, toValue: (value) => squeeze(value, cleanPastedText) };
  return { where: `${column} IS ?`, toValue: (value) => value };
}

function squeeze(value: StoredValue, normalize: (text: string) => string): StoredValue {
  return typeof value === "string"
    ? normalize(value)
        .toUpperCase()
        .replaceAll(/[ ./-]/g, "")
    : value;
}

/** Returns a condition that finds the rows with these ids of the other system. Follows merged customers. */
export function createTheirKeyCondition(table: string, keys: readonly string[]) {
  const rows = "(SELECT row_id FROM import_keys WHERE entity = ? AND key IN (SELECT value FROM json_each(?)))";
  const remaining = `(SELECT coalesce(merged_into_id, id) FROM customers WHERE id IN ${rows})`;
  return { where: `id IN ${table === "customers" ? remaining : rows}`, parameters: [table, JSON.stringify(keys)] };
}

/** Returns a condition that finds a customer by e-mail or telephone, and name, unless the documents differ. */
export function createSameCustomerCondition(values: StoredValues) {
  const { name, surname, document_id: documentId } = values;
  const contact = CONTACTS.find(({ column }) => typeof values[column] === "string" && values[column] !== "");
  if (!contact || typeof name !== "string") return undefined;
  const fullName = `${name} ${surname ?? ""}`.trim();
  const { column, toKey } = contact;
  return {
    where: `${column} IS NOT NULL AND ${toKey(column)} = (SELECT ${toKey("wanted")} FROM (SELECT ? AS wanted)) AND merged_into_id IS NULL
      AND ${createFoldedTextSql("trim(full_name)")} = ? AND (document_id IS NULL OR ? IS NULL)`,
    parameters: [values[column] ?? null, foldText(fullName), documentId ?? null],
  };
}

/** Columns by which a customer without document is found, most reliable first. Each has an index of its key. */
const CONTACTS: readonly { readonly column: string; readonly toKey: (text: string) => string }[] = [
  { column: "email", toKey: (text) => `lower(${text})` },
  { column: "phone_number", toKey: createPhoneKeySql },
  { column: "mobile_phone", toKey: createPhoneKeySql },
];

/** Table and column that a reference in a file means. */
export interface ReferencedColumn {
  readonly table: string;
  readonly column: string;
}

/** Key of the row that a file's value names, or the problem if there is none or more than one. */
export type KeyLookupResult = { readonly value: StoredValue } | ImportProblem;

/** Finds the row that a cell references: by its key, by the other system's id, or by a natural key. */
export function findReferencedRow(
  sqlite: SynchronousDatabase,
  { table, column }: ReferencedColumn,
  cell: StoredValue,
  idSystem: IdSystem,
): KeyLookupResult {
  // SQLite would compare a text such as 00042 with an id as the number 42.
  const isOurs = column !== "id" || (typeof cell === "number" && idSystem !== "theirs");
  const own = () => (isOurs ? oneBy(sqlite, table, column, `${column} = ?`, [cell]) : undefined);
  const theirs = () => byTheirKey(sqlite, table, column, cell);
  const isTheirsFirst = column === "id" && idSystem === "both";
  const keyMatch =
    (isTheirsFirst ? (theirs() ?? own()) : (own() ?? theirs())) ?? byNaturalKey(sqlite, table, column, cell);
  if (keyMatch) return keyMatch;
  const known = listExamples(sqlite, table, column, idSystem).join(", ");
  return {
    code: "reference_unknown",
    params: { table },
    remedy: known === "" ? { code: "file_of_table", params: { table } } : { code: "one_of", params: { values: known } },
  };
}

// Lists some existing rows as users would reference them in a file, as examples in an error message.
function listExamples(
  sqlite: SynchronousDatabase,
  table: string,
  column: string,
  idSystem: IdSystem,
): readonly string[] {
  const keys = NATURAL_KEYS[table] ?? [];
  const isNamed = keys.some((natural) => natural.length === 1 && natural[0] === "name");
  const natural = [keys[0]?.at(-1) ?? "NULL", ...(isNamed ? ["name"] : [])];
  const key = `(SELECT key FROM import_keys WHERE entity = '${table}' AND row_id = ${table}.id)`;
  const names = [key, ...natural, ...(idSystem === "theirs" ? [] : ["id"])].join(", ");
  const name = column === "id" ? `coalesce(${names})` : column;
  const some = sqlite
    .prepare(`SELECT name FROM (SELECT ${name} AS name FROM ${table}) WHERE name IS NOT NULL LIMIT 5`)
    .all();
  return some.map((row) => String(row["name"]));
}

function oneBy(
  sqlite: SynchronousDatabase,
  table: string,
  column: string,
  where: string,
  parameters: readonly StoredValue[],
): KeyLookupResult | undefined {
  const rows = sqlite.prepare(`SELECT ${column} AS value FROM ${table} WHERE ${where} LIMIT 2`).all(...parameters);
  if (rows.length > 1)
    return {
      code: "reference_ambiguous",
      params: { table },
      remedy: { code: "column_of_row", params: { column } },
    };
  return rows[0] && { value: rows[0]["value"] as StoredValue };
}

function byTheirKey(
  sqlite: SynchronousDatabase,
  table: string,
  column: string,
  cell: StoredValue,
): KeyLookupResult | undefined {
  if (!hasId(sqlite, table)) return undefined;
  const find = (keys: readonly string[]) => {
    const { where, parameters } = createTheirKeyCondition(table, keys);
    return oneBy(sqlite, table, column, where, parameters);
  };
  return find([String(cell)]) ?? find(listKeySpellings(String(cell)));
}

const MAX_KEY_DIGITS = 12;

// Lists a number with any leading zeros, because a spreadsheet may have removed them from one of the files.
function listKeySpellings(key: string): readonly string[] {
  if (!/^\d+$/.test(key)) return [];
  const digits = key.replace(/^0+(?=\d)/, "");
  const lengths = Array.from(
    { length: Math.max(0, MAX_KEY_DIGITS - digits.length) + 1 },
    (_, at) => digits.length + at,
  );
  return lengths.map((length) => digits.padStart(length, "0"));
}

function hasId(sqlite: SynchronousDatabase, table: string): boolean {
  return sqlite.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = 'id' AND pk = 1").get(table) !== undefined;
}

function byNaturalKey(
  sqlite: SynchronousDatabase,
  table: string,
  column: string,
  cell: StoredValue,
): KeyLookupResult | undefined {
  if (table === "documents")
    return oneBy(sqlite, table, column, "replace(serie || '/' || number, ' ', '') = replace(?, '-', '/')", [cell]);
  for (const key of NATURAL_KEYS[table] ?? []) {
    if (key.length > 1) continue;
    const { where, toValue } = compareKey(table, key[0] ?? "");
    const keyMatch = oneBy(sqlite, table, column, where, [toValue(String(cell))]);
    if (keyMatch) return keyMatch;
  }
  return undefined;
}

import type { StoredValue } from "./file-rows.ts";
import { ACCOUNT_TABLES_CONDITION, sortByReferences } from "./table-order.ts";

/** Column of an account's table, as it's named and formatted in an import or export file. */
export interface ImportExportColumn {
  /** Name in the database. */
  readonly column: string;
  /** Name in the file. An amount has no `_cents`, and a rate is a percentage. */
  readonly field: string;
  readonly kind:
    | "text"
    | "date"
    | "time"
    | "number"
    | "yesNo"
    | "money"
    | "percent"
    | "hundredths"
    /** Percentage, amount or count, depending on the value in the column `by`. */
    | "measured"
    | "moment"
    | "civilMinute";
  readonly by?: string;
  /** Text that contains JSON: a list or an object. */
  readonly shape?: "list" | "record";
  /** Allowed values, if the schema lists all of them. */
  readonly allowed?: readonly string[];
  /** Referenced row of another table. */
  readonly names?: { readonly table: string; readonly column: string };
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

/** Table as import and export files contain it. */
export interface ImportExportTable {
  readonly name: string;
  readonly columns: readonly ImportExportColumn[];
  readonly key: readonly string[];
}

// Tables that aren't imported or exported. Credentials belong to one account and deployment. Sessions, device data and
// payment messages belong to the account's past. Triggers fill the rest. `document_series` is unused since
// `number_series` replaced it.
const EXCLUDED =
  /^(users|user_.*|password_resets|partner_keys|engine_keys|token_keys|account_secrets|security_events|rejected_requests|email_verifications|signature_nonces|second_factors|recovery_codes|passkeys|passkey_challenges|upkeep|access_attempts|development_mails|outgoing_mails|payment_.*|check_in_.*|customer_files|catalogue_photos|.*stock_allocations|ledger_.*|list_totals|search_blocks|catalogue_version|stock_version|catalogue_version_guards|version_guards|fleet_version_guards|dismissed_tasks|mail_cursor|booking_mails|reallocations|account_clock|document_requests|office_requests|office_history|customer_version_guards|paid_version_guards|refund_requests|gateway_refunds|charge_allocations|document_series|imports|import_changes|import_keys|webhook.*|calendars|earlier_issuers|tax_.*|ministry_report.*|erasures|erasure_files|deletions|d1_migrations|directory_owner|sqlite_.*|_cf_.*)$/;
const MOMENTS =
  /^(created_at|last_update|cancelled_at|expires_at|delivered_at|collected_at|reopened_at|at|repaired_at|done_at|sent_at|decided_at|sold_out_at|valid_until)$/;
/**
 * Columns that aren't imported or exported: references to excluded tables, one derived from charges, and a credential.
 */
const HIDDEN: ReadonlySet<string> = new Set([
  "vehicle_damages.op_id",
  "bookings.cart_id",
  "bookings.deposit_held_cents",
  "transfer_bookings.cart_id",
  "settings.ses_password_sealed",
  "office_tasks.assignee_id",
]);

interface Info {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  readonly hidden: number;
}

interface Reference {
  readonly of: string;
  readonly from: string;
  readonly table: string;
  readonly to: string | null;
}

/**
 * Returns a text that changes with the account's tables, so that `readImportExportTables` only runs again after a
 * change.
 */
export async function readTableSchemaVersion(db: D1Database): Promise<string> {
  const version = await db.prepare("SELECT count(*) || '.' || sum(length(sql)) AS v FROM sqlite_master").first("v");
  return String(version);
}

/** Reads the tables for import and export, each after those it references, in one round trip. */
export async function readImportExportTables(db: D1Database): Promise<readonly ImportExportTable[]> {
  const [d1Result, columns, named] = await db.batch([
    db.prepare(
      `SELECT tables.name, tables.sql FROM sqlite_master AS tables WHERE ${ACCOUNT_TABLES_CONDITION} ORDER BY tables.name`,
    ),
    db.prepare(`SELECT tables.name AS "table", columns.* FROM sqlite_master AS tables
      JOIN pragma_table_xinfo(tables.name) AS columns WHERE ${ACCOUNT_TABLES_CONDITION} ORDER BY tables.name, columns.cid`),
    db.prepare(`SELECT tables.name AS "of", named."from", named."table", named."to" FROM sqlite_master AS tables
      JOIN pragma_foreign_key_list(tables.name) AS named WHERE ${ACCOUNT_TABLES_CONDITION} ORDER BY tables.name, named.id, named.seq`),
  ]);
  const own = ((d1Result?.results ?? []) as { name: string; sql: string }[]).filter(({ name }) => !EXCLUDED.test(name));
  const columnsByTable = Map.groupBy((columns?.results ?? []) as unknown as Info[], ({ table }) => table);
  const namedBy = Map.groupBy((named?.results ?? []) as unknown as Reference[], ({ of }) => of);
  const tables = own.map(({ name, sql }) =>
    toTable(name, sql, columnsByTable.get(name) ?? [], namedBy.get(name) ?? []),
  );
  const references = own.flatMap(({ name }) => (namedBy.get(name) ?? []).map(({ table }) => ({ name, named: table })));
  const ordered = sortByReferences(tables, references);
  // Settings come last, because an account counts as ready once it has them.
  return [...ordered.filter(({ name }) => name !== "settings"), ...ordered.filter(({ name }) => name === "settings")];
}

function toTable(
  name: string,
  sql: string,
  columns: readonly Info[],
  references: readonly Reference[],
): ImportExportTable {
  const visible = columns.filter((column) => column.hidden === 0 && !HIDDEN.has(`${name}.${column.name}`));
  return {
    name,
    columns: visible.map((column) => ({
      ...toColumn(name, sql, column, new Set(visible.map((info) => info.name))),
      ...getReference(column.name, references),
      ...getAllowedValues(column.name, sql),
      ...getShape(column, sql),
    })),
    key: columns
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name),
  };
}

function getReference(column: string, references: readonly Reference[]): Pick<ImportExportColumn, "names"> {
  const reference = references.find(({ from }) => from === column);
  // A transfer has the same id as its contract, so the reference is to the contract.
  if (reference?.table === "transfer_bookings") return { names: { table: "bookings", column: "id" } };
  return reference ? { names: { table: reference.table, column: reference.to ?? "id" } } : {};
}

function getAllowedValues(column: string, sql: string): Pick<ImportExportColumn, "allowed"> {
  const allowedList = new RegExp(`CHECK \\(${column} IN \\(('[^)]*')\\)\\)`).exec(sql)?.[1];
  return allowedList ? { allowed: allowedList.split(",").map((word) => word.trim().slice(1, -1)) } : {};
}

/** Columns without a default that contain a JSON object. */
const OBJECTS: ReadonlySet<string> = new Set(["request", "offer", "discount", "agreed_with_agency"]);

function getShape({ name, dflt_value: initial }: Info, sql: string): Pick<ImportExportColumn, "shape"> {
  if (!new RegExp(`json_valid\\(${name}\\)`).test(sql)) return {};
  return { shape: initial?.startsWith("'{") || OBJECTS.has(name) ? "record" : "list" };
}

const MEASURED: Readonly<Record<string, string>> = {
  "offers.value": "discount_type",
  "promotion_codes.value": "discount_type",
  "cancellation_terms.fee_value": "fee_type",
  "transfer_supplements.value": "value_type",
  "extras.deposit_reduction_value": "deposit_reduction_type",
  "extras.guarantee_reduction_value": "deposit_reduction_type",
};

/** Returns whether a value is a percentage, an amount or a count, by the column with its unit. */
export function getColumnKindByUnit(word: StoredValue | undefined): "percent" | "money" | "number" {
  if (word === "percentage") return "percent";
  return word === "amount" ? "money" : "number";
}

const SUFFIXES = [
  [/_cents$/, "", "money"],
  [/_basis_points$/, "_percent", "percent"],
  [/_hundredths$/, "", "hundredths"],
] as const;

function toColumn(table: string, sql: string, info: Info, names: ReadonlySet<string>): ImportExportColumn {
  const common = {
    column: info.name,
    isRequired: info.notnull === 1 && info.dflt_value === null,
    hasDefault: info.dflt_value !== null || (info.pk > 0 && info.type === "INTEGER"),
  };
  for (const [suffix, replacement, kind] of SUFFIXES) {
    if (!suffix.test(info.name)) continue;
    const field = info.name.replace(suffix, replacement);
    // `time_from` is already the name of a time, so the field of its cost gets a suffix.
    return { ...common, field: names.has(field) ? `${field}_amount` : field, kind };
  }
  const by = MEASURED[`${table}.${info.name}`];
  return { ...common, field: info.name, kind: by ? "measured" : getColumnKind(table, sql, info), ...(by && { by }) };
}

function getColumnKind(table: string, sql: string, { name, type }: Info): ImportExportColumn["kind"] {
  if (type === "TEXT") return getTextKind(sql, name);
  if (table === "vehicle_blocks" && /^(starts|ends)_at$/.test(name)) return "civilMinute";
  if (MOMENTS.test(name) || (table === "charges" && name === "date")) return "moment";
  return new RegExp(`\\b${name} INTEGER[^,]*CHECK \\(${name} IN \\(0, 1\\)\\)`).test(sql) ? "yesNo" : "number";
}

function getTextKind(sql: string, name: string): ImportExportColumn["kind"] {
  if (new RegExp(`\\b${name} IS date\\(${name}\\)`).test(sql)) return "date";
  return new RegExp(`\\b${name} GLOB '\\[0-2\\]\\[0-9\\]:`).test(sql) ? "time" : "text";
}

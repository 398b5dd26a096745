import { createHash } from "node:crypto";
import { createResetAfterRestoreStatements } from "#worker/imports/reset-after-restore.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import type { BackupFile } from "./restore.ts";

/** Prepares an account restored to an earlier time. See `createResetAfterRestoreStatements`. */
export async function resetAfterRestore(db: D1Database, now: number): Promise<void> {
  await db.batch([...createResetAfterRestoreStatements(db, now)]);
}

/** Parses the last invoice numbers by serie: `A-26=123,B-26=40`. Throws if invalid. */
export function parseLastInvoiceNumbers(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(",").map((pair) => /^\s*(.+?)\s*=\s*(\d{1,9})\s*$/.exec(pair));
  if (pairs.includes(null)) throw new Error("--last-numbers expects A-26=123,B-26=40: each series and its last number");
  return new Map(pairs.map((pair) => [pair?.[1] ?? "", Number(pair?.[2])]));
}

/** Continues invoice numbers after the last issued one of each serie. Throws if a serie doesn't exist. */
export async function advanceInvoiceSeries(db: D1Database, lastNumbers: ReadonlyMap<string, number>): Promise<void> {
  const known = new Set((await listLastNumbersBySeries(db)).map(({ serie }) => serie));
  const unknown = [...lastNumbers.keys()].filter((serie) => !known.has(serie));
  if (unknown.length > 0)
    throw new Error(`There is no serie ${unknown.join(", ")}; there are ${[...known].join(", ") || "none"}`);
  const update = "UPDATE number_series SET last_number = max(last_number, ?) WHERE serie = ?";
  const statements = [...lastNumbers].map(([serie, last]) => db.prepare(update).bind(last, serie));
  if (statements.length > 0) await db.batch(statements);
}

/** Lists the last issued number of each serie. */
export async function listLastNumbersBySeries(
  db: D1Database,
): Promise<readonly { readonly serie: string; readonly last_number: number; readonly last_date: string }[]> {
  const select = "SELECT serie, last_number, last_date FROM number_series ORDER BY company_id, serie";
  return (await db.prepare(select).all<{ serie: string; last_number: number; last_date: string }>()).results;
}

/** Lists the active partner keys, website keys, staff users and webhooks, one text each. */
export async function listActiveKeysUsersAndWebhooks(db: D1Database): Promise<readonly string[]> {
  const select = `SELECT 'key ' || api_key AS open FROM partner_keys WHERE active = 1 AND hashed = 0
    UNION ALL SELECT 'key of ' || name FROM partner_keys WHERE active = 1 AND hashed = 1
    UNION ALL SELECT 'website key ' || api_key FROM engine_keys WHERE active = 1
    UNION ALL SELECT role || ' ' || email FROM users WHERE active = 1 AND kind = 'staff'
    UNION ALL SELECT 'webhook ' || url FROM webhooks WHERE active = 1`;
  return (await db.prepare(select).all<{ open: string }>()).results.map(({ open }) => open);
}

type Row = Readonly<Record<string, StoredValue>>;

function getTableRows({ tables }: BackupFile, name: string): readonly Row[] {
  const table = tables.find((table) => table.name === name);
  const columns = table?.columns ?? [];
  return (table?.rows ?? []).map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
}

/** Data issued or written before a later backup that the restored account has lost. */
export interface RestoreLosses {
  /** Text about the lost records of each kind, if any. */
  readonly lostRecordTexts: readonly string[];
  /** Description of each key, user or webhook that was deactivated again. */
  readonly deactivatedAccess: readonly string[];
}

const LOST_KINDS = [
  ["bookings", "reservations", ({ id }) => id],
  ["documents", "documents", ({ serie, number, id }) => (number === null ? `draft ${id}` : `${serie}/${number}`)],
  ["charges", "charges", ({ id, booking_id, amount_cents }) => `${id} (${amount_cents} cents of ${booking_id})`],
  ["tax_records", "records of the tax agency", ({ number }) => number],
  ["ministry_reports", "reports to the ministry", ({ id }) => id],
  ["customers", "customers", ({ id }) => id],
  ["users", "users", ({ email }) => email],
  ["partner_keys", "keys", ({ name }) => name],
] as const satisfies readonly (readonly [string, string, (row: Row) => StoredValue | undefined])[];

const KEYS: Readonly<Record<string, string>> = { partner_keys: "api_key" };

/**
 * Reconciles a restored account with a backup made before the restore. Continues invoice numbers after the last issued
 * one, revokes later-revoked access again, reports records anew to extracting systems, and returns the losses.
 */
export async function reconcileWithLaterBackup(db: D1Database, later: BackupFile, now: number): Promise<RestoreLosses> {
  await takeSeries(db, later);
  const deactivatedAccess = await closeAgain(db, later);
  await requeueReports(db, later, now);
  const lostRecordTexts: string[] = [];
  for (const [table, words, getRowLabel] of LOST_KINDS) {
    const key = KEYS[table] ?? "id";
    const rows = await readRows(
      db,
      `SELECT ${table === "partner_keys" ? "api_key, key_only, hashed" : "id"} FROM ${table}`,
    );
    const known = new Set(rows.map((row) => toBackupKey(row[key] ?? null, row)));
    const lostRows = getTableRows(later, table).filter((row) => !known.has(row[key] ?? null));
    if (lostRows.length > 0)
      lostRecordTexts.push(
        `${lostRows.length} ${words}: ${lostRows.map((row) => String(getRowLabel(row))).join(", ")}`,
      );
  }
  return { lostRecordTexts, deactivatedAccess };
}

async function takeSeries(db: D1Database, later: BackupFile): Promise<void> {
  const update = `UPDATE number_series SET last_number = max(last_number, ?), last_date = max(last_date, ?)
    WHERE company_id = ? AND serie = ?`;
  const statements = getTableRows(later, "number_series").map(({ company_id, serie, last_number, last_date }) =>
    db.prepare(update).bind(...[last_number, last_date, company_id, serie].map((value) => value ?? null)),
  );
  if (statements.length > 0) await db.batch(statements);
}

async function readRows(db: D1Database, sql: string): Promise<readonly Row[]> {
  return (await db.prepare(sql).all<Row>()).results;
}

interface Closing {
  readonly table: "partner_keys" | "engine_keys" | "users" | "webhooks";
  readonly key: string;
  /** Columns that grant access, restored to their latest values. */
  readonly columns: readonly string[];
  readonly words: string;
}

const CLOSINGS: readonly Closing[] = [
  {
    table: "partner_keys",
    key: "api_key",
    columns: [
      ...["secret_sealed", "previous_secret_sealed", "previous_valid_until", "scope_ota", "scope_integration"],
      ...["scope_analytics", "signatures", "public_key", "networks"],
    ],
    words: "key",
  },
  { table: "engine_keys", key: "api_key", columns: ["allowed_origins"], words: "website key" },
  { table: "users", key: "id", columns: ["password_hash", "role", "all_branches"], words: "user" },
  { table: "webhooks", key: "id", columns: ["url", "secret_sealed", "previous_secret_sealed"], words: "webhook" },
];

async function closeAgain(db: D1Database, later: BackupFile): Promise<readonly string[]> {
  const closed: string[] = [];
  const statements = [...branchesAgain(db, later), ...passkeysAgain(db, later)];
  for (const closing of CLOSINGS) {
    const last = new Map(getTableRows(later, closing.table).map((row) => [row[closing.key], row]));
    for (const row of await readRows(db, `SELECT * FROM ${closing.table}`)) {
      const now = withLatestReport(row, last.get(toBackupKey(row[closing.key] ?? null, row)));
      statements.push(...restoreLatestReports(db, closing, row, now));
      if (row["active"] === 1 && now["active"] !== 1) closed.push(`${closing.words} ${getRowLabel(row)}`);
    }
  }
  for (let start = 0; start < statements.length; start += 100) await db.batch(statements.slice(start, start + 100));
  return closed;
}

// A key without signatures is its own credential, so backups contain only its hash.
const toBackupKey = (key: StoredValue, { key_only, hashed }: Row): StoredValue =>
  key_only === 1 && hashed === 0 ? createHash("sha256").update(String(key)).digest("hex") : key;

const getRowLabel = (row: Row) => row["email"] ?? row["url"] ?? row["name"];

// Returns the access as in the later backup if it has the same record. Otherwise disables it, because a
// record deleted since then may have had the same id.
const withLatestReport = (row: Row, then: Row | undefined): Row =>
  then?.["created_at"] === row["created_at"] ? { ...then } : { active: 0 };

function restoreLatestReports(
  db: D1Database,
  { table, key, columns }: Closing,
  row: Row,
  now: Row,
): readonly D1PreparedStatement[] {
  const changed = ["active", ...columns].filter((column) => {
    // Access that is disabled in the restored account stays disabled, so that staff must enable it again.
    const isOpened = column === "active" && row[column] === 0;
    return !isOpened && now[column] !== undefined && now[column] !== row[column];
  });
  if (changed.length === 0) return [];
  const set = changed.map((column) => `${column} = ?`).join(", ");
  const values = changed.map((column) => now[column] ?? null);
  return [db.prepare(`UPDATE ${table} SET ${set} WHERE ${key} = ?`).bind(...values, row[key] ?? null)];
}

// Removes branches of users that were revoked since.
function branchesAgain(db: D1Database, later: BackupFile): readonly D1PreparedStatement[] {
  const pairs = getTableRows(later, "user_branches").map((row) => [row["user_id"], row["branch_code"]]);
  const still = "(SELECT value ->> 0, value ->> 1 FROM json_each(?))";
  return [
    db.prepare(`DELETE FROM user_branches WHERE (user_id, branch_code) NOT IN ${still}`).bind(JSON.stringify(pairs)),
    db
      .prepare(`INSERT OR IGNORE INTO user_branches (user_id, branch_code) SELECT value ->> 0, value ->> 1 FROM json_each(?)
        WHERE value ->> 0 IN (SELECT id FROM users) AND value ->> 1 IN (SELECT code FROM branches)`)
      .bind(JSON.stringify(pairs)),
  ];
}

// Removes passkeys that were deleted since, such as those of a lost device.
function passkeysAgain(db: D1Database, later: BackupFile): readonly D1PreparedStatement[] {
  const still = JSON.stringify(getTableRows(later, "passkeys").map(({ id }) => id));
  return [db.prepare("DELETE FROM passkeys WHERE id NOT IN (SELECT value FROM json_each(?))").bind(still)];
}

const EXTRACTED = ["customers", "bookings", "documents", "charges"];
const ID_BATCH_SIZE = 1000;

// Sets a new `last_update` on records whose later changes were lost, so that extracting systems read them again.
async function requeueReports(db: D1Database, later: BackupFile, now: number): Promise<void> {
  for (const table of EXTRACTED) {
    const then = new Map(getTableRows(later, table).map((row) => [row["id"], row["last_update"]]));
    const rows = await readRows(db, `SELECT id, last_update FROM ${table}`);
    const changed = rows.filter(({ id, last_update }) => then.has(id ?? null) && then.get(id ?? null) !== last_update);
    for (let start = 0; start < changed.length; start += ID_BATCH_SIZE) {
      const ids = JSON.stringify(changed.slice(start, start + ID_BATCH_SIZE).map(({ id }) => id));
      const update = `UPDATE ${table} SET last_update = ? WHERE id IN (SELECT value FROM json_each(?))`;
      await db.prepare(update).bind(now, ids).run();
    }
  }
}

type Series = Awaited<ReturnType<typeof listLastNumbersBySeries>>;

const MAX_LISTED_CHARACTERS = 600;

/** Formats the restore report: losses, revoked access and manual steps. */
export function formatRestoreReport(
  losses: RestoreLosses | undefined,
  { series, open }: { readonly series: Series; readonly open: readonly string[] },
): readonly string[] {
  const years = series.map(({ last_date }) => last_date.slice(0, 4)).toSorted();
  const currentYearSeries = series.filter(({ last_date }) => last_date.startsWith(years.at(-1) ?? ""));
  const numbers = currentYearSeries.map(
    ({ serie, last_number, last_date }) => `${serie} ${last_number} of ${last_date}`,
  );
  return [
    "Nobody is signed in any more, and what phones hold is kept; new reservations have higher numbers than any before.",
    "Records of the tax agency begin a chain of a new installation.",
    ...(losses?.lostRecordTexts.map((kind) => `lost: ${shortened(kind)}`) ?? []),
    ...(losses?.deactivatedAccess.map((text) => `closed again: ${text}`) ?? []),
    ...(numbers.length > 0 && !losses
      ? [`The last invoices are ${numbers.join(", ")}: where later ones were given out, say --last-numbers.`]
      : []),
    ...(losses ? [] : [`Let in are, those too that were shut out since: ${open.join(", ")}. Look at each.`]),
  ];
}

function shortened(text: string): string {
  return text.length <= MAX_LISTED_CHARACTERS
    ? text
    : `${text.slice(0, MAX_LISTED_CHARACTERS)}… (all of them are in the copy)`;
}

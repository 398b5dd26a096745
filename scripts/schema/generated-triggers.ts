import { createSearchTriggers, type SchemaTrigger } from "./search-triggers.ts";
import rules from "./triggers.json" with { type: "json" };

const CLOCK = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

interface ListedTable {
  readonly table: string;
  /** Column that identifies a row. */
  readonly key: string;
  /** SQL expression of the list total that counts the row, with @ for the row. Defaults to one total for the table. */
  readonly list?: string | undefined;
  readonly when?: string | undefined;
}

/**
 * Condition of rows counted by searches, in SQL with @ for the row, and the columns that affect the count. All if
 * omitted.
 */
interface CountedTable {
  readonly table: string;
  readonly columns?: string | undefined;
  readonly when?: string | undefined;
  /** Column of `stock_version` to increase, if not the version that searches compare. */
  readonly number?: string | undefined;
}

/** A row change that affects responses about others, so their `last_update` changes. */
interface Cascade {
  readonly name: string;
  /** Trigger event, such as `UPDATE OF name ON families`. */
  readonly on: string;
  readonly when?: string | undefined;
  readonly touches: string;
  readonly where: string;
  /** SQL of the new `last_update` of the other rows. Defaults to the database's clock. */
  readonly at?: string | undefined;
}

/** A webhook event, inserted into the outbox in the same batch when a matching row is inserted. */
interface Announcement extends Pick<Cascade, "name" | "on" | "when" | "at"> {
  /** SQL of the event's columns. */
  readonly type: string;
  readonly subject: string;
  readonly resource: string;
  readonly booking: string;
}

const RULES: {
  /** Catalogue source tables. Any row change increases the version (decision 0004). */
  readonly catalogueTables: readonly string[];
  /** Stock source tables. A row change increases the version (decision 0053). */
  readonly stockTables: readonly CountedTable[];
  /** Tables listed by extraction. Rows are counted and get a new `last_update` (decision 0015). */
  readonly listedTables: readonly ListedTable[];
  readonly touched: Readonly<Record<string, readonly Cascade[]>>;
  readonly webhookEvents: readonly Announcement[];
} = rules;

/** Returns all triggers generated from rules. Migrations contain exactly these and handwritten ones. */
export function listGeneratedTriggers(): readonly SchemaTrigger[] {
  const { catalogueTables, stockTables, listedTables, touched, webhookEvents } = RULES;
  return [
    ...catalogueTables.flatMap(bumpCatalogueVersion),
    ...stockTables.flatMap(bumpStockVersion),
    ...listedTables.flatMap(countRows),
    ...listedTables.map(touchRow),
    ...Object.values(touched).flat().map(touchRelatedRows),
    ...createSearchTriggers(),
    ...webhookEvents.map(insertWebhookEvent),
  ];
}

// Inserts the event only if the account has webhooks. Otherwise the trigger writes nothing.
function insertWebhookEvent({
  name,
  on,
  when,
  type,
  subject,
  resource,
  booking,
  at = CLOCK,
}: Announcement): SchemaTrigger {
  return createTrigger(
    name,
    on,
    `EXISTS (SELECT 1 FROM webhooks)${when === undefined ? "" : ` AND ${when}`}`,
    `INSERT INTO webhook_events (uid, type, subject, resource, booking_id, at) VALUES ('msg_' || lower(hex(randomblob(16))), ${type}, ${subject}, ${resource}, ${booking}, ${at});`,
  );
}

function bumpCatalogueVersion(table: string): SchemaTrigger[] {
  return ["insert", "update", "delete"].map((event) =>
    createTrigger(
      `${table}_${event}_bump_catalogue_version`,
      `${event.toUpperCase()} ON ${table}`,
      undefined,
      "UPDATE catalogue_version SET version = version + 1 WHERE id = 1;",
    ),
  );
}

function bumpStockVersion({ table, columns, when, number }: CountedTable): SchemaTrigger[] {
  const versionColumn = number ?? "version";
  const events = [
    { event: "insert", on: "INSERT", row: "NEW" },
    { event: "update", on: columns === undefined ? "UPDATE" : `UPDATE OF ${columns}`, row: "NEW" },
    { event: "delete", on: "DELETE", row: "OLD" },
  ] as const;
  return events.map(({ event, on, row }) =>
    createTrigger(
      `${table}_${event}_bump_${number ?? "stock"}_version`,
      `${on} ON ${table}`,
      when && bindRow(when, row),
      `UPDATE stock_version SET ${versionColumn} = ${versionColumn} + 1 WHERE id = 1;`,
    ),
  );
}

function countRows({ table, list = `'${table}'`, when }: ListedTable): SchemaTrigger[] {
  return [
    createTrigger(
      `${table}_insert_count_up`,
      `INSERT ON ${table}`,
      when && bindRow(when, "NEW"),
      `INSERT INTO list_totals (list, total) VALUES (${bindRow(list, "NEW")}, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;`,
    ),
    createTrigger(
      `${table}_delete_count_down`,
      `DELETE ON ${table}`,
      when && bindRow(when, "OLD"),
      `UPDATE list_totals SET total = total - 1 WHERE list = ${bindRow(list, "OLD")};`,
    ),
  ];
}

function bindRow(text: string, row: "NEW" | "OLD"): string {
  return text.replaceAll("@", row);
}

function touchRow({ table, key }: ListedTable): SchemaTrigger {
  const when = "NEW.last_update = OLD.last_update";
  return touchRelatedRows({
    name: `${table}_update_touch`,
    on: `UPDATE ON ${table}`,
    when,
    touches: table,
    where: `${key} = NEW.${key}`,
  });
}

function touchRelatedRows({ name, on, when, touches, where, at = CLOCK }: Cascade): SchemaTrigger {
  const body = `UPDATE ${touches} SET last_update = ${at} WHERE ${where} AND last_update < ${at};`;
  return createTrigger(name, on, when, body);
}

function createTrigger(name: string, on: string, when: string | undefined, body: string): SchemaTrigger {
  const condition = when === undefined ? "" : ` WHEN ${when}`;
  return { name, sql: `CREATE TRIGGER ${name} AFTER ${on}${condition}\nBEGIN\n  ${body}\nEND;` };
}

import { type AccountCopy, type CopiedTable, createAccountUnchangedGuard, ORIGINAL_TABLE_PREFIX } from "./copy.ts";
import type { SqliteRow } from "./synchronous-database.ts";
import { createFiringTriggersCondition, createTriggerSuspension, splitRowsIntoJson } from "./write-rows.ts";

/** Differences between a table's content before and after the import. */
export interface ImportDifference {
  readonly table: CopiedTable;
  /** New or changed rows, in their current state. */
  readonly currentRows: readonly SqliteRow[];
  /** Changed and removed rows, in their previous state. */
  readonly previousRows: readonly SqliteRow[];
}

/** Finds all changed tables of a copy. */
export function findImportDifferences({ sqlite, tables }: AccountCopy): readonly ImportDifference[] {
  return tables.flatMap((table) => {
    const columns = table.columns.join(", ");
    const except = (text: string, other: string) =>
      sqlite.prepare(`SELECT ${columns} FROM ${text} EXCEPT SELECT ${columns} FROM ${other}`).all();
    const earlier = `${ORIGINAL_TABLE_PREFIX}${table.name}`;
    const [currentRows, previousRows] = [except(table.name, earlier), except(earlier, table.name)];
    return currentRows.length + previousRows.length > 0 ? [{ table, currentRows, previousRows }] : [];
  });
}

export function toRowKey({ key }: CopiedTable, row: SqliteRow): string {
  return JSON.stringify(key.map((column) => row[column]));
}

/**
 * Returns the statements of one batch that apply a copy's changes to the account, all or nothing. Rules are suspended
 * in it, because the copy satisfies them. It fails if the account has changed since it was copied.
 */
export async function createDifferenceStatements(
  db: D1Database,
  copy: AccountCopy,
  differences: readonly ImportDifference[],
  maxStatementCharacters: number,
): Promise<readonly D1PreparedStatement[]> {
  const writtenTables = differences.map(({ table }) => table.name);
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(
    db,
    createFiringTriggersCondition(writtenTables),
  );
  return [
    createAccountUnchangedGuard(db, copy.state),
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...dropTriggers,
    ...differences.flatMap((difference) => createDeletions(db, difference, maxStatementCharacters)),
    ...differences.flatMap((difference) => insertions(db, difference, maxStatementCharacters)),
    ...recreateTriggers,
  ];
}

function createDeletions(
  db: D1Database,
  { table, currentRows, previousRows }: ImportDifference,
  characters: number,
): D1PreparedStatement[] {
  const remainingKeys = new Set(currentRows.map((row) => toRowKey(table, row)));
  const removedRows = previousRows
    .filter((row) => !remainingKeys.has(toRowKey(table, row)))
    .map((row) => table.key.map((column) => row[column]));
  const keys = table.key.map((_, index) => `value ->> ${index}`).join(", ");
  return [...splitRowsIntoJson(removedRows, characters)].map(({ json }) =>
    db
      .prepare(`DELETE FROM ${table.name} WHERE (${table.key.join(", ")}) IN (SELECT ${keys} FROM json_each(?))`)
      .bind(json),
  );
}

function insertions(
  db: D1Database,
  { table, currentRows }: ImportDifference,
  characters: number,
): D1PreparedStatement[] {
  const { name, columns, key } = table;
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const others = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  const update = others.length > 0 ? `UPDATE SET ${others.join(", ")}` : "NOTHING";
  const rows = currentRows.map((row) => columns.map((column) => row[column]));
  return [...splitRowsIntoJson(rows, characters)].map(({ json }) =>
    db
      .prepare(
        `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values} FROM json_each(?) WHERE true ON CONFLICT (${key.join(", ")}) DO ${update}`,
      )
      .bind(json),
  );
}

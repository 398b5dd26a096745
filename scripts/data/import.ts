import { completeLedger } from "../ledgers.ts";
import type { Progress } from "./export.ts";
import { type BadLine, type ReadLine, type ReadTable, readFiles } from "./read-files.ts";
import { type FileTable, readTables } from "./tables.ts";
import { tryOut } from "./trial.ts";
import type { Stored } from "./values.ts";

export interface ImportOptions {
  readonly folder: string;
  readonly migrationsFolder: string;
  /** Only says what is wrong. */
  readonly isDry: boolean;
  /** Characters of one statement: D1 takes 100,000 of SQL, wrangler's way to it the values in them. */
  readonly statementCharacters: number;
  readonly progress: Progress;
}

export interface Imported {
  readonly bad: readonly BadLine[];
  /** Rows by table, as they were read; written where nothing is bad and it was no dry run. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Reads a folder of files into an account: nothing is written while a single line is bad. What is there already stays; a row with its key is
 * a bad line, but for the settings, which are replaced.
 */
export async function importData(db: D1Database, options: ImportOptions): Promise<Imported> {
  const { folder, migrationsFolder, isDry, progress } = options;
  const tables = await readTables(db);
  const { read, bad } = await readFiles(folder, tables, await decimalsOf(db, folder, tables));
  const counts = new Map(read.map(({ table, lines }) => [table.name, lines.length]));
  const refused = bad.length > 0 ? bad : await tryOut(db, migrationsFolder, tables, read);
  if (refused.length > 0 || isDry) return { bad: refused, counts };
  const triggers = await liftedTriggers(db);
  for (const one of read) {
    for (const [index, chunk] of chunksOf(one, options.statementCharacters).entries()) {
      await db.batch([...triggers.lift, ...statementsOf(db, one.table, chunk, index === 0), ...triggers.putBack]);
      progress(one.table.name, Math.min(one.lines.length, (index + 1) * chunk.length), one.lines.length);
    }
  }
  await completeLedger(db);
  return { bad: [], counts };
}

// Amounts are of the currency that the files bring, or that the account has.
async function decimalsOf(db: D1Database, folder: string, tables: readonly FileTable[]): Promise<number> {
  const settings = tables.filter(({ name }) => name === "settings");
  const { read } = await readFiles(folder, settings, 2);
  const given = read[0]?.lines[0]?.values["currency_decimals"];
  if (typeof given === "number") return given;
  return (await db.prepare("SELECT currency_decimals AS decimals FROM settings").first<number>("decimals")) ?? 2;
}

interface Lifted {
  readonly lift: readonly D1PreparedStatement[];
  readonly putBack: readonly D1PreparedStatement[];
}

/**
 * Rules about what may still happen, lifted within each batch alone: a company that comes from elsewhere may have taken more than it has, and its
 * documents are issued already. Whoever books meanwhile meets every rule.
 */
async function liftedTriggers(db: D1Database): Promise<Lifted> {
  const { results } = await db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (name GLOB '*never_exceed*' OR name GLOB '*_move' OR name GLOB '*_move_*'
      OR name GLOB '*_moves_booking' OR name IN ('documents_begin_as_drafts', 'document_items_are_not_added', 'document_taxes_are_not_added'))`)
    .all<{ name: string; sql: string }>();
  return {
    lift: results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    putBack: results.map(({ sql }) => db.prepare(sql)),
  };
}

// Rows of the same columns go together; an omitted one is the database's default.
function chunksOf({ lines }: ReadTable, characters: number): (readonly ReadLine[])[] {
  const chunks: ReadLine[][] = [];
  let size = 0;
  let columns = "";
  for (const line of lines) {
    const own = Object.keys(line.values).join();
    const length = JSON.stringify(Object.values(line.values)).length;
    const current = chunks.at(-1);
    if (current && own === columns && size + length < characters) {
      current.push(line);
      size += length;
    } else {
      chunks.push([line]);
      size = length;
      columns = own;
    }
  }
  return chunks;
}

function statementsOf(
  db: D1Database,
  { name }: FileTable,
  lines: readonly ReadLine[],
  isFirst: boolean,
): D1PreparedStatement[] {
  const columns = Object.keys(lines[0]?.values ?? {});
  if (columns.length === 0) return [];
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const rows: (readonly (Stored | undefined)[])[] = lines.map((line) => columns.map((column) => line.values[column]));
  return [
    ...(name === "settings" && isFirst ? [db.prepare("DELETE FROM settings")] : []),
    db
      .prepare(`INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`)
      .bind(JSON.stringify(rows)),
  ];
}

import { allocateEverybody } from "../allocations.ts";
import { completeLedger } from "../ledgers.ts";
import type { Progress } from "./export.ts";
import { type BadLine, type ReadLine, type ReadTable, readFiles } from "./read-files.ts";
import { type FileTable, readTables } from "./tables.ts";
import { tryOut } from "./trial.ts";
import { insertStatement, textsOf, triggersAround } from "./write-rows.ts";

/**
 * Rules about what may still happen, lifted within each batch alone: a company that comes from elsewhere may have taken
 * more than it has, and its documents are issued already. Whoever books meanwhile meets every rule.
 */
const LIFTED = `name GLOB '*never_exceed*' OR name GLOB '*_move' OR name GLOB '*_move_*' OR name GLOB '*_moves_booking'
  OR name IN ('documents_begin_as_drafts', 'document_items_are_not_added', 'document_taxes_are_not_added')`;

/** Each serie goes on after the last number that came. */
const NUMBERS = `INSERT OR REPLACE INTO number_series (company_id, serie, last_number, last_date)
  SELECT company_id, serie, max(number), max(date) FROM documents WHERE invoice_status = 'invoice' GROUP BY 1, 2`;

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
 * Reads a folder of files into an account: nothing is written while a single line is bad. What is there already stays;
 * a row with its key is a bad line, but for the settings, which are replaced.
 */
export async function importData(db: D1Database, options: ImportOptions): Promise<Imported> {
  const { folder, migrationsFolder, isDry, progress } = options;
  const tables = await readTables(db);
  const { read, bad } = await readFiles(folder, tables, await decimalsOf(db, folder, tables));
  const counts = new Map(read.map(({ table, lines }) => [table.name, lines.length]));
  const refused = bad.length > 0 ? bad : await tryOut(db, migrationsFolder, tables, read);
  if (refused.length > 0 || isDry) return { bad: refused, counts };
  const { lift, putBack } = await triggersAround(db, LIFTED);
  for (const one of read) {
    const replaced = one.table.name === "settings" ? [db.prepare("DELETE FROM settings")] : [];
    let done = 0;
    for (const text of insertsOf(db, one, options.statementCharacters)) {
      await db.batch([...lift, ...(done === 0 ? replaced : []), text.insert, ...putBack]);
      done += text.count;
      progress(one.table.name, done, one.lines.length);
    }
  }
  await db.batch([db.prepare(NUMBERS), ...(await allocateEverybody(db))]);
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

function* insertsOf(db: D1Database, { table, lines }: ReadTable, characters: number) {
  for (const group of groupsOf(lines)) {
    const columns = columnsOf(group[0]);
    const rows = group.map(({ values }) => columns.map((column) => values[column]));
    for (const text of columns.length > 0 ? textsOf(rows, characters) : [])
      yield { insert: insertStatement(db, { name: table.name, columns }, text), count: text.count };
  }
}

// Rows of the same columns go together; an omitted one is the database's default.
function groupsOf(lines: readonly ReadLine[]): readonly (readonly ReadLine[])[] {
  const groups: ReadLine[][] = [];
  for (const line of lines) {
    const current = groups.at(-1);
    if (current && columnsOf(current[0]).join() === columnsOf(line).join()) current.push(line);
    else groups.push([line]);
  }
  return groups;
}

function columnsOf(line: ReadLine | undefined): readonly string[] {
  return Object.keys(line?.values ?? {});
}

import {
  getSearchPositionStart,
  SEARCH_BLOCK_LAYOUT,
  SEARCHABLE_LISTS,
  type SearchableListName,
} from "#domain/search-text.ts";
import { createFoldedTextSql, createReplaceSql } from "#worker/store/folded-text.ts";
import rules from "./triggers.json" with { type: "json" };

/** A trigger of the schema with its name and full statement. */
export interface SchemaTrigger {
  readonly name: string;
  readonly sql: string;
}

/** Ids per new block. Full blocks are merged to wider ones, and to the widest when old. */
const NARROW = 128;
const WIDER = [256, 512, 1024, 2048];
const WIDEST = SEARCH_BLOCK_LAYOUT.widestBlock;
/** D1 accepts values up to two million bytes. Changed texts may become longer. */
const MAX_BLOCK_BYTES = 1_000_000;
const SQUEEZED = [" ", "-", ".", "/"].map((sign) => [sign, ""] as const);
const MARK = `char(${SEARCH_BLOCK_LAYOUT.mark})`;
/** Searched columns of a list: unchanged ones, and those searched without spaces, dots, dashes and slashes. */
interface Searched {
  readonly table: SearchableListName;
  readonly asWritten: readonly string[];
  /** Columns combined into one text. */
  readonly squeezed: readonly (readonly string[])[];
  /** Related row with additional searched text: its list, and the column that refers to it. */
  readonly alsoOf?: { readonly table: SearchableListName; readonly by: string };
}

/** Lists that the office searches by parts of a text. */
const SEARCHED = rules.searched as readonly Searched[];

/**
 * Returns the triggers that maintain search blocks (decision 0031). Table triggers pass a row's old and new text to a
 * view without storage.
 */
export function createSearchTriggers(): readonly SchemaTrigger[] {
  const tableTriggers = SEARCHED.flatMap((searched) => {
    const { table, asWritten, squeezed, alsoOf } = searched;
    const columns = [...asWritten, ...squeezed.flat(), ...(alsoOf ? [alsoOf.by] : [])];
    const isChanged = columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(" OR ");
    const insertSearchLine = (id: string, before: string, after: string) =>
      `INSERT INTO search_lines (list, id, before, after) VALUES ('${table}', ${id}, ${before}, ${after});`;
    const [was, is] = [buildLineSql(searched, "OLD"), buildLineSql(searched, "NEW")];
    return [
      createTrigger(`${table}_insert_search_index`, `AFTER INSERT ON ${table}`, insertSearchLine("NEW.id", "NULL", is)),
      createTrigger(
        `${table}_update_search_index`,
        `AFTER UPDATE OF ${columns.join(", ")} ON ${table}\nWHEN ${isChanged}`,
        [insertSearchLine("NEW.id", was, is), ...updateRelatedLines(searched)].join("\n  "),
      ),
      createTrigger(
        `${table}_delete_search_index`,
        `AFTER DELETE ON ${table}`,
        insertSearchLine("OLD.id", was, "NULL"),
      ),
    ];
  });
  return [
    ...tableTriggers,
    createTrigger("search_lines_insert_new", "INSTEAD OF INSERT ON search_lines\nWHEN NEW.before IS NULL", newLine()),
    createTrigger(
      "search_lines_insert_changed",
      "INSTEAD OF INSERT ON search_lines\nWHEN NEW.before IS NOT NULL",
      changedLine(),
    ),
    createTrigger(
      "search_blocks_insert_merge",
      `AFTER INSERT ON search_blocks\nWHEN NEW.width = ${NARROW}`,
      [
        ...WIDER.flatMap((width) =>
          together(
            width,
            `${begins(width)} AND first_place >= NEW.first_place - ${width} AND first_place < NEW.first_place`,
          ),
        ),
        ...together(
          WIDEST,
          `${begins(NARROW * 8)} AND first_place >= ${getBlockStart(2 * WIDEST)} AND first_place < ${getBlockStart(WIDEST)}`,
        ),
      ].join("\n  "),
    ),
  ];
}

/** Returns statements that index existing rows. */
export function createFillSearchBlocksStatements(): readonly string[] {
  const narrow = SEARCHED.map(
    (searched) => `INSERT INTO search_blocks (first_place, width, lines)
SELECT ${getSearchPositionStart(searched.table)} + id - id % ${NARROW}, ${NARROW}, group_concat(text || ${createLineMark("id")}, '' ORDER BY id DESC)
FROM (SELECT id, ${createFoldedTextSql("text")} AS text FROM (SELECT id, ${buildLineSql(searched, searched.table)} AS text FROM ${searched.table}))
GROUP BY id - id % ${NARROW};`,
  );
  return [...narrow, ...allTogether()];
}

/** Returns statements that merge the narrow blocks of every list, except each list's newest blocks. */
function allTogether(): readonly string[] {
  const before = (newest: string) =>
    `first_place < (SELECT max(top.first_place) - max(top.first_place) % ${newest} FROM search_blocks AS top
    WHERE top.first_place / ${SEARCH_BLOCK_LAYOUT.placesOfAList} = search_blocks.first_place / ${SEARCH_BLOCK_LAYOUT.placesOfAList})`;
  const wider = WIDER.flatMap((width) => together(width, before(`${width}`)));
  return [...wider, ...together(WIDEST, before(`${WIDEST} - ${WIDEST}`))];
}

// Avoids CASE, because wrangler takes its END in parentheses for the trigger's when splitting a migration.
const PLACE = `(${SEARCHABLE_LISTS.reduceRight((others, list) => `iif(NEW.list = '${list}', ${getSearchPositionStart(list)}, ${others})`, "NULL")} + NEW.id)`;

// Lines are in descending id order. A line with a higher id becomes the first of the newest block or of a new block. A
// lower id needs its block to be sorted.
function newLine(): string {
  const mark = createLineMark("NEW.id");
  const inOrder = `(SELECT group_concat(line.value || ${MARK}, '' ORDER BY unicode(substr(line.value, -1)) DESC)
    FROM json_each('["' || replace(excluded.lines || rtrim(lines, ${MARK}), ${MARK}, '","') || '"]') AS line WHERE line.value <> '')`;
  return `INSERT INTO search_blocks (first_place, width, lines)
  SELECT coalesce((SELECT iif(first_place + width > place, first_place, NULL) FROM search_blocks WHERE first_place <= place ORDER BY first_place DESC LIMIT 1),
    place - place % ${NARROW}), ${NARROW}, ${createFoldedTextSql("NEW.after")} || ${mark}
  FROM (SELECT ${PLACE} AS place) WHERE true
  ON CONFLICT (first_place) DO UPDATE SET lines = iif(unicode(substr(lines, instr(lines, ${MARK}) - 1, 1)) < ${toCodePoint("NEW.id")},
    excluded.lines || lines, ${inOrder});`;
}

function changedLine(): string {
  const mark = createLineMark("NEW.id");
  return `UPDATE search_blocks SET lines = replace(lines, ${createFoldedTextSql("NEW.before")} || ${mark}, coalesce(${createFoldedTextSql("NEW.after")} || ${mark}, ''))
  WHERE first_place = (SELECT max(first_place) FROM search_blocks WHERE first_place <= ${PLACE});`;
}

// SQL condition that the new block starts at a multiple of `width`, so that the wider block before it is complete.
// Checked before reading rows, because most new blocks don't complete a wider one.
const begins = (width: number) => `NEW.first_place % ${width} = 0`;
const getBlockStart = (before: number) => `NEW.first_place - NEW.first_place % ${WIDEST} - ${before}`;

// Merges each group of `width` ids of these blocks, unless too long.
function together(width: number, which: string): readonly string[] {
  const group = (block: string) => `${block}first_place - ${block}first_place % ${width}`;
  const narrower = `${which} AND width < ${width}`;
  return [
    `INSERT INTO search_blocks (first_place, width, lines)
  SELECT ${group("")}, ${width}, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE ${narrower}
  GROUP BY ${group("")} HAVING sum(octet_length(lines)) < ${MAX_BLOCK_BYTES}
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;`,
    `DELETE FROM search_blocks WHERE ${narrower}
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = ${group("search_blocks.")} AND wide.width = ${width});`,
  ];
}

function toCodePoint(id: string): string {
  return `${SEARCH_BLOCK_LAYOUT.firstId} + ${id} % ${WIDEST}`;
}

function createLineMark(id: string): string {
  return `'${SEARCH_BLOCK_LAYOUT.beforeId}' || char(${toCodePoint(id)}, ${SEARCH_BLOCK_LAYOUT.mark})`;
}

function createTrigger(name: string, event: string, body: string): SchemaTrigger {
  return { name, sql: `CREATE TRIGGER ${name} ${event}\nBEGIN\n  ${body}\nEND;` };
}

/** Returns the SQL of a row's line: its own text and that of its related row. */
function buildLineSql(searched: Searched, row: string): string {
  const { alsoOf } = searched;
  if (!alsoOf) return buildTextSql(searched, row);
  const { table, by } = alsoOf;
  const relatedText = buildTextSql(listed(table), "theirs");
  return joined(
    buildTextSql(searched, row),
    `(SELECT ${relatedText} FROM ${table} AS theirs WHERE theirs.id = ${row}.${by})`,
  );
}

// Updates the lines of related rows when a row changes.
function updateRelatedLines({ table }: Searched): readonly string[] {
  return SEARCHED.flatMap((other) => {
    if (other.alsoOf?.table !== table) return [];
    const own = buildTextSql(other, "one");
    const [before, after] = ["OLD", "NEW"].map((row) => joined(own, buildTextSql(listed(table), row)));
    return [
      `INSERT INTO search_lines (list, id, before, after) SELECT '${other.table}', one.id, ${before}, ${after}
  FROM ${other.table} AS one WHERE one.${other.alsoOf.by} = NEW.id;`,
    ];
  });
}

const joined = (own: string, relatedText: string) => `${own} || '|' || coalesce(${relatedText}, '')`;

function listed(table: SearchableListName): Searched {
  const searchedTable = SEARCHED.find((searched) => searched.table === table);
  if (!searchedTable) throw new Error(`${table} is not searched`);
  return searchedTable;
}

function buildTextSql({ asWritten, squeezed }: Searched, row: string): string {
  const known = (column: string) => `coalesce(${row}.${column}, '')`;
  const parts = [
    ...(asWritten.length === 0 ? [] : [asWritten.map(known).join(" || ' ' || ")]),
    ...squeezed.map((columns) => createReplaceSql(columns.map(known).join(" || "), SQUEEZED)),
  ];
  return parts.join(" || '|' || ");
}

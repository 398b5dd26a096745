import { FOLDED_LETTERS } from "#domain/search-text.ts";
import type { Trigger } from "./trigger.ts";

/** How many rows share a block: a change rewrites one, a search reads all of a list. */
const ROWS_OF_A_BLOCK = 128;
/** So many calls in each other SQLite parses at once. */
const DEEPEST = 40;

const SQUEEZED = [" ", "-", ".", "/"].map((sign) => [sign, ""] as const);

/**
 * What people look for in a list: columns of its table as they are, and such whose spaces, dots, dashes and strokes say
 * nothing.
 */
interface Searched {
  readonly table: string;
  readonly asWritten: readonly string[];
  /** Columns that are written together are one text. */
  readonly squeezed: readonly (readonly string[])[];
}

/** The lists that the office searches by any part of a text. */
const SEARCHED: readonly Searched[] = [
  {
    table: "bookings",
    asWritten: ["agency_reservation_id", "customer_name", "customer_surname", "customer_email"],
    squeezed: [["customer_document_id"], ["customer_phone"]],
  },
  {
    table: "customers",
    asWritten: ["name", "surname", "email"],
    squeezed: [["document_id"], ["phone_number"], ["mobile_phone"]],
  },
  {
    table: "vehicles",
    asWritten: ["name", "brand", "model", "alias"],
    squeezed: [["reference"], ["plate"]],
  },
  {
    table: "documents",
    asWritten: ["customer_full_name", "concept"],
    squeezed: [["customer_document_id"], ["serie", "number"]],
  },
  { table: "charges", asWritten: [], squeezed: [["external_operation_number"]] },
];

/** The triggers that keep the blocks of texts which searches look into (decision 0031), by the tables they are of. */
export function searchTriggers(): readonly Trigger[] {
  return SEARCHED.flatMap(({ table, ...searched }) => {
    const columns = [...searched.asWritten, ...searched.squeezed.flat()].join(", ");
    const keep = `INSERT INTO search_blocks (list, block, texts)
  VALUES ('${table}', NEW.id / ${ROWS_OF_A_BLOCK}, json_object(CAST(NEW.id AS TEXT), ${textOf(searched, "NEW")}))
  ON CONFLICT (list, block) DO UPDATE SET texts = json_patch(texts, excluded.texts);`;
    const forget = `UPDATE search_blocks SET texts = json_remove(texts, '$."' || OLD.id || '"')
  WHERE list = '${table}' AND block = OLD.id / ${ROWS_OF_A_BLOCK};`;
    return [
      made(`${table}_are_searched`, `INSERT ON ${table}`, keep),
      made(`${table}_are_searched_as_changed`, `UPDATE OF ${columns} ON ${table}`, keep),
      made(`${table}_are_searched_no_more`, `DELETE ON ${table}`, forget),
    ];
  });
}

/** The statements that put what is there already into blocks. */
export function searchBlocksOfAll(): readonly string[] {
  return SEARCHED.map(
    ({ table, ...searched }) => `INSERT INTO search_blocks (list, block, texts)
SELECT '${table}', id / ${ROWS_OF_A_BLOCK}, json_group_object(CAST(id AS TEXT), ${textOf(searched, table)})
FROM ${table} GROUP BY id / ${ROWS_OF_A_BLOCK};`,
  );
}

function made(name: string, on: string, body: string): Trigger {
  return { name, sql: `CREATE TRIGGER ${name} AFTER ${on}\nBEGIN\n  ${body}\nEND;` };
}

function textOf({ asWritten, squeezed }: Omit<Searched, "table">, row: string): string {
  const known = (column: string) => `coalesce(${row}.${column}, '')`;
  const parts = [
    ...(asWritten.length === 0 ? [] : [asWritten.map(known).join(" || ' ' || ")]),
    ...squeezed.map((columns) => replaced(columns.map(known).join(" || "), SQUEEZED)),
  ];
  return folded(parts.join(" || char(10) || "));
}

// Most texts have nothing to fold. In steps of their own: SQLite parses no expression of a hundred levels.
function folded(text: string): string {
  const small = `(SELECT lower(${text}) AS t)`;
  let from = small;
  for (let start = 0; start < FOLDED_LETTERS.length; start += DEEPEST)
    from = `(SELECT ${replaced("t", FOLDED_LETTERS.slice(start, start + DEEPEST))} AS t FROM ${from})`;
  return `iif(${text} GLOB '*[^' || char(1) || '-~]*', ${from}, ${small})`;
}

function replaced(text: string, letters: readonly (readonly [string, string])[]): string {
  return letters.reduce((all, [letter, plain]) => `replace(${all}, '${letter}', '${plain}')`, text);
}

import { sql } from "drizzle-orm";
import {
  getSearchPositionStart,
  listSearchTextVariants,
  SEARCH_BLOCK_LAYOUT,
  type SearchableListName,
} from "#domain/search-text.ts";

/** Character that occurs in neither texts nor search terms. */
const CUT = sql.raw("char(1)");
const MARK = sql.raw(`char(${SEARCH_BLOCK_LAYOUT.mark})`);
const BEFORE_ID = sql.raw(`'${SEARCH_BLOCK_LAYOUT.beforeId}'`);
const [WIDEST, FIRST] = [SEARCH_BLOCK_LAYOUT.widestBlock, SEARCH_BLOCK_LAYOUT.firstId].map((number) =>
  sql.raw(String(number)),
);
const ID_LETTERS = /[\u{f0000}-\u{f1fff}]/gu;

/**
 * Returns the parts of a query for the rows of a list with the text, newest first, below `after` if given (decision
 * 0031). `id` is the row's id.
 *
 * The query reads a block as JSON5 in which everything except some ids is comment. A first comment extends to the end
 * of a line. The next one extends from the match to the following id, which is a string, and another from there to the
 * end of the line. Comment markers of the other kind have no effect inside a comment. A line with several matches
 * therefore gives one row.
 */
export function selectSearchHits(list: SearchableListName, text: string, after?: number) {
  const parts = listSearchTextVariants(text).map(withoutIds);
  const isIn = parts.map((part) => sql`instr(block.lines, ${part}) > 0`);
  const cut = parts.reduce((lines, part) => sql`replace(${lines}, ${part}, ${CUT})`, sql`block.lines`);
  const ids = sql`replace(replace(replace(${cut}, ${BEFORE_ID}, '*/"'), ${MARK}, '",//'), ${CUT}, char(10) || '/* ')`;
  const begin = getSearchPositionStart(list);
  const end = begin + (after ?? SEARCH_BLOCK_LAYOUT.placesOfAList);
  return {
    id: sql`(block.first_place - block.first_place % ${WIDEST} + unicode(hit.value) - ${FIRST} - ${sql.raw(String(begin))})`,
    from: sql`search_blocks AS block CROSS JOIN json_each('[//' || ${ids} || char(10) || ']') AS hit`,
    where: sql`block.first_place >= ${sql.raw(String(begin))} AND block.first_place < ${end} AND (${sql.join(isIn, sql` OR `)})`,
    order: sql`block.first_place DESC`,
  };
}

// Replaces the characters that represent ids in the index, because texts never contain them.
const withoutIds = (text: string) => text.replaceAll(ID_LETTERS, "_");

import { COMMON_ACCENTED_LETTERS, RARE_LETTER_RANGES, RARE_LETTERS } from "#domain/search-text.ts";

/** Maximum nesting depth of calls that SQLite parses. */
const DEEPEST = 40;

/**
 * Whether a text contains a quote, asterisk, backslash, control character or non-ASCII character. Others need no
 * folding.
 */
const hasOthers = (text: string) => `(${text} GLOB '*[^] !#-)+-[^-~]*' OR instr(${text}, char(0)) > 0)`;

/** Returns SQL to fold a text for search. Most texts need none, and few have rare letters. */
export function createFoldedTextSql(text: string): string {
  const rare = `${text} GLOB '*[${RARE_LETTER_RANGES.map(([first, last]) => `${first}-${last}`).join("")}]*'`;
  const foldedSql = `iif(${rare}, ${folded(text, [...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS])}, ${folded(text, COMMON_ACCENTED_LETTERS)})`;
  return `iif(${hasOthers(text)}, ${foldedSql}, lower(${text}))`;
}

/**
 * Returns SQL to compare names by their common letters, in short statements. `createFoldedTextSql` includes all
 * letters.
 */
export function createFoldedNameSql(text: string): string {
  return `iif(${hasOthers(text)}, ${folded(text, COMMON_ACCENTED_LETTERS)}, lower(${text}))`;
}

// Uses nested queries, because SQLite can't parse a hundred levels in one expression.
function folded(text: string, letters: readonly (readonly [string, string])[]): string {
  let from = `(SELECT lower(${text}) AS t)`;
  for (let start = 0; start < letters.length; start += DEEPEST)
    from = `(SELECT ${createReplaceSql("t", letters.slice(start, start + DEEPEST))} AS t FROM ${from})`;
  // The folded text contains no quotes anymore, so trimming only removes those that json_quote added.
  return `(SELECT replace(trim(json_quote(t), '"'), '\\', '_') FROM ${from})`;
}

/** Returns SQL that replaces letters of a text one after another. */
export function createReplaceSql(text: string, letters: readonly (readonly [string, string])[]): string {
  const quoted = (letter: string) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(letter) ? `char(${letter.charCodeAt(0)})` : `'${letter.replaceAll("'", "''")}'`;
  return letters.reduce((all, [letter, plain]) => `replace(${all}, ${quoted(letter)}, ${quoted(plain)})`, text);
}

import { COMMON_ACCENTED_LETTERS, RARE_LETTERS } from "#domain/search-text.ts";

type FoldedLetters = readonly (readonly [letter: string, plain: string])[];

/**
 * Whether a text contains a quote, backtick, asterisk, backslash, control character or non-ASCII character. Others need
 * no folding.
 */
const hasOthers = (text: string) => `(${text} GLOB '*[^] !#-)+-[^_a-~]*' OR instr(${text}, char(0)) > 0)`;

/** Returns SQL to fold a text for search. Most texts need none. */
export function createFoldedTextSql(text: string): string {
  return fold(text, [...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS]);
}

const isAscii = ([letter]: FoldedLetters[number]) => letter < "\u0080";

/**
 * Looks up each letter in a JSON object. A `replace()` for each letter would take SQLite 20 ms to compile, in
 * each statement whose triggers fold texts. SQLite can't split a text, so the index of a JSON array with at
 * least as many elements as the text has letters gives each letter's position.
 */
function fold(text: string, letters: FoldedLetters): string {
  // An apostrophe would end the SQL text.
  const plainByLetter = JSON.stringify(Object.fromEntries(letters.filter((letter) => !isAscii(letter)))).replaceAll(
    "'",
    "\\u0027",
  );
  // The text has no quotes anymore, so trimming only removes those that json_quote added around it.
  const ascii = createReplaceSql(`lower(${text})`, letters.filter(isAscii));
  const escaped = `replace(trim(json_quote(${ascii}), '"'), '\\', '_')`;
  return `iif(${hasOthers(text)}, (SELECT group_concat(iif(letter < char(128), letter, coalesce('${plainByLetter}' ->> letter, letter)), '' ORDER BY key)
    FROM (SELECT key, substr(t, key + 1, 1) AS letter FROM (SELECT ${escaped} AS t), json_each('[0' || replace(hex(zeroblob(length(t) / 2)), '0', ',0') || ']'))), lower(${text}))`;
}

/** Returns SQL that replaces letters of a text one after another. */
export function createReplaceSql(text: string, letters: FoldedLetters): string {
  const quoted = (letter: string) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(letter) ? `char(${letter.charCodeAt(0)})` : `'${letter.replaceAll("'", "''")}'`;
  return letters.reduce((all, [letter, plain]) => `replace(${all}, ${quoted(letter)}, ${quoted(plain)})`, text);
}

/** SQL to compare names, given as column `name`. Created once per isolate, because each booking uses it. */
export const FOLDED_NAME_SQL = createFoldedTextSql("name");

/** Returns SQL to compare trimmed names in any spelling. SQLite's `lower()` only knows ASCII letters. */
export const createFoldedNameSql = (name: string) => `(SELECT ${FOLDED_NAME_SQL} FROM (SELECT trim(${name}) AS name))`;

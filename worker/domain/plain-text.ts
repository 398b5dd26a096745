// Characters not allowed in names, references and notes: control characters, unpaired surrogates and emoji.
// Also characters that change text direction or break lines.
const UNWRITABLE =
  /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|(?![©®™])\p{Extended_Pictographic}/u;

/** Whether a text can be printed on a contract: no control characters, no emoji. */
export function isPrintableText(text: string): boolean {
  return !UNWRITABLE.test(text);
}

// Invisible characters that aren't allowed in names, because a search would miss the name. Joiners between letters are
// allowed, because Persian and Indian names need them.
const INVISIBLE_IN_NAMES = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/;

/** Returns one line in composed letters, with every kind of space written as a plain one. */
export function normalizeLine(text: string): string {
  return text.normalize("NFC").replaceAll(/\p{Zs}/gu, " ");
}

/** Returns a name on one line with single spaces, because a search wouldn't find a name with other spaces. */
export function normalizeName(text: string): string {
  return normalizeLine(text).replaceAll(/ {2,}/g, " ");
}

// Marks of direction come with copied numbers and names.
const INVISIBLE_IN_COPIES = new RegExp(
  `${INVISIBLE_IN_NAMES.source}|[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]`,
  "gu",
);

/** Returns a tidy line without invisible characters. */
export function removeInvisibleCharacters(text: string): string {
  return normalizeLine(text.replaceAll(INVISIBLE_IN_COPIES, ""));
}

/** Whether a text can be a name: plain and visible, without anything that a mail program turns into a link. */
export function isVisibleTextWithoutLinks(text: string): boolean {
  return isPrintableText(text) && !INVISIBLE_IN_NAMES.test(text) && !/:\/\/|\bwww\.|\p{L}\.\p{L}{2,}\//iu.test(text);
}

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/u;
// An emoji includes its modifiers: its colour, and joined emoji.
const UNWRITABLE_TEXT = new RegExp(
  `(?:${UNWRITABLE.source})(?:[\\ufe0f\\p{Emoji_Modifier}]|\\u200d\\p{Extended_Pictographic})*`,
  "gu",
);

/** Removes unprintable characters, keeping lines. */
export function toPrintableLines(text: string): string {
  const lines = text.split(LINE_BREAK).map((line) => line.replaceAll("\t", " ").replaceAll(UNWRITABLE_TEXT, "").trim());
  return lines.join("\n").trim();
}

/** Removes unprintable characters and line breaks. */
export function toPrintableLine(text: string): string {
  return toPrintableLines(text).replaceAll(/\n+/g, " ");
}

/** Truncates a text to a number of UTF-16 units without half a character at its end. */
export function truncateText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** Converts a name such as `startsAt` to `starts_at`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

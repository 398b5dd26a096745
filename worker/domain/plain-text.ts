// Not in a name, a reference or a note: control characters, half of a surrogate pair, pictures.
// Nor what turns the order of the letters around it, or breaks a line.
const UNWRITABLE =
  /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|(?![©®™])\p{Extended_Pictographic}/u;

/** Whether a text can be printed on a contract: no control characters, no emoji. */
export function isPlainText(text: string): boolean {
  return !UNWRITABLE.test(text);
}

/** Whether a text can be somebody's name: plain, and without what a mail program would make a link of. */
export function isName(text: string): boolean {
  return isPlainText(text) && !/:\/\/|\bwww\.|\p{L}\.\p{L}{2,}\//iu.test(text);
}

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/u;
// A picture goes with what makes it another one: its colour, and the pictures that are joined to it.
const UNWRITABLE_TEXT = new RegExp(
  `(?:${UNWRITABLE.source})(?:[\\ufe0f\\p{Emoji_Modifier}]|\\u200d\\p{Extended_Pictographic})*`,
  "gu",
);

/** As much of a text as can be written down, line by line. */
export function toPlainLines(text: string): string {
  const lines = text.split(LINE_BREAK).map((line) => line.replaceAll("\t", " ").replaceAll(UNWRITABLE_TEXT, "").trim());
  return lines.join("\n").trim();
}

/** The same on one line. */
export function toPlainLine(text: string): string {
  return toPlainLines(text).replaceAll(/\n+/g, " ");
}

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

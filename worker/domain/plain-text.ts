// Not in a name, a reference or a note: control characters, half of a surrogate pair, pictures.
const UNWRITABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]|(?![©®™])\p{Extended_Pictographic}/u;

/** Whether a text can be printed on a contract: no control characters, no emoji. */
export function isPlainText(text: string): boolean {
  return !UNWRITABLE.test(text);
}

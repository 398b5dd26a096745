/** A letter of Hebrew, Arabic, Syriac or another script that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

/**
 * A name within a sentence of ours: one that is written from right to left turns nothing around it. Other text stays as
 * it is. Not for what is signed, hashed, sent to a machine or copied.
 */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

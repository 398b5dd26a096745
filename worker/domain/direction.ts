// Hebrew, Arabic and their relatives, with the forms that older texts have of their letters.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

/** Whether a text has letters that are written from right to left. */
export const isFromRight = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/**
 * A name within a sentence of ours: one that is written from right to left turns nothing around it. Other text stays as
 * it is. Not for what is signed, hashed, sent to a machine or copied.
 */
export function isolated(text: string): string {
  return isFromRight(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

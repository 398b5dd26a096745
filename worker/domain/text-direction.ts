// Hebrew, Arabic and related scripts, including presentation forms.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

/** Whether a text contains right-to-left letters. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/**
 * Isolates a right-to-left name inside a sentence, so that it doesn't reorder surrounding text. Other text stays
 * unchanged. Not for text that is signed, hashed, sent to a system or copied.
 */
export function isolateRightToLeft(text: string): string {
  return isRightToLeft(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

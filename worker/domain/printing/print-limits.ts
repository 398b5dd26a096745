/** Maximum length of a printed text that isn't a paragraph. A damage with its note has about 2,100 letters. */
export const MAX_PRINTED_LABEL_LENGTH = 2_500;

// Unicode's stream-safe format allows 30 accents in a row. Composing and placing more takes quadratic time.
const TOO_MANY_ACCENTS = /\p{M}{31}/u;

/** Whether a letter of the text has more accents than any language needs. */
export function hasTooManyAccents(text: string): boolean {
  return TOO_MANY_ACCENTS.test(text);
}

/** Replaces an erased name. */
export const ERASED_TEXT = "—";

/** Text that replaces the name of an erased person. */
export const ERASED_TEXT = "—";

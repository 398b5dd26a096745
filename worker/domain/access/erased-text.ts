/** Text written in place of the name of an erased person. */
export const ERASED_TEXT = "—";

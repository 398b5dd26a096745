/** What stands in place of a name that was erased. */
export const ERASED = "—";

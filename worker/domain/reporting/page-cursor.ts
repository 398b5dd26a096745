const SEPARATOR = "~";

/**
 * Creates the cursor of a page from values of its last row, the row's key last. Lists that are not in their default
 * order put their sort first. Clients treat a cursor as one text.
 */
export function formatCursor(...values: readonly (string | number)[]): string {
  return values.map((value) => String(value).replaceAll("%", "%25").replaceAll(SEPARATOR, "%7E")).join(SEPARATOR);
}

/** Creates the cursor of a row with a key of several values, such as `AIR~3~08:00`. */
export function formatCompositeKeyCursor(key: string): string {
  return formatCursor(...key.split(SEPARATOR));
}

/** Joins the values of a cursor to the key of several values. */
export function joinCompositeKey(values: readonly string[]): string {
  return values.join(SEPARATOR);
}

/** Splits a cursor into its values. */
export function splitCursor(cursor: string): readonly string[] {
  return cursor.split(SEPARATOR).map((value) => value.replaceAll("%7E", SEPARATOR).replaceAll("%25", "%"));
}

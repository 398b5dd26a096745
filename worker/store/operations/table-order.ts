/**
 * Of `sqlite_master AS tables`: an account's own. To look into D1's is not allowed, not even at their columns.
 */
export const OWN_TABLES =
  "tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*' AND tables.name <> 'd1_migrations'";

/** Tables with each after those that its rows name; a table that names itself is no obstacle. */
export function sortByReferences<T extends { readonly name: string }>(
  tables: readonly T[],
  references: readonly { readonly name: string; readonly named: string }[],
): T[] {
  const ordered: T[] = [];
  const pendingTables = [...tables];
  const isPending = (name: string) => pendingTables.some((table) => table.name === name);
  while (pendingTables.length > 0) {
    const isFree = ({ name }: T) =>
      !references.some(
        (reference) => reference.name === name && reference.named !== name && isPending(reference.named),
      );
    // Tables that name each other in a circle go in the order in which they came.
    const [next] = pendingTables.splice(Math.max(0, pendingTables.findIndex(isFree)), 1);
    if (next) ordered.push(next);
  }
  return ordered;
}

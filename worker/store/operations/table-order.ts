/**
 * Condition for the account's own tables in `sqlite_master AS tables`. D1's internal tables can't be read, not even
 * their columns.
 */
export const ACCOUNT_TABLES_CONDITION =
  "tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*' AND tables.name NOT IN ('d1_migrations', 'directory_owner')";

/** Sorts tables so that each comes after the tables it references. Self-references are allowed. */
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
    // Tables with circular references keep their order.
    const [next] = pendingTables.splice(Math.max(0, pendingTables.findIndex(isFree)), 1);
    if (next) ordered.push(next);
  }
  return ordered;
}

/**
 * Of `sqlite_master AS tables`: an account's own. To look into D1's is not allowed, not even at their columns.
 */
export const OWN_TABLES =
  "tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*' AND tables.name <> 'd1_migrations'";

/** Tables with each after those that its rows name; a table that names itself is no obstacle. */
export function inOrderOfNaming<T extends { readonly name: string }>(
  tables: readonly T[],
  references: readonly { readonly name: string; readonly named: string }[],
): T[] {
  const ordered: T[] = [];
  const waiting = [...tables];
  const isWaiting = (name: string) => waiting.some((table) => table.name === name);
  while (waiting.length > 0) {
    const isFree = ({ name }: T) =>
      !references.some((one) => one.name === name && one.named !== name && isWaiting(one.named));
    // Tables that name each other in a circle go in the order in which they came.
    const [next] = waiting.splice(Math.max(0, waiting.findIndex(isFree)), 1);
    if (next) ordered.push(next);
  }
  return ordered;
}

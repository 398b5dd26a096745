/** Returns a selection with the item added, or removed if it was selected. */
export function toggleSelectedItem<Item>(chosen: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  return chosen.has(item) ? new Set([...chosen].filter((other) => other !== item)) : new Set([...chosen, item]);
}

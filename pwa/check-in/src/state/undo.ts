import { signal } from "@preact/signals";
import type { Draft } from "../offline/items.ts";
import { change, work } from "./work.ts";

interface Removed {
  /** Key of the work that the item was removed from. */
  readonly key: string;
  readonly what: string;
  readonly before: Partial<Draft>;
}

/** The item removed last, which can be restored. */
export const removed = signal<Removed | undefined>(undefined);

/** Removes an item from the open work. It can be restored until the user continues. `what` is its description. */
export function removeFromWork(what: string, changes: Partial<Draft>): void {
  const draft = work.peek();
  if (!draft) return;
  const names = Object.keys(changes) as (keyof Draft)[];
  removed.value = { key: draft.key, what, before: Object.fromEntries(names.map((name) => [name, draft[name]])) };
  void change(changes);
}

export function putBack(): void {
  const last = removed.peek();
  removed.value = undefined;
  if (last && work.peek()?.key === last.key) void change(last.before);
}

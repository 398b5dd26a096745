import { signal } from "@preact/signals";
import type { WorkDraft } from "../offline/items.ts";
import { changeOpenWork, openWorkDraft } from "./work.ts";

interface Removed {
  /** Key of the work that the item was removed from. */
  readonly key: string;
  readonly label: string;
  readonly before: Partial<WorkDraft>;
}

/** The item removed last, which can be restored. */
export const lastRemovedItem = signal<Removed | undefined>(undefined);

/** Removes an item from the open work. It can be restored until the user continues. */
export function removeFromWork(description: string, changes: Partial<WorkDraft>): void {
  const draft = openWorkDraft.peek();
  if (!draft) return;
  const names = Object.keys(changes) as (keyof WorkDraft)[];
  lastRemovedItem.value = {
    key: draft.key,
    label: description,
    before: Object.fromEntries(names.map((name) => [name, draft[name]])),
  };
  void changeOpenWork(changes);
}

/** Restores the item removed last, if its work is still open. */
export function restoreRemovedItem(): void {
  const last = lastRemovedItem.peek();
  lastRemovedItem.value = undefined;
  if (last && openWorkDraft.peek()?.key === last.key) void changeOpenWork(last.before);
}

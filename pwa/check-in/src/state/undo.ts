import { signal } from "@preact/signals";
import type { Draft } from "../offline/items.ts";
import { change, work } from "./work.ts";

interface Removed {
  /** The work that something was taken from. */
  readonly key: string;
  readonly what: string;
  readonly before: Partial<Draft>;
}

/** What was taken away last and can be put back. */
export const removed = signal<Removed | undefined>(undefined);

/** Takes something away from the open work; until the person goes on it can be put back. `what` is said of it. */
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

import type { Database } from "./db.ts";
import type { StoredDraft, StoredItem } from "./items.ts";
import { openDraft, openItem } from "./kept-work.ts";
import { hasArrived } from "./outbox.ts";

/** Work that no key on this phone opens: whose it is and that it waits, and nothing more. */
export interface Locked {
  readonly author: string;
  readonly seal: number | undefined;
  /** It was begun and is not finished. */
  readonly isBegun: boolean;
}

/** Work as it lies on the phone. */
export interface StoredWork {
  readonly ops: readonly StoredItem[];
  readonly drafts: readonly StoredDraft[];
}

export async function readWork(database: Database): Promise<StoredWork> {
  const [ops, drafts] = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  return { ops, drafts };
}

/** All work on the phone: what is finished, in the order in which it was done, what was begun, what no key opens. */
export async function openAll(database: Database, { ops, drafts }: StoredWork) {
  const openedItems = Promise.all(ops.map((storedItem) => openItem(database, storedItem)));
  const openedDrafts = Promise.all(drafts.map((storedItem) => openDraft(database, storedItem)));
  const [items, item] = await Promise.all([openedItems, openedDrafts]);
  const closedItems = ops
    .filter((storedItem, at) => !items[at] && !hasArrived(storedItem))
    .map((storedItem) => toLockedWork(storedItem, false));
  const closedDrafts = drafts
    .filter((_storedDraft, at) => !item[at])
    .map((storedItem) => toLockedWork(storedItem, true));
  return {
    items: items.filter((item) => item !== undefined).toSorted((a, b) => a.seq - b.seq),
    drafts: item.filter((draft) => draft !== undefined),
    locked: [...closedItems, ...closedDrafts],
  };
}

interface SealableRecord {
  readonly author: string;
  readonly sealed?: { readonly by: number };
}

const toLockedWork = ({ author, sealed }: SealableRecord, isStarted: boolean): Locked => ({
  author,
  seal: sealed?.by,
  isBegun: isStarted,
});

/** The numbers of the keys that work on this phone is sealed with. */
export async function listSeals(database: Database): Promise<readonly number[]> {
  const { ops, drafts } = await readWork(database);
  return [...new Set([...ops, ...drafts].flatMap((item) => ("sealed" in item && item.sealed ? [item.sealed.by] : [])))];
}

import type { Database } from "./db.ts";
import type { StoredDraft, StoredItem } from "./items.ts";
import { isConfirmed } from "./outbox.ts";
import { decryptDraft, decryptItem } from "./stored-work.ts";

/** Work that no key on this device can decrypt. Only its author and status are visible. */
export interface LockedWork {
  readonly author: string;
  readonly seal: number | undefined;
  /** Whether the work is an unfinished draft. */
  readonly isDraft: boolean;
}

/** Drafts and queued operations as stored on the device. */
export interface StoredWork {
  readonly ops: readonly StoredItem[];
  readonly drafts: readonly StoredDraft[];
}

/** Reads finished work and drafts as stored, not decrypted. */
export async function readStoredWork(database: Database): Promise<StoredWork> {
  const [ops, drafts] = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  return { ops, drafts };
}

/** Decrypts all work on the device: finished work in order, drafts, and work that no key can decrypt. */
export async function decryptStoredWork(database: Database, { ops, drafts }: StoredWork) {
  const openedItems = Promise.all(ops.map((storedItem) => decryptItem(database, storedItem)));
  const openedDrafts = Promise.all(drafts.map((storedItem) => decryptDraft(database, storedItem)));
  const [items, item] = await Promise.all([openedItems, openedDrafts]);
  const closedItems = ops
    .filter((storedItem, at) => !items[at] && !isConfirmed(storedItem))
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

const toLockedWork = ({ author, sealed }: SealableRecord, isDraft: boolean): LockedWork => ({
  author,
  seal: sealed?.by,
  isDraft,
});

/** Lists the numbers of the keys used for work on this device. */
export async function listWorkKeyNumbers(database: Database): Promise<readonly number[]> {
  const { ops, drafts } = await readStoredWork(database);
  return [...new Set([...ops, ...drafts].flatMap((item) => ("sealed" in item && item.sealed ? [item.sealed.by] : [])))];
}

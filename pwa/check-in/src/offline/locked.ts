import type { Database } from "./db.ts";
import type { KeptDraft, KeptItem } from "./items.ts";
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
export interface KeptWork {
  readonly ops: readonly KeptItem[];
  readonly drafts: readonly KeptDraft[];
}

export async function readWork(database: Database): Promise<KeptWork> {
  const [ops, drafts] = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  return { ops, drafts };
}

/** All work on the phone: what is finished, in the order in which it was done, what was begun, what no key opens. */
export async function openAll(database: Database, { ops, drafts }: KeptWork) {
  const ofItems = Promise.all(ops.map((kept) => openItem(database, kept)));
  const ofDrafts = Promise.all(drafts.map((kept) => openDraft(database, kept)));
  const [items, begun] = await Promise.all([ofItems, ofDrafts]);
  const closedItems = ops.filter((kept, at) => !items[at] && !hasArrived(kept)).map((kept) => lockedOf(kept, false));
  const closedDrafts = drafts.filter((_kept, at) => !begun[at]).map((kept) => lockedOf(kept, true));
  return {
    items: items.filter((item) => item !== undefined).toSorted((a, b) => a.seq - b.seq),
    drafts: begun.filter((draft) => draft !== undefined),
    locked: [...closedItems, ...closedDrafts],
  };
}

interface Kept {
  readonly author: string;
  readonly sealed?: { readonly by: number };
}

const lockedOf = ({ author, sealed }: Kept, isBegun: boolean): Locked => ({ author, seal: sealed?.by, isBegun });

/** The numbers of the keys that work on this phone is sealed with. */
export async function listSeals(database: Database): Promise<readonly number[]> {
  const { ops, drafts } = await readWork(database);
  return [...new Set([...ops, ...drafts].flatMap((one) => ("sealed" in one && one.sealed ? [one.sealed.by] : [])))];
}

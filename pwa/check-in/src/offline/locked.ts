import type { Database } from "./db.ts";
import { openDraft, openItem } from "./kept-work.ts";
import { hasArrived } from "./outbox.ts";

/** Work that no key on this phone opens: whose it is and that it waits, and nothing more. */
export interface Locked {
  readonly author: string;
  readonly seal: number | undefined;
  /** It was begun and is not finished. */
  readonly isBegun: boolean;
}

/** The work that waits here and cannot be opened. */
export async function listLocked(database: Database): Promise<readonly Locked[]> {
  const [items, drafts] = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  const left = items.filter((item) => !hasArrived(item));
  const ofItems = left.map(async (kept) => ((await openItem(database, kept)) ? [] : [lockedOf(kept, false)]));
  const ofDrafts = drafts.map(async (kept) => ((await openDraft(database, kept)) ? [] : [lockedOf(kept, true)]));
  return (await Promise.all([...ofItems, ...ofDrafts])).flat();
}

interface Kept {
  readonly author: string;
  readonly sealed?: { readonly by: number };
}

const lockedOf = ({ author, sealed }: Kept, isBegun: boolean): Locked => ({ author, seal: sealed?.by, isBegun });

/** The numbers of the keys that work on this phone is sealed with. */
export async function listSeals(database: Database): Promise<readonly number[]> {
  const kept = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  return [...new Set(kept.flat().flatMap((one) => ("sealed" in one && one.sealed ? [one.sealed.by] : [])))];
}

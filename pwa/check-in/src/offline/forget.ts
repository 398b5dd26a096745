import type { Database, Writing } from "./db.ts";
import { fileKey, type KeptDraft, type KeptItem } from "./items.ts";
import { filesOfDraft } from "./kept-work.ts";
import { isKeptOf, type Owned } from "./ring.ts";

const KEPT_MS = 48 * 3600 * 1000;

type IsGone = (work: KeptItem | KeptDraft) => boolean;

/** Forgets confirmed work, its pictures with it, two days after it arrived; whether there was any. */
export function wipeConfirmed(database: Database, now: number): Promise<boolean> {
  const isOld = (item: KeptItem) => item.confirmed_at !== null && item.confirmed_at + KEPT_MS <= now;
  return forget(database, (work) => "op_id" in work && isOld(work));
}

/** Deletes all work of one author, sent or not, with the pictures that nobody else's speaks of. */
export async function deleteWorkOf(database: Database, who: Owned): Promise<void> {
  await forget(database, (work) => isKeptOf(work, who));
}

/** Deletes work, and every picture that no work on the phone speaks of any more; whether there was any work. */
async function forget(database: Database, isGone: IsGone): Promise<boolean> {
  return database.write(["ops", "drafts", "files", "contents"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const drafts = transaction.objectStore("drafts");
    const [items, begun] = [await ops.getAll(), await drafts.getAll()];
    const [goneItems, goneDrafts] = [items.filter(isGone), begun.filter(isGone)];
    for (const { op_id } of goneItems) await ops.delete(op_id);
    for (const { key } of goneDrafts) await drafts.delete(key);
    const needed = new Set([...items, ...begun].filter((work) => !isGone(work)).flatMap(keysOf));
    await dropFiles(transaction, needed);
    return goneItems.length + goneDrafts.length > 0;
  });
}

/** The files that a piece of work speaks of. */
function keysOf(work: KeptItem | KeptDraft): readonly string[] {
  const hashes = "op_id" in work ? work.files : filesOfDraft(work);
  return hashes.map((hash) => fileKey(work.booking_id, hash));
}

async function dropFiles(transaction: Writing, needed: ReadonlySet<string>): Promise<void> {
  for (const store of ["files", "contents"] as const) {
    const kept = transaction.objectStore(store);
    for (const key of await kept.getAllKeys()) if (!needed.has(key)) await kept.delete(key);
  }
}

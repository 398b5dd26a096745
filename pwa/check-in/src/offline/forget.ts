import type { Database, Writing } from "./db.ts";
import { fileKey, type KeptDraft, type KeptItem } from "./items.ts";
import { filesOfDraft } from "./kept-work.ts";

const KEPT_MS = 48 * 3600 * 1000;

type IsGone = (work: KeptItem | KeptDraft) => boolean;

/** Forgets confirmed work, its pictures with it, two days after it arrived. */
export function wipeConfirmed(database: Database, now: number): Promise<void> {
  const isOld = (item: KeptItem) => item.confirmed_at !== null && item.confirmed_at + KEPT_MS <= now;
  return forget(database, (work) => "op_id" in work && isOld(work));
}

/** Deletes all work of one author, sent or not, with the pictures that nobody else's speaks of. */
export function deleteWorkOf(database: Database, author: string): Promise<void> {
  return forget(database, (work) => work.author === author);
}

/** Deletes work, and every picture that no work on the phone speaks of any more. */
async function forget(database: Database, isGone: IsGone): Promise<void> {
  await database.write(["ops", "drafts", "files", "contents"], async (transaction) => {
    const needed = new Set([...(await forgetItems(transaction, isGone)), ...(await forgetDrafts(transaction, isGone))]);
    for (const store of ["files", "contents"] as const) {
      const kept = transaction.objectStore(store);
      for (const key of await kept.getAllKeys()) if (!needed.has(key)) await kept.delete(key);
    }
  });
}

async function forgetItems(transaction: Writing, isGone: IsGone): Promise<readonly string[]> {
  const ops = transaction.objectStore("ops");
  const all = await ops.getAll();
  for (const item of all.filter(isGone)) await ops.delete(item.op_id);
  const stays = all.filter((item) => !isGone(item));
  return stays.flatMap((item) => item.files.map((hash) => fileKey(item.booking_id, hash)));
}

async function forgetDrafts(transaction: Writing, isGone: IsGone): Promise<readonly string[]> {
  const drafts = transaction.objectStore("drafts");
  const all = await drafts.getAll();
  for (const draft of all.filter(isGone)) await drafts.delete(draft.key);
  const stays = all.filter((draft) => !isGone(draft));
  return stays.flatMap((draft) => filesOfDraft(draft).map((hash) => fileKey(draft.booking_id, hash)));
}

import type { Database, WriteTransaction } from "./db.ts";
import { isOwnedBy, type WorkOwner } from "./encryption-keys.ts";
import { type StoredDraft, type StoredItem, toFileKey } from "./items.ts";
import { listDraftFileHashes } from "./stored-work.ts";

const RETENTION_MS = 48 * 3600 * 1000;

type ShouldDeleteWork = (work: StoredItem | StoredDraft) => boolean;

/**
 * Deletes confirmed work and its pictures two days after confirmation, and all pictures that no work refers
 * to. Returns whether there was any work to delete. With `keepRestorable`, pictures that no work refers to
 * stay, because the user may restore them.
 */
export function deleteOldConfirmedWork(database: Database, now: number, keepRestorable = false): Promise<boolean> {
  const isOld = (item: StoredItem) => item.confirmed_at !== null && item.confirmed_at + RETENTION_MS <= now;
  return deleteMatchingWork(database, (work) => "op_id" in work && isOld(work), keepRestorable);
}

/** Deletes all work of one author, sent or unsent, and the pictures that no other work refers to. */
export async function deleteAuthorWork(database: Database, owner: WorkOwner): Promise<void> {
  await deleteMatchingWork(database, (work) => isOwnedBy(work, owner));
}

/** Deletes matching work and the pictures that nothing refers to. Returns whether there was any work. */
async function deleteMatchingWork(
  database: Database,
  shouldDelete: ShouldDeleteWork,
  keepRestorable = false,
): Promise<boolean> {
  return database.write(["ops", "drafts", "files", "contents"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const drafts = transaction.objectStore("drafts");
    const [items, item] = [await ops.getAll(), await drafts.getAll()];
    const [goneItems, goneDrafts] = [items.filter(shouldDelete), item.filter(shouldDelete)];
    for (const { op_id } of goneItems) await ops.delete(op_id);
    for (const { key } of goneDrafts) await drafts.delete(key);
    const needed = new Set([...items, ...item].filter((work) => !shouldDelete(work)).flatMap(getWorkKeys));
    const gone = new Set([...goneItems, ...goneDrafts].flatMap(getWorkKeys));
    await dropFiles(transaction, (key) => !needed.has(key) && (!keepRestorable || gone.has(key)));
    return goneItems.length + goneDrafts.length > 0;
  });
}

/** Returns the file keys that an operation or draft refers to. */
function getWorkKeys(work: StoredItem | StoredDraft): readonly string[] {
  const hashes = "op_id" in work ? work.files : listDraftFileHashes(work);
  return hashes.map((hash) => toFileKey(work.booking_id, hash));
}

async function dropFiles(transaction: WriteTransaction, shouldDrop: (key: string) => boolean): Promise<void> {
  for (const store of ["files", "contents"] as const) {
    const objectStore = transaction.objectStore(store);
    for (const key of await objectStore.getAllKeys()) if (shouldDrop(key)) await objectStore.delete(key);
  }
}

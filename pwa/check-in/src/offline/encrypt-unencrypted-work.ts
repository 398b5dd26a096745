import type { Database } from "./db.ts";
import { type OutboxItem, toFileKey } from "./items.ts";
import {
  addEncryptedCopy,
  encryptFile,
  encryptWorkContent,
  isSealed,
  listDraftFileHashes,
  toStoredDraft,
  toStoredItem,
} from "./stored-work.ts";

/**
 * Encrypts unencrypted work of the signed-in user, from an older app version or from before a key was available. Work
 * that changes during this is left for the next run.
 */
export async function encryptUnencryptedWork(database: Database): Promise<void> {
  const author = database.ring?.author;
  if (author === undefined) return;
  await sealItems(database, author);
  await sealDrafts(database, author);
  await sealFiles(database, author);
}

async function sealItems(database: Database, author: string): Promise<void> {
  for (const storedItem of await database.use((db) => db.getAll("ops"))) {
    if (isSealed(storedItem) || storedItem.author !== author) continue;
    const { operation, label, plate } = storedItem;
    const content = await encryptWorkContent(database, storedItem, { operation, label, plate });
    await database.write(["ops"], async (transaction) => {
      const ops = transaction.objectStore("ops");
      const now = await ops.get(storedItem.op_id);
      if (!now || isSealed(now) || !isSame(now, storedItem)) return;
      await ops.put(toStoredItem({ ...now, numbered: toNumberFields(now), ...content }));
    });
  }
}

const isSame = (outboxItem: OutboxItem, other: OutboxItem) =>
  JSON.stringify(outboxItem.operation) === JSON.stringify(other.operation);

function toNumberFields({ operation }: OutboxItem) {
  const { op_id, device_id, seq, clock_offset_ms } = operation;
  return { op_id, device_id, seq, ...(clock_offset_ms !== undefined && { clock_offset_ms }) };
}

async function sealDrafts(database: Database, author: string): Promise<void> {
  for (const draft of await database.use((db) => db.getAll("drafts"))) {
    if (isSealed(draft) || draft.author !== author) continue;
    const sealed = await toStoredDraft(database, draft);
    await database.write(["drafts"], async (transaction) => {
      const drafts = transaction.objectStore("drafts");
      const now = await drafts.get(draft.key);
      if (now && !isSealed(now) && now.updated_at === draft.updated_at) await drafts.put(sealed);
    });
  }
}

/** Encrypts files that no other user's work refers to. */
async function sealFiles(database: Database, author: string): Promise<void> {
  const [items, drafts] = await database.use((db) => Promise.all([db.getAll("ops"), db.getAll("drafts")]));
  const fileReferences = [
    ...items.map((item) => ({ ...item, names: item.files })),
    ...drafts.map((draft) => ({ ...draft, names: listDraftFileHashes(draft) })),
  ].flatMap(({ names, ...work }) => names.map((hash) => ({ key: toFileKey(work.booking_id, hash), by: work.author })));
  const others = new Set(fileReferences.filter(({ by }) => by !== author).map(({ key }) => key));
  for (const key of new Set(fileReferences.map((item) => item.key))) {
    if (!others.has(key)) await sealStoredFile(database, author, key);
  }
}

async function sealStoredFile(database: Database, author: string, key: string): Promise<void> {
  const storedItem = await database.use((db) => db.get("contents", key));
  if (!storedItem || !("bytes" in storedItem)) return;
  const sealed = await encryptFile(database, { author }, storedItem.bytes);
  if (!sealed) return;
  await database.write(["contents"], async (transaction) => {
    const contents = transaction.objectStore("contents");
    if (await contents.get(key)) await contents.put(addEncryptedCopy(key, storedItem.bytes, sealed, undefined));
  });
}

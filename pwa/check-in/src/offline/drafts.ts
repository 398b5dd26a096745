import type { Operation } from "../api/messages.ts";
import type { Database } from "./db.ts";
import { hashSha256 } from "./ids.ts";
import { listReferencedFileHashes, toFileKey, type WorkDraft } from "./items.ts";
import {
  addEncryptedCopy,
  decryptDraft,
  encryptFile,
  listDraftFileHashes,
  readFileBytes,
  toStoredDraft,
} from "./stored-work.ts";

export const getDraftKey = (bookingId: number, unitId: number | null, kind: Operation["kind"]) =>
  `${bookingId}:${unitId ?? 0}:${kind}`;

/** Returns the draft of a key, or `locked` if only its author's session can open it. */
export async function findDraft(database: Database, key: string): Promise<WorkDraft | "locked" | undefined> {
  const storedDraft = await database.use((db) => db.get("drafts", key));
  return storedDraft && ((await decryptDraft(database, storedDraft)) ?? "locked");
}

/** Saves a draft. Called after every field change. */
export async function saveDraft(database: Database, draft: WorkDraft): Promise<void> {
  const storedDraft = await toStoredDraft(database, draft);
  await database.write(["drafts"], (transaction) => transaction.objectStore("drafts").put(storedDraft));
}

export interface Picture {
  readonly bytes: ArrayBuffer;
  readonly type: string;
}

/**
 * Stores a picture and its draft in one transaction. `addPictureToDraft` creates the draft from the picture's hash.
 * Identical bytes are stored once.
 */
export async function saveDraftWithPicture(
  database: Database,
  { bytes, type }: Picture,
  addPictureToDraft: (hash: string) => WorkDraft,
): Promise<WorkDraft> {
  const hash = await hashSha256(bytes);
  const draft = addPictureToDraft(hash);
  const key = toFileKey(draft.booking_id, hash);
  // Encrypt before the transaction, which can't wait for encryption.
  const [keptDraft, sealed] = await Promise.all([toStoredDraft(database, draft), encryptFile(database, draft, bytes)]);
  await database.write(["drafts", "files", "contents"], async (transaction) => {
    const known = await transaction.objectStore("files").get(key);
    const file = { key, booking_id: draft.booking_id, hash, type, size: bytes.byteLength };
    const fresh = { ...file, arrived: false, attempted: false, tries: 0, trouble: null };
    if (!known) await transaction.objectStore("files").put(fresh);
    const contents = transaction.objectStore("contents");
    await contents.put(addEncryptedCopy(key, bytes, sealed, await contents.get(key)));
    await transaction.objectStore("drafts").put(keptDraft);
  });
  return draft;
}

/** Deletes a draft and the pictures that no other work refers to. */
export async function deleteDraft(database: Database, draft: WorkDraft): Promise<void> {
  await database.write(["drafts", "files", "contents", "ops"], async (transaction) => {
    const ops = await transaction.objectStore("ops").getAll();
    const inUse = new Set(ops.flatMap((item) => item.files.map((hash) => toFileKey(item.booking_id, hash))));
    const others = (await transaction.objectStore("drafts").getAll()).filter(({ key }) => key !== draft.key);
    for (const other of others)
      for (const hash of listDraftFileHashes(other)) inUse.add(toFileKey(other.booking_id, hash));
    await transaction.objectStore("drafts").delete(draft.key);
    for (const key of listReferencedFileHashes(draft).map((hash) => toFileKey(draft.booking_id, hash))) {
      if (inUse.has(key)) continue;
      await transaction.objectStore("files").delete(key);
      await transaction.objectStore("contents").delete(key);
    }
  });
}

/** Returns the bytes of a picture stored on this device. */
export async function findPicture(database: Database, bookingId: number, hash: string): Promise<Blob | undefined> {
  const key = toFileKey(bookingId, hash);
  const [file, bytes] = await Promise.all([database.use((db) => db.get("files", key)), readFileBytes(database, key)]);
  return file && typeof bytes !== "string" ? new Blob([bytes], { type: file.type }) : undefined;
}

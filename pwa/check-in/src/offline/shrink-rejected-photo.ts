import type { Operation } from "../api/messages.ts";
import type { Database, WriteTransaction } from "./db.ts";
import type { Picture } from "./drafts.ts";
import { hashSha256 } from "./ids.ts";
import { listReferencedFileHashes, type OutboxItem, type StoredWorkFile, toFileKey } from "./items.ts";
import {
  addEncryptedCopy,
  encryptFile,
  encryptWorkContent,
  listDraftFileHashes,
  readFileBytes,
  toStoredItem,
} from "./stored-work.ts";

/** Re-encodes a picture with fewer bytes. Returns undefined if this device can't shrink it. */
export type PhotoShrinker = (picture: Blob) => Promise<Picture | undefined>;

interface Shrinking {
  readonly database: Database;
  readonly shrink: PhotoShrinker;
}

interface Shrunk {
  readonly item: OutboxItem;
  readonly file: StoredWorkFile;
}

/**
 * Shrinks a photo once after the server rejects it as too large. Changes its bytes, name and operation in one
 * transaction. Returns undefined if the server may already know the operation, because it accepts it only unchanged.
 */
export async function shrinkRejectedPhoto(
  { database, shrink }: Shrinking,
  item: OutboxItem,
  rejectedFile: StoredWorkFile,
): Promise<Shrunk | undefined> {
  if (!item.unposted || rejectedFile.shrunk) return undefined;
  const known = await readFileBytes(database, rejectedFile.key);
  const picture = typeof known === "string" ? undefined : await shrink(new Blob([known], { type: rejectedFile.type }));
  if (!picture || picture.bytes.byteLength >= rejectedFile.size) return undefined;
  const hash = await hashSha256(picture.bytes);
  const operation = renamed(item.operation, rejectedFile.hash, hash);
  const content = await encryptWorkContent(database, item, { operation, label: item.label, plate: item.plate });
  const sealed = await encryptFile(database, item, picture.bytes);
  const next: OutboxItem = { ...item, ...content, operation, files: listReferencedFileHashes(operation) };
  const key = toFileKey(rejectedFile.booking_id, hash);
  return database.write(["ops", "drafts", "files", "contents"], async (transaction) => {
    const files = transaction.objectStore("files");
    const fresh = { arrived: false, attempted: false, tries: 0, trouble: null, shrunk: true };
    const { type, bytes } = picture;
    const known = await files.get(key);
    const file = known ?? { key, booking_id: rejectedFile.booking_id, hash, type, size: bytes.byteLength, ...fresh };
    await files.put(file);
    const contents = transaction.objectStore("contents");
    await contents.put(addEncryptedCopy(key, bytes, sealed, await contents.get(key)));
    await transaction.objectStore("ops").put(toStoredItem(next));
    if (!(await isNamed(transaction, rejectedFile))) {
      await files.delete(rejectedFile.key);
      await contents.delete(rejectedFile.key);
    }
    return { item: next, file };
  });
}

/** Whether other work on this device refers to the file. The file is then sent and shrunk with that work. */
async function isNamed(transaction: WriteTransaction, { booking_id, hash }: StoredWorkFile): Promise<boolean> {
  const ops = await transaction.objectStore("ops").getAll();
  if (ops.some((item) => item.booking_id === booking_id && item.files.includes(hash))) return true;
  const drafts = await transaction.objectStore("drafts").getAll();
  return drafts.some((draft) => draft.booking_id === booking_id && listDraftFileHashes(draft).includes(hash));
}

function renamed(operation: Operation, old: string, hash: string): Operation {
  const replaceName = (name: string) => (name === old ? hash : name);
  const { photos, damages, signature } = operation;
  return {
    ...operation,
    ...(photos && { photos: photos.map((photo) => ({ ...photo, hash: replaceName(photo.hash) })) }),
    ...(damages && {
      damages: damages.map((damage) =>
        damage.photos ? { ...damage, photos: damage.photos.map(replaceName) } : damage,
      ),
    }),
    ...(signature?.hash && { signature: { ...signature, hash: replaceName(signature.hash) } }),
  };
}

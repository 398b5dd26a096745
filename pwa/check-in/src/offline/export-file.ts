import type { Database } from "./db.ts";
import { listReferencedFileHashes, type OutboxItem, type StoredWorkFile } from "./items.ts";
import { decryptStoredWork, readStoredWork } from "./locked-work.ts";
import { isConfirmed } from "./outbox.ts";
import { readFileBytes } from "./stored-work.ts";
import { type ZipEntry, zip } from "./zip.ts";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/webp": "webp",
  "image/jpeg": "jpg",
  "image/heic": "heic",
  "text/plain": "txt",
};

/**
 * Exports all unsent work, including drafts, as a file that the office can read. The last resort if nothing else works.
 */
export async function exportUnsentWork(database: Database): Promise<Blob> {
  const { items: all, drafts } = await decryptStoredWork(database, await readStoredWork(database));
  const items = all.filter((item) => !isConfirmed(item));
  const names = items.flatMap((item) => item.files.map((hash) => `${item.booking_id}/${hash}`));
  const draftFiles = drafts.flatMap((draft) =>
    listReferencedFileHashes(draft).map((hash) => `${draft.booking_id}/${hash}`),
  );
  const entries: ZipEntry[] = [jsonEntry("operations.json", items.map(withoutState)), jsonEntry("drafts.json", drafts)];
  for (const key of new Set([...names, ...draftFiles])) {
    const [file, bytes] = await Promise.all([database.use((db) => db.get("files", key)), readFileBytes(database, key)]);
    if (file && typeof bytes !== "string") entries.push({ name: toArchivePath(file), bytes: new Uint8Array(bytes) });
  }
  return zip(entries);
}

const withoutState = ({ operation, state, trouble, label }: OutboxItem) => ({ operation, state, trouble, label });
const toArchivePath = ({ booking_id, hash, type }: StoredWorkFile) =>
  `photos/${booking_id}/${hash}.${EXTENSIONS[type] ?? "bin"}`;

function jsonEntry(name: string, value: unknown): ZipEntry {
  return { name, bytes: new TextEncoder().encode(JSON.stringify(value, undefined, 2)) };
}

import type { Operation } from "../api/messages.ts";
import type { Database } from "./db.ts";
import { decryptBytes, decryptValue, encryptBytes, encryptValue } from "./encryption-keys.ts";
import {
  listReferencedFileHashes,
  type OutboxItem,
  type StoredDraft,
  type StoredFileContent,
  type StoredItem,
  type WorkDraft,
} from "./items.ts";
import type { SealedWork } from "./work-keys.ts";

// Storage format of work. Customer data is encrypted for its author. The status (state, tries, file names) isn't, so
// that work can be retained, counted and deleted without a key.

/** Fields of pending work that only its author can see. */
export interface PrivateWorkContent {
  readonly operation: Partial<Operation>;
  readonly label: string;
  readonly plate: string;
}

export const isSealed = <Work extends object>(work: Work): work is Extract<Work, { readonly sealed: SealedWork }> =>
  !("operation" in work) && !("charges" in work) && "sealed" in work;

/** Converts an item to its stored form. */
export function toStoredItem(item: OutboxItem): StoredItem {
  const { sealed, numbered } = item;
  if (!sealed || !numbered) return item;
  const { operation: _operation, label: _label, plate: _plate, ...rest } = item;
  return { ...rest, sealed, numbered };
}

/** Encrypts the content of an operation. Returns it unencrypted if there's no key. */
export async function encryptWorkContent(
  database: Database,
  owner: { readonly author: string; readonly seal?: number | undefined },
  content: PrivateWorkContent,
): Promise<{ readonly sealed?: SealedWork; readonly seal?: number }> {
  const sealed = await encryptValue(database, owner, content);
  return sealed ? { sealed, seal: sealed.by } : {};
}

/** Decrypts an item. Returns undefined if its key isn't available. */
export async function decryptItem(database: Database, storedItem: StoredItem): Promise<OutboxItem | undefined> {
  if (!isSealed(storedItem)) return storedItem;
  const content = await decryptValue<PrivateWorkContent>(database, storedItem.sealed);
  if (!content) return undefined;
  const { label, plate } = content;
  // Keep the original field order: the server accepts repeated work only if it's identical.
  const operation = { ...storedItem.numbered, ...content.operation } as Operation;
  return { ...storedItem, seal: storedItem.sealed.by, label, plate, operation };
}

/** Converts a draft to its stored form, encrypted if the author's key is available. */
export async function toStoredDraft(database: Database, draft: WorkDraft): Promise<StoredDraft> {
  const sealed = await encryptValue(database, draft, draft);
  if (!sealed) return draft;
  const { key, booking_id, resource_id, kind, author, updated_at } = draft;
  return { key, booking_id, resource_id, kind, author, updated_at, files: listReferencedFileHashes(draft), sealed };
}

/** Decrypts a draft. Returns undefined if its key isn't available. */
export async function decryptDraft(database: Database, storedDraft: StoredDraft): Promise<WorkDraft | undefined> {
  if (!isSealed(storedDraft)) return storedDraft;
  const draft = await decryptValue<WorkDraft>(database, storedDraft.sealed);
  return draft && { ...draft, seal: storedDraft.sealed.by };
}

/** Lists the files that a stored draft refers to. */
export const listDraftFileHashes = (storedItem: StoredDraft): readonly string[] =>
  isSealed(storedItem) ? storedItem.files : listReferencedFileHashes(storedItem);

/** Adds an encrypted copy of a file's bytes to the stored ones. */
export function addEncryptedCopy(
  key: string,
  bytes: ArrayBuffer,
  sealed: SealedWork | undefined,
  storedContent: StoredFileContent | undefined,
): StoredFileContent {
  if (!sealed) return { key, bytes };
  // Another user may need the unencrypted bytes.
  if (storedContent && "bytes" in storedContent) return storedContent;
  return { key, copies: [...(storedContent?.copies ?? []).filter(({ by }) => by !== sealed.by), sealed] };
}

export const encryptFile = (
  database: Database,
  owner: { readonly author: string; readonly seal?: number | undefined },
  bytes: ArrayBuffer,
): Promise<SealedWork | undefined> => encryptBytes(database, owner, bytes);

/** Returns the bytes of a file, `none` if there are none, or `locked` if their key isn't available. */
export async function readFileBytes(database: Database, key: string): Promise<ArrayBuffer | "none" | "locked"> {
  const storedItem = await database.use((db) => db.get("contents", key));
  if (!storedItem) return "none";
  if ("bytes" in storedItem) return storedItem.bytes;
  for (const copy of storedItem.copies) {
    const bytes = await decryptBytes(database, copy);
    if (bytes) return bytes;
  }
  return "locked";
}

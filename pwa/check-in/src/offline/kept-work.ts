import type { Operation } from "../api/messages.ts";
import type { Database } from "./db.ts";
import {
  type Draft,
  listFilesValue,
  type OutboxItem,
  type StoredContent,
  type StoredDraft,
  type StoredItem,
} from "./items.ts";
import { openBytes, openValue, sealBytes, sealValue } from "./ring.ts";
import type { SealedWork } from "./sealed.ts";

// Work as it lies on the phone: what it says of customers is sealed for its author. How it fares (state, tries, names
// of files) is not, so that it is kept, counted and cleared without a key.

/** Of a piece of work that waits, what is told to nobody but its author. */
export interface Content {
  readonly operation: Partial<Operation>;
  readonly label: string;
  readonly plate: string;
}

export const isSealed = <Work extends object>(work: Work): work is Extract<Work, { readonly sealed: SealedWork }> =>
  !("operation" in work) && !("charges" in work) && "sealed" in work;

/** The item as the store has it. */
export function toStoredItem(item: OutboxItem): StoredItem {
  const { sealed, numbered } = item;
  if (!sealed || !numbered) return item;
  const { operation: _operation, label: _label, plate: _plate, ...rest } = item;
  return { ...rest, sealed, numbered };
}

/** Seals what a piece of work says; it is kept as it is where there is no key. */
export async function sealedContent(
  database: Database,
  owner: { readonly author: string; readonly seal?: number | undefined },
  content: Content,
): Promise<{ readonly sealed?: SealedWork; readonly seal?: number }> {
  const sealed = await sealValue(database, owner, content);
  return sealed ? { sealed, seal: sealed.by } : {};
}

/** Undefined where its key is not here. */
export async function openItem(database: Database, storedItem: StoredItem): Promise<OutboxItem | undefined> {
  if (!isSealed(storedItem)) return storedItem;
  const content = await openValue<Content>(database, storedItem.sealed);
  if (!content) return undefined;
  const { label, plate } = content;
  // In the order in which it was sent first: the server takes it once and as it was.
  const operation = { ...storedItem.numbered, ...content.operation } as Operation;
  return { ...storedItem, seal: storedItem.sealed.by, label, plate, operation };
}

/** The draft as it is kept: sealed where the key of its author is here. */
export async function toStoredDraft(database: Database, draft: Draft): Promise<StoredDraft> {
  const sealed = await sealValue(database, draft, draft);
  if (!sealed) return draft;
  const { key, booking_id, resource_id, kind, author, updated_at } = draft;
  return { key, booking_id, resource_id, kind, author, updated_at, files: listFilesValue(draft), sealed };
}

/** Undefined where its key is not here. */
export async function openDraft(database: Database, storedItem: StoredDraft): Promise<Draft | undefined> {
  if (!isSealed(storedItem)) return storedItem;
  const draft = await openValue<Draft>(database, storedItem.sealed);
  return draft && { ...draft, seal: storedItem.sealed.by };
}

/** The files that a kept draft speaks of. */
export const listDraftFiles = (storedItem: StoredDraft): readonly string[] =>
  isSealed(storedItem) ? storedItem.files : listFilesValue(storedItem);

/** What is to be kept of a file's bytes beside what is kept of them already. */
export function withCopy(
  key: string,
  bytes: ArrayBuffer,
  sealed: SealedWork | undefined,
  storedItem: StoredContent | undefined,
): StoredContent {
  if (!sealed) return { key, bytes };
  // A colleague may need it as it is.
  if (storedItem && "bytes" in storedItem) return storedItem;
  return { key, copies: [...(storedItem?.copies ?? []).filter(({ by }) => by !== sealed.by), sealed] };
}

export const sealFile = (
  database: Database,
  owner: { readonly author: string; readonly seal?: number | undefined },
  bytes: ArrayBuffer,
): Promise<SealedWork | undefined> => sealBytes(database, owner, bytes);

/** The bytes of a file; `none`: there are none, `locked`: their key is not here. */
export async function readBytes(database: Database, key: string): Promise<ArrayBuffer | "none" | "locked"> {
  const storedItem = await database.use((db) => db.get("contents", key));
  if (!storedItem) return "none";
  if ("bytes" in storedItem) return storedItem.bytes;
  for (const copy of storedItem.copies) {
    const bytes = await openBytes(database, copy);
    if (bytes) return bytes;
  }
  return "locked";
}

import type { Operation } from "../api/messages.ts";
import type { Database } from "./db.ts";
import { type Draft, filesOf, type KeptContent, type KeptDraft, type KeptItem, type OutboxItem } from "./items.ts";
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
export function toKeptItem(item: OutboxItem): KeptItem {
  const { sealed, numbered } = item;
  if (!sealed || !numbered) return item;
  const { operation: _operation, label: _label, plate: _plate, ...rest } = item;
  return { ...rest, sealed, numbered };
}

/** Seals what a piece of work says; it is kept as it is where there is no key. */
export async function sealedContent(
  database: Database,
  whose: { readonly author: string; readonly seal?: number | undefined },
  content: Content,
): Promise<{ readonly sealed?: SealedWork; readonly seal?: number }> {
  const sealed = await sealValue(database, whose, content);
  return sealed ? { sealed, seal: sealed.by } : {};
}

/** Undefined where its key is not here. */
export async function openItem(database: Database, kept: KeptItem): Promise<OutboxItem | undefined> {
  if (!isSealed(kept)) return kept;
  const content = await openValue<Content>(database, kept.sealed);
  if (!content) return undefined;
  const { label, plate } = content;
  // In the order in which it was sent first: the server takes it once and as it was.
  const operation = { ...kept.numbered, ...content.operation } as Operation;
  return { ...kept, seal: kept.sealed.by, label, plate, operation };
}

/** The draft as it is kept: sealed where the key of its author is here. */
export async function toKeptDraft(database: Database, draft: Draft): Promise<KeptDraft> {
  const sealed = await sealValue(database, draft, draft);
  if (!sealed) return draft;
  const { key, booking_id, resource_id, kind, author, updated_at } = draft;
  return { key, booking_id, resource_id, kind, author, updated_at, files: filesOf(draft), sealed };
}

/** Undefined where its key is not here. */
export async function openDraft(database: Database, kept: KeptDraft): Promise<Draft | undefined> {
  if (!isSealed(kept)) return kept;
  const draft = await openValue<Draft>(database, kept.sealed);
  return draft && { ...draft, seal: kept.sealed.by };
}

/** The files that a kept draft speaks of. */
export const filesOfDraft = (kept: KeptDraft): readonly string[] => (isSealed(kept) ? kept.files : filesOf(kept));

/** What is to be kept of a file's bytes beside what is kept of them already. */
export function withCopy(
  key: string,
  bytes: ArrayBuffer,
  sealed: SealedWork | undefined,
  kept: KeptContent | undefined,
): KeptContent {
  if (!sealed) return { key, bytes };
  // A colleague may need it as it is.
  if (kept && "bytes" in kept) return kept;
  return { key, copies: [...(kept?.copies ?? []).filter(({ by }) => by !== sealed.by), sealed] };
}

export const sealFile = (
  database: Database,
  whose: { readonly author: string; readonly seal?: number | undefined },
  bytes: ArrayBuffer,
): Promise<SealedWork | undefined> => sealBytes(database, whose, bytes);

/** The bytes of a file; `none`: there are none, `locked`: their key is not here. */
export async function readBytes(database: Database, key: string): Promise<ArrayBuffer | "none" | "locked"> {
  const kept = await database.use((db) => db.get("contents", key));
  if (!kept) return "none";
  if ("bytes" in kept) return kept.bytes;
  for (const copy of kept.copies) {
    const bytes = await openBytes(database, copy);
    if (bytes) return bytes;
  }
  return "locked";
}

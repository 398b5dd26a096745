import { signal } from "@preact/signals";
import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import type { Booking, Operation, RentalUnit } from "../api/messages.ts";
import { isQuotaExceeded } from "../offline/db.ts";
import { deleteDraft, draftKey, findDraft, saveDraft, saveWithPicture } from "../offline/drafts.ts";
import type { Draft, OutboxItem } from "../offline/items.ts";
import { enqueue } from "../offline/outbox.ts";
import { checkStorage } from "../offline/storage.ts";
import { findBooking } from "./day.ts";
import { drafts, tellDraft } from "./outbox.ts";
import { database, reload, send, session, tellTabs } from "./phone.ts";
import { freshDraft, recordedIn, toOperation } from "./recorded.ts";
import { stepsOf } from "./steps.ts";

/** The work that is open. */
export const work = signal<Draft | undefined>(undefined);
/** Whether the last change could not be kept. */
export const isUnkept = signal(false);

// One write after the other: a later change must not be overtaken by an earlier one.
let writing: Promise<unknown> = Promise.resolve();

function inTurn<T>(write: () => Promise<T>): Promise<T> {
  const turn = writing.then(write);
  writing = turn.catch(() => undefined);
  return turn;
}

export async function openWork(key: string): Promise<boolean> {
  if (work.peek()?.key === key) return true;
  const draft = await findDraft(database, key);
  work.value = draft;
  if (draft) await findBooking(draft.booking_id);
  return draft !== undefined;
}

/** Begins work at a unit, or goes on with it: the key of its draft. */
export async function startWork(
  booking: Booking,
  unit: RentalUnit | undefined,
  kind: Operation["kind"],
): Promise<string> {
  const key = draftKey(booking.booking_id, unit?.resource_id ?? null, kind);
  const kept = await findDraft(database, key);
  if (!kept) await keep(freshDraft(booking, unit, kind, key, session.peek()?.username ?? ""));
  return key;
}

/** Does refused work again: all that was recorded, under a new name, to be changed. */
export async function reopen(item: OutboxItem): Promise<string> {
  const { operation } = item;
  const key = draftKey(item.booking_id, operation.resource_id ?? null, item.kind);
  const started = drafts.peek().get(key);
  if (started) return key;
  await keep({
    key,
    booking_id: item.booking_id,
    resource_id: operation.resource_id ?? null,
    kind: item.kind,
    base_version: item.result?.version ?? operation.base_version,
    ...{ label: item.label, plate: item.plate, author: item.author, replaces: item.op_id, updated_at: Date.now() },
    step: stepsOf(item.kind)[0] ?? "review",
    ...recordedIn(operation),
  });
  return key;
}

async function keep(draft: Draft): Promise<void> {
  tellDraft(draft);
  await inTurn(() => saveDraft(database, draft));
}

/** Changes the open work; it is on the disk before the person has looked up. */
export async function change(changes: Partial<Draft>): Promise<void> {
  const draft = work.peek();
  if (!draft) return;
  const next = { ...draft, ...changes, updated_at: Date.now() };
  work.value = next;
  try {
    await keep(next);
    isUnkept.value = false;
  } catch {
    isUnkept.value = true;
  }
}

export type Capture = "kept" | "no_room" | "unreadable" | "too_large";
type View = NonNullable<Operation["photos"]>[number]["view"];

/** Makes a photo small and keeps it with the open work. */
export async function takePhoto(original: Blob, view: View, damageId?: string): Promise<Capture> {
  if ((await checkStorage()).state === "full") return "no_room";
  const { compress, PhotoTooLarge, PhotoUnreadable } = await import("../capture/compress.ts");
  const allocatedAt = new Date().toISOString();
  try {
    const picture = await compress(original);
    await inTurn(async () => {
      const next = await saveWithPicture(database, picture, (hash) => withPhoto(hash, view, allocatedAt, damageId));
      work.value = next;
      tellDraft(next);
    });
    return "kept";
  } catch (error) {
    if (error instanceof PhotoUnreadable) return "unreadable";
    if (error instanceof PhotoTooLarge) return "too_large";
    if (isQuotaExceeded(error)) return "no_room";
    throw error;
  }
}

function withPhoto(hash: string, view: View, allocatedAt: string, damageId: string | undefined): Draft {
  const draft = openDraft();
  const photo = { hash, view, taken_at: allocatedAt };
  const damages = draft.damages.map((damage) =>
    damage.damage_id === damageId ? { ...damage, photos: [...(damage.photos ?? []), hash] } : damage,
  );
  return { ...draft, damages, photos: [...draft.photos, photo], updated_at: Date.now() };
}

function openDraft(): Draft {
  const draft = work.peek();
  if (!draft) throw new Error("No work is open.");
  return draft;
}

/** What a signature stands under: a text that was read, or the hash that an older server gave. */
export type SignedContract = { readonly hash: string; readonly text?: string; readonly language?: SpokenLanguage };

/** What a signature says of its contract. */
export function namesOf({ hash, text, language }: SignedContract) {
  return { contract_hash: hash.slice(0, 64), ...(text !== undefined && language && { contract_language: language }) };
}

// Before the signature that names it.
async function saveText({ text }: SignedContract): Promise<void> {
  if (text === undefined) return;
  const bytes = new TextEncoder().encode(text).slice().buffer;
  await saveWithPicture(database, { bytes, type: "text/plain" }, openDraft);
}

/** Keeps a signature without a drawing, with the text that it stands under. */
export async function keepWritten(
  signature: Omit<NonNullable<Draft["signature"]>, "contract_hash" | "contract_language">,
  contract: SignedContract,
): Promise<void> {
  try {
    await inTurn(() => saveText(contract));
  } catch {
    isUnkept.value = true;
    return;
  }
  await change({ signature: { ...signature, ...namesOf(contract) } });
}

/** Keeps the drawing of a signature, with the text that it stands under. */
export async function keepSignature(
  png: Blob,
  name: string,
  contract: SignedContract,
  strokes: unknown,
): Promise<Capture> {
  const bytes = await png.arrayBuffer();
  const signed = { method: "drawn", name, signed_at: new Date().toISOString(), ...namesOf(contract) } as const;
  try {
    await inTurn(async () => {
      await saveText(contract);
      const next = await saveWithPicture(database, { bytes, type: "image/png" }, (hash) => ({
        ...openDraft(),
        signature: { ...signed, hash },
        strokes,
        updated_at: Date.now(),
      }));
      work.value = next;
      tellDraft(next);
    });
    return "kept";
  } catch (error) {
    if (isQuotaExceeded(error)) return "no_room";
    throw error;
  }
}

/** Finishes the open work: from here on the outbox answers for it. */
export async function finishWork(): Promise<OutboxItem> {
  const draft = openDraft();
  await inTurn(async () => undefined);
  const item = await enqueue(database, { of: draft, operation: toOperation(draft), now: Date.now() });
  work.value = undefined;
  await reload();
  tellTabs();
  void send();
  return item;
}

/** Marks a photo that the server has as taken by mistake: it stays as evidence, and says so. */
export async function markMistaken(item: OutboxItem, hash: string): Promise<void> {
  const base_version = item.result?.version ?? item.operation.base_version;
  const author = session.peek()?.username ?? item.author;
  const { booking_id, label, plate } = item;
  const recorded_at = new Date().toISOString();
  const operation = {
    booking_id,
    kind: "evidence",
    base_version,
    author,
    recorded_at,
    removed_photos: [hash],
  } as const;
  const key = `${booking_id}:mistaken:${hash}`;
  await enqueue(database, {
    of: { key, label, plate, author, replaces: null },
    operation: { ...operation, removed_photos: [hash] },
    now: Date.now(),
  });
  await reload();
  tellTabs();
  void send();
}

export async function discardWork(): Promise<void> {
  const draft = openDraft();
  await inTurn(() => deleteDraft(database, draft));
  work.value = undefined;
  await reload();
}

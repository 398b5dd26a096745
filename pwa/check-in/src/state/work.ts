import { signal } from "@preact/signals";
import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import type { Booking, Operation, RentalUnit } from "../api/messages.ts";
import { isQuotaExceeded } from "../offline/db.ts";
import { deleteDraft, draftKey, findDraft, type Picture, saveDraft, saveWithPicture } from "../offline/drafts.ts";
import type { Draft, OutboxItem } from "../offline/items.ts";
import { enqueue } from "../offline/outbox.ts";
import { checkStorage, makeRoom } from "../offline/storage.ts";
import { findBooking } from "./day.ts";
import { drafts, maySee, tellDraft } from "./outbox.ts";
import { database, reload, send, session, tellTabs } from "./phone.ts";
import { freshDraft, recordedIn, toOperation } from "./recorded.ts";
import { stepsOf } from "./steps.ts";
import { truthsFor } from "./surroundings.ts";

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

const captures = new Set<Promise<unknown>>();

/** A picture on its way to the disk: the work that it belongs to is not finished before. */
export function capturing<T>(capture: Promise<T>): Promise<T> {
  captures.add(capture);
  const done = () => void captures.delete(capture);
  capture.then(done, done);
  return capture;
}

/** Resolves when every picture is with its work and every change is on the disk. */
async function settled(): Promise<void> {
  while (captures.size > 0) await Promise.allSettled(captures);
  await inTurn(async () => undefined);
}

export async function openWork(key: string): Promise<boolean> {
  if (work.peek()?.key === key) return true;
  const kept = await findDraft(database, key);
  const draft = kept && maySee(kept.author) ? kept : undefined;
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
  if (!kept) await keep(atFirstStep(freshDraft(booking, unit, kind, key, session.peek()?.username ?? ""), unit));
  return key;
}

/** A vehicle that is assigned and as it should be needs no choosing. */
function atFirstStep(draft: Draft, unit: RentalUnit | undefined): Draft {
  const isChosen = draft.kind === "delivery" && unit?.vehicle && truthsFor(draft)(unit.vehicle).oddities.length === 0;
  return isChosen ? { ...draft, step: "readings" } : draft;
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

/** Makes a photo small and keeps it with the work that is open when it is taken. */
export function takePhoto(original: Blob, view: View, damageId?: string): Promise<Capture> {
  return capturing(keepPhoto(openDraft().key, original, view, damageId));
}

async function keepPhoto(key: string, original: Blob, view: View, damageId?: string): Promise<Capture> {
  if ((await checkStorage(database)).state === "full") return "no_room";
  const { compress, PhotoTooLarge, PhotoUnreadable } = await import("../capture/compress.ts");
  const takenAt = new Date().toISOString();
  try {
    const picture = await compress(original);
    await inTurn(() =>
      keepPicture(key, picture, (draft, hash) => withPhoto(draft, { hash, view, taken_at: takenAt }, damageId)),
    );
    return "kept";
  } catch (error) {
    if (error instanceof PhotoUnreadable) return "unreadable";
    if (error instanceof PhotoTooLarge) return "too_large";
    if (isQuotaExceeded(error)) return "no_room";
    throw error;
  }
}

/** Keeps a picture with the work of that key, whichever is open by now. */
async function keepPicture(key: string, picture: Picture, add: (draft: Draft, hash: string) => Draft): Promise<void> {
  const kept = isOpen(key) ? openDraft() : await findDraft(database, key);
  if (!kept) return;
  let before: Draft | undefined;
  try {
    await saveWithPicture(database, picture, (hash) => {
      before = isOpen(key) ? openDraft() : kept;
      const next = add(before, hash);
      // At once, so that what is typed meanwhile is typed into this one.
      if (isOpen(key)) work.value = next;
      tellDraft(next);
      return next;
    });
  } catch (error) {
    if (before && isOpen(key)) work.value = { ...openDraft(), ...picturesOf(before) };
    throw error;
  }
}

const picturesOf = ({ photos, damages, open_damage = null, signature, strokes }: Draft) => ({
  ...{ photos, damages, open_damage, signature, strokes },
});

const isOpen = (key: string) => work.peek()?.key === key;

function withPhoto(draft: Draft, photo: Draft["photos"][number], damageId: string | undefined): Draft {
  const { hash } = photo;
  const shown = (damage: Draft["damages"][number]) =>
    damage.damage_id === damageId ? { ...damage, photos: [...(damage.photos ?? []), hash] } : damage;
  const damages = draft.damages.map(shown);
  const open_damage = draft.open_damage ? shown(draft.open_damage) : null;
  return { ...draft, damages, open_damage, photos: [...draft.photos, photo], updated_at: Date.now() };
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
async function saveText(key: string, { text }: SignedContract): Promise<void> {
  if (text === undefined) return;
  const bytes = new TextEncoder().encode(text).slice().buffer;
  await keepPicture(key, { bytes, type: "text/plain" }, (draft) => draft);
}

/** Keeps a signature without a drawing, with the text that it stands under. */
export async function keepWritten(
  signature: Omit<NonNullable<Draft["signature"]>, "contract_hash" | "contract_language">,
  contract: SignedContract,
): Promise<void> {
  try {
    await inTurn(() => saveText(openDraft().key, contract));
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
  const signed = { method: "drawn", name, signed_at: new Date().toISOString(), ...namesOf(contract) } as const;
  try {
    const { key } = openDraft();
    await inTurn(async () => {
      await saveText(key, contract);
      const bytes = await png.arrayBuffer();
      await keepPicture(key, { bytes, type: "image/png" }, (draft, hash) => ({
        ...draft,
        signature: { ...signed, hash },
        strokes,
        updated_at: Date.now(),
      }));
    });
    return "kept";
  } catch (error) {
    if (isQuotaExceeded(error)) return "no_room";
    throw error;
  }
}

/**
 * Finishes the open work: from here on the outbox answers for it. Pictures and changes on their way go with it. Throws
 * where the phone is too full even for that; the work stays open then. `addedCents`: what the work adds to its
 * contract, in minor units.
 */
export async function finishWork(addedCents: (draft: Draft) => number = () => 0): Promise<OutboxItem> {
  await settled();
  const item = await inTurn(() => withRoom(() => enqueueOpen(openDraft(), addedCents(openDraft()))));
  work.value = undefined;
  await reload();
  tellTabs();
  void send();
  return item;
}

const enqueueOpen = (draft: Draft, addedCents: number) =>
  enqueue(database, { of: draft, operation: toOperation(draft), now: Date.now(), addedCents });

/** Once more with less on the phone, where it is too full. */
async function withRoom<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    await makeRoom(database);
    return write();
  }
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
  await settled();
  await inTurn(() => deleteDraft(database, openDraft()));
  work.value = undefined;
  await reload();
}

import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Operation } from "../api/messages.ts";
import { isQuotaExceeded } from "../offline/db.ts";
import { findDraft, type Picture, saveDraftWithPicture } from "../offline/drafts.ts";
import { listReferencedFileHashes, type WorkDraft } from "../offline/items.ts";
import { hasSpaceForPhoto, retryAfterFreeingStorage } from "../offline/storage.ts";
import { broadcastOpenWorkChanged, database } from "./device-session.ts";
import type { ExchangedVehicle } from "./exchange.ts";
import { handleDraftChange } from "./outbox.ts";
import { runWriteInOrder, trackCapture } from "./pending-writes.ts";
import { changeOpenWork, getOpenDraft, isLastChangeUnsaved, openWorkDraft } from "./work.ts";

/**
 * Result of storing a picture. `missing`: the code that compresses pictures isn't on the device. `gone`: the work was
 * finished or discarded in the meantime. `failed`: the device couldn't take or write the picture.
 */
export type CaptureResult =
  | "kept"
  | "no_room"
  | "unreadable"
  | "too_large"
  | "too_many"
  | "missing"
  | "gone"
  | "failed";

/** Server limit of photos per operation. */
const MAX_PHOTOS = 100;
type View = NonNullable<Operation["photos"]>[number]["view"];

/** Damage and vehicle that a photo shows. */
interface PhotoSubject {
  readonly damageId?: string | undefined;
  readonly vehicle?: ExchangedVehicle;
}

/** A photo, or one that the camera is taking. */
type Original = Blob | Promise<Blob>;

/** Compresses a photo and stores it with the currently open work. */
export function addPhotoToWork(original: Original, view: View, subject?: PhotoSubject): Promise<CaptureResult> {
  // The photo is awaited later, so its failure must not count as unhandled until then.
  if (original instanceof Promise) original.catch(() => undefined);
  return addPhotosToWork([original], view, subject);
}

/**
 * Compresses photos one by one and stores them with the currently open work, even if other work is opened before the
 * last one. A photo that can't be stored doesn't stop the others. Returns the last failure.
 */
export function addPhotosToWork(
  originals: Iterable<Original>,
  view: View,
  subject: PhotoSubject = {},
): Promise<CaptureResult> {
  const key = openWorkDraft.peek()?.key;
  if (key === undefined) return Promise.resolve("gone");
  // Copy the list, because the file input clears it immediately.
  return trackCapture(keepPhotos(key, [...originals], view, subject));
}

async function keepPhotos(
  key: string,
  originals: readonly Original[],
  view: View,
  subject: PhotoSubject,
): Promise<CaptureResult> {
  let result: CaptureResult = "kept";
  for (const original of originals) {
    const outcome = await keepPhoto(key, original, view, subject).catch(() => "failed" as const);
    if (outcome !== "kept") result = outcome;
  }
  return result;
}

async function keepPhoto(
  key: string,
  original: Original,
  view: View,
  { damageId, vehicle }: PhotoSubject,
): Promise<CaptureResult> {
  if (isOpen(key) && getOpenDraft().photos.length >= MAX_PHOTOS) return "too_many";
  if (!(await hasSpaceForPhoto(database))) return "no_room";
  const compressing = await import("../capture/compress.ts").catch(() => undefined);
  // The compression code isn't on the device.
  if (!compressing) return "missing";
  const { compressPhoto, PhotoTooLargeError, PhotoUnreadableError } = compressing;
  const capturedAt = new Date().toISOString();
  try {
    const picture = await compressPhoto(await original);
    const isKept = await runWriteInOrder(() =>
      keepPicture(key, picture, (draft, hash) =>
        addPhoto(draft, { hash, view, taken_at: capturedAt, ...(vehicle && { vehicle }) }, damageId),
      ),
    );
    return isKept ? "kept" : "gone";
  } catch (error) {
    if (error instanceof PhotoUnreadableError) return "unreadable";
    if (error instanceof PhotoTooLargeError) return "too_large";
    if (isQuotaExceeded(error)) return "no_room";
    throw error;
  }
}

/** Stores a picture with the work of a key, even if other work is open now. Returns false if the work has ended. */
async function keepPicture(
  key: string,
  picture: Picture,
  add: (draft: WorkDraft, hash: string) => WorkDraft,
): Promise<boolean> {
  const currentDraft = isOpen(key) ? getOpenDraft() : await findDraft(database, key);
  if (!currentDraft || currentDraft === "locked") return false;
  let failing: { readonly before: WorkDraft; readonly hash: string } | undefined;
  try {
    await saveDraftWithPicture(database, picture, (hash) => {
      const before = isOpen(key) ? getOpenDraft() : currentDraft;
      failing = { before, hash };
      const next = add(before, hash);
      // Update immediately, so that further typing changes this draft.
      if (isOpen(key)) openWorkDraft.value = next;
      handleDraftChange(next);
      return next;
    });
    broadcastOpenWorkChanged(key);
    return true;
  } catch (error) {
    if (failing && isOpen(key)) {
      openWorkDraft.value = removePicture(getOpenDraft(), failing.hash, failing.before);
      handleDraftChange(openWorkDraft.value);
    }
    throw error;
  }
}

/** Removes a new picture from a draft without losing later changes. */
function removePicture(draft: WorkDraft, hash: string, before: WorkDraft): WorkDraft {
  if (listReferencedFileHashes(before).includes(hash)) return draft;
  const hidden = (damage: WorkDraft["damages"][number]) =>
    damage.photos?.includes(hash) ? { ...damage, photos: damage.photos.filter((photo) => photo !== hash) } : damage;
  const { signature, strokes, signed_return_at } = draft.signature?.hash === hash ? before : draft;
  return {
    ...{ ...draft, signature, strokes, signed_return_at },
    photos: draft.photos.filter((photo) => photo.hash !== hash),
    damages: draft.damages.map(hidden),
    open_damage: draft.open_damage ? hidden(draft.open_damage) : null,
  };
}

const isOpen = (key: string) => openWorkDraft.peek()?.key === key;

function addPhoto(draft: WorkDraft, photo: WorkDraft["photos"][number], damageId: string | undefined): WorkDraft {
  const { hash } = photo;
  const toVisibleDamage = (damage: WorkDraft["damages"][number]) =>
    damage.damage_id === damageId ? { ...damage, photos: [...(damage.photos ?? []), hash] } : damage;
  const damages = draft.damages.map(toVisibleDamage);
  const open_damage = draft.open_damage ? toVisibleDamage(draft.open_damage) : null;
  return { ...draft, damages, open_damage, photos: [...draft.photos, photo], updated_at: Date.now() };
}

/** The contract that a signature refers to: its text, or the hash from an older server. */
export interface SignedContract {
  readonly hash: string;
  readonly text?: string;
  readonly language?: PlatformLanguage;
  readonly writtenAt?: number;
}

/** Returns the contract fields of a signature. */
function toContractVersion({ hash, text, language }: SignedContract) {
  return { contract_hash: hash.slice(0, 64), ...(text !== undefined && language && { contract_language: language }) };
}

// Stores the text before the signature that refers to it.
async function saveText(key: string, { text }: SignedContract): Promise<void> {
  if (text === undefined) return;
  const bytes = new TextEncoder().encode(text).slice().buffer;
  await keepPicture(key, { bytes, type: "text/plain" }, (draft) => draft);
}

/** Saves a signature without a drawing, with its contract text. */
export async function saveSignatureWithoutDrawing(
  signature: Omit<NonNullable<WorkDraft["signature"]>, "contract_hash" | "contract_language">,
  contract: SignedContract,
): Promise<void> {
  const { key } = getOpenDraft();
  try {
    await runWriteInOrder(() => retryAfterFreeingStorage(database, () => saveText(key, contract)));
  } catch {
    isLastChangeUnsaved.value = true;
    return;
  }
  // The signature belongs only to the work it was made for, even if other work is open now.
  if (isOpen(key))
    await changeOpenWork({
      signature: { ...signature, ...toContractVersion(contract) },
      signed_return_at: contract.writtenAt,
    });
}

/** Saves the drawing of a signature with its contract text in the work of a key, even if other work is open now. */
export async function saveDrawnSignature(
  png: Blob,
  name: string,
  contract: SignedContract,
  strokes: unknown,
  key = getOpenDraft().key,
): Promise<CaptureResult> {
  const signed = {
    method: "drawn",
    name,
    signed_at: new Date().toISOString(),
    ...toContractVersion(contract),
  } as const;
  try {
    const signaturePicture = { bytes: await png.arrayBuffer(), type: "image/png" };
    const saveDrawn = () =>
      keepPicture(key, signaturePicture, (draft, hash) => ({
        ...draft,
        signature: { ...signed, hash },
        signed_return_at: contract.writtenAt,
        strokes,
        updated_at: Date.now(),
      }));
    const isKept = await runWriteInOrder(async () => {
      await retryAfterFreeingStorage(database, () => saveText(key, contract));
      return retryAfterFreeingStorage(database, saveDrawn);
    });
    return isKept ? "kept" : "gone";
  } catch (error) {
    return isQuotaExceeded(error) ? "no_room" : "failed";
  }
}

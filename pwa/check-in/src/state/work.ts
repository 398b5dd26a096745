import { effect, signal } from "@preact/signals";
import type { Booking, Operation, RentalUnit } from "../api/messages.ts";
import { isQuotaExceeded } from "../offline/db.ts";
import { deleteDraft, findDraft, getDraftKey, saveDraft } from "../offline/drafts.ts";
import { getRecordedTime, type OutboxItem, type WorkDraft } from "../offline/items.ts";
import { enqueueFinishedWork } from "../offline/outbox.ts";
import { retryAfterFreeingStorage } from "../offline/storage.ts";
import { getDepositCentsAfterExtras, getSoldExtraPrices } from "./booking-settlement.ts";
import { findLoadedBooking, loadBookingFromCache, loadStoredExtras } from "./day.ts";
import {
  broadcastOpenWorkChanged,
  broadcastStoredWorkChanged,
  clockOffsetMs,
  database,
  otherTabChangeCounter,
  reloadStoredWork,
  sendDueItems,
  session,
} from "./device-session.ts";
import { createDraft, toDraftFields, toOperation } from "./draft-operations.ts";
import { applyLocalExchange } from "./exchange.ts";
import { canSeeWork, handleDraftChange, visibleDrafts } from "./outbox.ts";
import { runWriteInOrder, waitForPendingWrites } from "./pending-writes.ts";
import { createVehicleAssessor } from "./vehicle-assessor.ts";
import { getWorkSteps } from "./work-steps.ts";

/** Draft of the check-in operation that is open on the screen. */
export const openWorkDraft = signal<WorkDraft | undefined>(undefined);
/** Whether the last change couldn't be saved. */
export const isLastChangeUnsaved = signal(false);

/** The work that was open here and was finished or discarded in another tab. */
export const draftKeyClosedInOtherTab = signal<string | undefined>(undefined);

/** Applies changes of another tab to the open work, so that further changes build on them. */
async function follow(): Promise<void> {
  const key = openWorkDraft.peek()?.key;
  if (key === undefined) return;
  const storedDraft = await runWriteInOrder(() => findDraft(database, key));
  const open = openWorkDraft.peek();
  if (open?.key !== key || storedDraft === "locked") return;
  if (storedDraft && storedDraft.updated_at <= open.updated_at) return;
  if (!storedDraft) draftKeyClosedInOtherTab.value = key;
  openWorkDraft.value = storedDraft;
}

effect(() => {
  if (otherTabChangeCounter.value > 0) void keepUnkept().then(follow);
});

/** Work with unsaved changes, held in memory until there's storage space. */
const unkept = new Map<string, WorkDraft>();

/** Saves the pending changes if there's storage space now. */
async function keepUnkept(): Promise<void> {
  if (unkept.size === 0) return;
  for (const key of unkept.keys())
    await runWriteInOrder(() => retryAfterFreeingStorage(database, () => keepAgain(key))).catch(() => undefined);
  isLastChangeUnsaved.value = unkept.size > 0;
}

// Saves an unsaved draft, unless another tab has finished, discarded or changed it in the meantime.
async function keepAgain(key: string): Promise<void> {
  const draft = unkept.get(key);
  const storedDraft = draft && (await findDraft(database, key));
  if (!draft || storedDraft === "locked") return;
  if (storedDraft && storedDraft.updated_at <= draft.updated_at) await saveDraft(database, draft);
  if (unkept.get(key) === draft) unkept.delete(key);
}

/** Whether work is open, has ended, or may be opened only by other users or after an online sign-in. */
type OpeningResult = "open" | "gone" | "locked";

/** Opens a draft by its key. */
export async function openWorkByKey(key: string): Promise<OpeningResult> {
  if (openWorkDraft.peek()?.key === key) return "open";
  await keepUnkept();
  const storedDraft = unkept.get(key) ?? (await findDraft(database, key));
  const draft = storedDraft && storedDraft !== "locked" && canSeeWork(storedDraft) ? storedDraft : undefined;
  openWorkDraft.value = draft;
  draftKeyClosedInOtherTab.value = undefined;
  if (!draft) return storedDraft ? "locked" : "gone";
  await loadBookingFromCache(draft.booking_id);
  return "open";
}

/** Starts or resumes work on a unit. Returns the draft key, or undefined if storage is full. */
export async function startWork(
  booking: Booking,
  unit: RentalUnit | undefined,
  kind: Operation["kind"],
): Promise<string | undefined> {
  const key = await ownKey(getDraftKey(booking.booking_id, unit?.resource_id ?? null, kind));
  const storedDraft = await findDraft(database, key);
  if (storedDraft) return key;
  const known = unit && applyLocalExchange(booking, unit);
  return begin(resetStep(createDraft(booking, known, kind, key, session.peek()?.username ?? ""), known));
}

/** Starts work once its draft is on disk. Returns the draft key, or undefined if storage is full. */
async function begin(draft: WorkDraft): Promise<string | undefined> {
  const isSaved = await tryWrite(() => runWriteInOrder(() => saveDraft(database, draft)));
  if (isSaved) handleDraftChange(draft);
  return isSaved ? draft.key : undefined;
}

/** Performs a write and reports if storage is full even after clean-up. Returns whether it succeeded. */
async function tryWrite(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await retryAfterFreeingStorage(database, write);
    isLastChangeUnsaved.value = unkept.size > 0;
    return true;
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    isLastChangeUnsaved.value = true;
    return false;
  }
}

/** Returns the draft key, or a new one if another user has a draft with that key. */
async function ownKey(key: string): Promise<string> {
  const storedDraft = await findDraft(database, key);
  const isOtherUsers = storedDraft === "locked" || (storedDraft && !canSeeWork(storedDraft));
  return isOtherUsers ? `${key}:${session.peek()?.username ?? ""}` : key;
}

/** Skips the vehicle step if the assigned vehicle has no warnings. */
function resetStep(draft: WorkDraft, unit: RentalUnit | undefined): WorkDraft {
  const isChosen =
    draft.kind === "delivery" && unit?.vehicle && createVehicleAssessor(draft)(unit.vehicle).warnings.length === 0;
  return isChosen ? { ...draft, step: "readings" } : draft;
}

/** Returns the unit of rejected work, or an open unit of its booking if the office removed it. */
async function findUnitToCorrect({ booking_id, kind, operation }: OutboxItem): Promise<number | null> {
  const { resource_id: unitId } = operation;
  await loadBookingFromCache(booking_id);
  const units = findLoadedBooking(booking_id)?.resources ?? [];
  if (unitId === undefined || units.some(({ resource_id }) => resource_id === unitId)) return unitId ?? null;
  const openState = kind === "delivery" ? "to_deliver" : "out";
  return units.find(({ state }) => state === openState)?.resource_id ?? unitId;
}

/** Reopens rejected work as a new draft with all recorded data. Returns undefined if storage is full. */
export async function reopenRejectedWork(item: OutboxItem): Promise<string | undefined> {
  const { operation } = item;
  const unitId = await findUnitToCorrect(item);
  const key = await ownKey(getDraftKey(item.booking_id, unitId, item.kind));
  const started = visibleDrafts.peek().get(key);
  if (started) return key;
  const soldExtras = getSoldExtraPrices(operation.extras, await loadStoredExtras(item.booking_id));
  return begin({
    key,
    booking_id: item.booking_id,
    resource_id: unitId,
    kind: item.kind,
    base_version: item.result?.version ?? operation.base_version,
    ...(item.seal !== undefined && { seal: item.seal }),
    ...{ label: item.label, plate: item.plate, author: item.author, replaces: item.op_id, updated_at: Date.now() },
    step: getWorkSteps(item.kind)[0] ?? "review",
    ...toDraftFields(operation),
    // Convert the server's time to the device's clock with the current offset, which may have changed.
    ...(item.kind === "collection" && {
      returned_at: getRecordedTime(operation) - clockOffsetMs.peek(),
    }),
    ...(soldExtras && { sold: soldExtras }),
  });
}

async function keep(draft: WorkDraft): Promise<void> {
  const { key } = draft;
  handleDraftChange(draft);
  // Use the current draft, because a picture that couldn't be saved is no longer part of it.
  const asOpen = () => (openWorkDraft.peek()?.key === key ? getOpenDraft() : draft);
  await runWriteInOrder(() => retryAfterFreeingStorage(database, () => saveDraft(database, asOpen())));
  broadcastOpenWorkChanged(key);
}

/** Changes the open work and saves it immediately. */
export async function changeOpenWork(changes: Partial<WorkDraft>): Promise<void> {
  const draft = openWorkDraft.peek();
  if (!draft) return;
  const next = { ...draft, ...changes, updated_at: Date.now() };
  openWorkDraft.value = next;
  try {
    await keep(next);
    unkept.delete(next.key);
    await keepUnkept();
    isLastChangeUnsaved.value = unkept.size > 0;
  } catch {
    unkept.set(next.key, openWorkDraft.peek()?.key === next.key ? getOpenDraft() : next);
    isLastChangeUnsaved.value = true;
  }
}

/** Returns the open work. Throws if there's none. */
export function getOpenDraft(): WorkDraft {
  const draft = openWorkDraft.peek();
  if (!draft) throw new Error("No work is open.");
  return draft;
}

/**
 * Moves the open work to the outbox, with its pending pictures and changes. Throws if storage is full, and the work
 * then stays open. `addedCents` returns the amount added to the contract, in minor units.
 */
export async function finishWork(addedCents: (draft: WorkDraft) => number = () => 0): Promise<OutboxItem> {
  const { key } = getOpenDraft();
  await waitForPendingWrites();
  const finish = async () => {
    const draft = await readUnchangedDraft(key);
    return enqueueOpen(draft, addedCents(draft));
  };
  const item = await runWriteInOrder(() => retryAfterFreeingStorage(database, finish));
  end(key);
  await reloadStoredWork();
  broadcastStoredWorkChanged();
  void sendDueItems();
  return item;
}

/** Returns the current state of work, open or not. Throws if it has ended. */
async function readUnchangedDraft(key: string): Promise<WorkDraft> {
  const storedDraft = await findDraft(database, key);
  if (!storedDraft || storedDraft === "locked") throw new Error(`No work ${key} is begun.`);
  return openWorkDraft.peek()?.key === key ? getOpenDraft() : (unkept.get(key) ?? storedDraft);
}

/** Closes work with nothing left to save. */
function end(key: string): void {
  if (openWorkDraft.peek()?.key === key) openWorkDraft.value = undefined;
  unkept.delete(key);
  isLastChangeUnsaved.value &&= unkept.size > 0;
}

const enqueueOpen = (draft: WorkDraft, addedCents: number) =>
  enqueueFinishedWork(database, {
    ...{ draft, operation: toOperation(draft), now: Date.now() },
    ...{ addedCents, depositCents: getDepositCentsAfterExtras(draft) },
  });

/** Marks a sent photo as a mistake. It stays as evidence. */
export function markPhotoMistaken(item: OutboxItem, hash: string): Promise<void> {
  const { booking_id, label, plate } = item;
  const base_version = item.result?.version ?? item.operation.base_version;
  return enqueueEvidence({ label, plate }, { booking_id, base_version, removed_photos: [hash] });
}

/** Adds a note about a booking to the outbox, without a draft. `bookingLabels` names the booking in the outbox. */
export async function enqueueEvidence(
  bookingLabels: Pick<WorkDraft, "label" | "plate">,
  evidence: Pick<Operation, "booking_id" | "base_version" | "removed_photos" | "trip">,
): Promise<void> {
  const author = session.peek()?.username ?? "";
  const now = Date.now();
  const operation = { ...evidence, kind: "evidence", author, recorded_at: new Date(now).toISOString() } as const;
  const noteRecord = { ...bookingLabels, key: `${evidence.booking_id}:told`, author, replaces: null };
  if (!(await tryWrite(() => enqueueFinishedWork(database, { draft: noteRecord, operation, now })))) return;
  await reloadStoredWork();
  broadcastStoredWorkChanged();
  void sendDueItems();
}

/** Deletes the draft of the open work. */
export async function discardWork(): Promise<void> {
  const { key } = getOpenDraft();
  await waitForPendingWrites();
  await runWriteInOrder(async () => deleteDraft(database, await readUnchangedDraft(key)));
  end(key);
  broadcastOpenWorkChanged(key);
  await reloadStoredWork();
}

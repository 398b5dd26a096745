import { effect, signal } from "@preact/signals";
import type { Booking, Operation, RentalUnit } from "../api/messages.ts";
import { isQuotaExceeded } from "../offline/db.ts";
import { deleteDraft, draftKey, findDraft, saveDraft } from "../offline/drafts.ts";
import type { Draft, OutboxItem } from "../offline/items.ts";
import { enqueue } from "../offline/outbox.ts";
import { retryWithLessData } from "../offline/storage.ts";
import { findBooking, loadStoredExtras } from "./day.ts";
import { getRemainingDeposit, soldAgain } from "./desk.ts";
import { withExchange } from "./exchange.ts";
import { drafts, handleDraftChange, maySee } from "./outbox.ts";
import { broadcastChange, broadcastWorkChanged, database, otherTabChanges, reload, send, session } from "./phone.ts";
import { freshDraft, recordedIn, toOperation } from "./recorded.ts";
import { getSteps } from "./steps.ts";
import { createVehicleAssessor } from "./surroundings.ts";
import { runInOrder, settled } from "./turns.ts";

/** The work that is open. */
export const work = signal<Draft | undefined>(undefined);
/** Whether the last change could not be kept. */
export const isUnkept = signal(false);

/** The work that was open here and has been finished or thrown away in another tab. */
export const closedInOtherTab = signal<string | undefined>(undefined);

/** What another tab made of the open work is so here, too: what is written next is written into that. */
async function follow(): Promise<void> {
  const key = work.peek()?.key;
  if (key === undefined) return;
  const storedDraft = await runInOrder(() => findDraft(database, key));
  const open = work.peek();
  if (open?.key !== key || storedDraft === "locked") return;
  if (storedDraft && storedDraft.updated_at <= open.updated_at) return;
  if (!storedDraft) closedInOtherTab.value = key;
  work.value = storedDraft;
}

effect(() => {
  if (otherTabChanges.value > 0) void keepUnkept().then(follow);
});

/** Work whose last change could not be kept, as it was left: with it in memory alone until there is room. */
const unkept = new Map<string, Draft>();

/** Writes what could not be kept, where there is room for it by now. */
async function keepUnkept(): Promise<void> {
  if (unkept.size === 0) return;
  for (const key of unkept.keys())
    await runInOrder(() => retryWithLessData(database, () => keepAgain(key))).catch(() => undefined);
  isUnkept.value = unkept.size > 0;
}

// What was finished, thrown away or changed in another tab is as it is there.
async function keepAgain(key: string): Promise<void> {
  const draft = unkept.get(key);
  const storedDraft = draft && (await findDraft(database, key));
  if (!draft || storedDraft === "locked") return;
  if (storedDraft && storedDraft.updated_at <= draft.updated_at) await saveDraft(database, draft);
  if (unkept.get(key) === draft) unkept.delete(key);
}

export async function openWork(key: string): Promise<boolean> {
  if (work.peek()?.key === key) return true;
  await keepUnkept();
  const storedDraft = unkept.get(key) ?? (await findDraft(database, key));
  const draft = storedDraft && storedDraft !== "locked" && maySee(storedDraft) ? storedDraft : undefined;
  work.value = draft;
  closedInOtherTab.value = undefined;
  if (draft) await findBooking(draft.booking_id);
  return draft !== undefined;
}

/** Begins work at a unit, or goes on with it: the key of its draft; undefined where the phone is too full for it. */
export async function startWork(
  booking: Booking,
  unit: RentalUnit | undefined,
  kind: Operation["kind"],
): Promise<string | undefined> {
  const key = await ownKey(draftKey(booking.booking_id, unit?.resource_id ?? null, kind));
  const storedDraft = await findDraft(database, key);
  if (storedDraft) return key;
  const known = unit && withExchange(booking, unit);
  return begin(atFirstStep(freshDraft(booking, known, kind, key, session.peek()?.username ?? ""), known));
}

/** Work is begun once it is on the disk. */
async function begin(draft: Draft): Promise<string | undefined> {
  const isSaved = await tryWrite(() => runInOrder(() => saveDraft(database, draft)));
  if (isSaved) handleDraftChange(draft);
  return isSaved ? draft.key : undefined;
}

/** Writes what a touch asks for, and says so where the phone is too full even with less on it; whether it is kept. */
async function tryWrite(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await retryWithLessData(database, write);
    isUnkept.value = unkept.size > 0;
    return true;
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    isUnkept.value = true;
    return false;
  }
}

/** The key of a draft; one of one's own where a colleague has begun the same, which stays as it is. */
async function ownKey(key: string): Promise<string> {
  const storedDraft = await findDraft(database, key);
  const isOtherUsers = storedDraft === "locked" || (storedDraft && !maySee(storedDraft));
  return isOtherUsers ? `${key}:${session.peek()?.username ?? ""}` : key;
}

/** A vehicle that is assigned and as it should be needs no choosing. */
function atFirstStep(draft: Draft, unit: RentalUnit | undefined): Draft {
  const isChosen =
    draft.kind === "delivery" && unit?.vehicle && createVehicleAssessor(draft)(unit.vehicle).oddities.length === 0;
  return isChosen ? { ...draft, step: "readings" } : draft;
}

/**
 * Does refused work again: all that was recorded, under a new name, to be changed. Undefined where the phone is too
 * full for it.
 */
export async function reopen(item: OutboxItem): Promise<string | undefined> {
  const { operation } = item;
  const key = await ownKey(draftKey(item.booking_id, operation.resource_id ?? null, item.kind));
  const started = drafts.peek().get(key);
  if (started) return key;
  const sold = soldAgain(operation.extras, await loadStoredExtras(item.booking_id));
  return begin({
    key,
    booking_id: item.booking_id,
    resource_id: operation.resource_id ?? null,
    kind: item.kind,
    base_version: item.result?.version ?? operation.base_version,
    ...(item.seal !== undefined && { seal: item.seal }),
    ...{ label: item.label, plate: item.plate, author: item.author, replaces: item.op_id, updated_at: Date.now() },
    step: getSteps(item.kind)[0] ?? "review",
    ...recordedIn(operation),
    ...(sold && { sold }),
  });
}

async function keep(draft: Draft): Promise<void> {
  const { key } = draft;
  handleDraftChange(draft);
  // As it is by then: a picture that could not be kept meanwhile is named in it no more.
  const asOpen = () => (work.peek()?.key === key ? openDraft() : draft);
  await runInOrder(() => retryWithLessData(database, () => saveDraft(database, asOpen())));
  broadcastWorkChanged(key);
}

/** Changes the open work; it is on the disk before the person has looked up. */
export async function change(changes: Partial<Draft>): Promise<void> {
  const draft = work.peek();
  if (!draft) return;
  const next = { ...draft, ...changes, updated_at: Date.now() };
  work.value = next;
  try {
    await keep(next);
    unkept.delete(next.key);
    await keepUnkept();
    isUnkept.value = unkept.size > 0;
  } catch {
    unkept.set(next.key, work.peek()?.key === next.key ? openDraft() : next);
    isUnkept.value = true;
  }
}

/** The work that is open; throws where none is. */
export function openDraft(): Draft {
  const draft = work.peek();
  if (!draft) throw new Error("No work is open.");
  return draft;
}

/**
 * Finishes the open work: from here on the outbox answers for it. Pictures and changes on their way go with it. Throws
 * where the phone is too full even for that; the work stays open then. `addedCents`: what the work adds to its
 * contract, in minor units.
 */
export async function finishWork(addedCents: (draft: Draft) => number = () => 0): Promise<OutboxItem> {
  const { key } = openDraft();
  await settled();
  const finish = async () => {
    const draft = await asItIs(key);
    return enqueueOpen(draft, addedCents(draft));
  };
  const item = await runInOrder(() => retryWithLessData(database, finish));
  end(key);
  await reload();
  broadcastChange();
  void send();
  return item;
}

/** Work as it is by now, whichever is open; throws where it has ended already. */
async function asItIs(key: string): Promise<Draft> {
  const storedDraft = await findDraft(database, key);
  if (!storedDraft || storedDraft === "locked") throw new Error(`No work ${key} is begun.`);
  return work.peek()?.key === key ? openDraft() : (unkept.get(key) ?? storedDraft);
}

/** Nothing of it is left to be kept. */
function end(key: string): void {
  if (work.peek()?.key === key) work.value = undefined;
  unkept.delete(key);
  isUnkept.value &&= unkept.size > 0;
}

const enqueueOpen = (draft: Draft, addedCents: number) =>
  enqueue(database, {
    ...{ of: draft, operation: toOperation(draft), now: Date.now() },
    ...{ addedCents, depositCents: getRemainingDeposit(draft) },
  });

/** Marks a photo that the server has as taken by mistake: it stays as evidence, and says so. */
export function markMistaken(item: OutboxItem, hash: string): Promise<void> {
  const { booking_id, label, plate } = item;
  const base_version = item.result?.version ?? item.operation.base_version;
  return enqueueNote({ label, plate }, { booking_id, base_version, removed_photos: [hash] });
}

/** Puts a word to a booking into the outbox: work without a draft. `whose`: what it is recognised by. */
export async function enqueueNote(
  bookingLabels: Pick<Draft, "label" | "plate">,
  word: Pick<Operation, "booking_id" | "base_version" | "removed_photos" | "trip">,
): Promise<void> {
  const author = session.peek()?.username ?? "";
  const now = Date.now();
  const operation = { ...word, kind: "evidence", author, recorded_at: new Date(now).toISOString() } as const;
  const noteRecord = { ...bookingLabels, key: `${word.booking_id}:told`, author, replaces: null };
  if (!(await tryWrite(() => enqueue(database, { of: noteRecord, operation, now })))) return;
  await reload();
  broadcastChange();
  void send();
}

export async function discardWork(): Promise<void> {
  const { key } = openDraft();
  await settled();
  await runInOrder(async () => deleteDraft(database, await asItIs(key)));
  end(key);
  broadcastWorkChanged(key);
  await reload();
}

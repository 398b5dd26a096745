import type { Operation } from "../api/messages.ts";
import type { Database, WriteTransaction } from "./db.ts";
import { createDevice } from "./device.ts";
import { isOwnedBy, type WorkOwner } from "./encryption-keys.ts";
import { createUuidV7 } from "./ids.ts";
import {
  listReferencedFileHashes,
  type OperationEnvelope,
  type OutboxItem,
  type StoredItem,
  type StoredWorkFile,
  toFileKey,
  type WorkDraft,
} from "./items.ts";
import type { Device } from "./stored-metadata.ts";
import { decryptDraft, decryptItem, encryptWorkContent, toStoredItem } from "./stored-work.ts";
import { pickTrustedClockOffsetMs } from "./trusted-clock.ts";

/**
 * Statuses of rejections after which the server has stored nothing, so that the operation's sequence number can be
 * reused.
 */
const NEVER_STORED: readonly number[] = [400, 403, 404];
/** Statuses of rejections that may be due to the signed-in user or to a server older than the app. */
const RETRYABLE_STATUSES: readonly number[] = [400, 403, 404];

/** Finished work to move from the drafts to the outbox. */
export interface FinishedWork {
  /** The draft, or the relevant part of it, that becomes the operation. */
  readonly draft: Pick<WorkDraft, "key" | "label" | "plate" | "author" | "replaces" | "seal">;
  /** The operation without the fields that the outbox adds: id, device, number, clock. */
  readonly operation: Omit<Operation, "op_id" | "device_id" | "seq" | "clock_offset_ms">;
  readonly now: number;
  /** Amount that the hand-over or return adds to the contract, in minor units. */
  readonly addedCents?: number;
  readonly depositCents?: number | undefined;
}

/** Moves finished work to the outbox: deletes the draft and adds the numbered operation in one transaction. */
export async function enqueueFinishedWork(
  database: Database,
  { draft, operation, now, addedCents = 0, depositCents }: FinishedWork,
): Promise<OutboxItem> {
  const { label, plate } = draft;
  const lowered = depositCents !== undefined && { deposit_cents: depositCents };
  // Encrypt before the transaction, which can't wait for encryption.
  const content = await encryptWorkContent(database, draft, { operation, label, plate });
  return database.write(["ops", "drafts", "meta", "files"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const meta = transaction.objectStore("meta");
    const device = ((await meta.get("device")) as Device | undefined) ?? createDevice(now);
    const replaced = draft.replaces === null ? undefined : await ops.get(draft.replaces);
    const freed = replaced?.trouble && NEVER_STORED.includes(replaced.trouble.status) ? replaced.seq : undefined;
    const seq = freed ?? device.last_seq + 1;
    const known = ((await meta.get("clock_offset_ms")) as number | undefined) ?? 0;
    // Check the device's clock against `now`. The operation's own time may be earlier, as of a late entry.
    const offset = pickTrustedClockOffsetMs(now, known, (await meta.get("clock_mark")) as number | undefined);
    // Later operations get later times, even if the clock is set back.
    await meta.put(now + offset + 1, "clock_mark");
    const numbered = { op_id: createUuidV7(now), device_id: device.device_id, seq, clock_offset_ms: offset };
    const item = { ...toItem(draft, numbered, operation, now), ...content, added_cents: addedCents, ...lowered };
    await ops.put(toStoredItem(item));
    if (isReplaceable(replaced)) await ops.delete(replaced.op_id);
    await transaction.objectStore("drafts").delete(draft.key);
    if (freed === undefined) await meta.put({ ...device, last_seq: seq }, "device");
    return item;
  });
}

// A correction doesn't replace work that the server has booked in the meantime, so that the user sees its outcome.
const isReplaceable = (item: StoredItem | undefined): item is StoredItem =>
  item !== undefined && (!item.accepted || item.result?.state === "conflict");

function toItem(
  draft: FinishedWork["draft"],
  numbered: OperationEnvelope,
  sentOperation: FinishedWork["operation"],
  now: number,
): OutboxItem {
  const operation: Operation = { ...numbered, ...sentOperation };
  return {
    op_id: operation.op_id,
    seq: operation.seq,
    booking_id: operation.booking_id,
    kind: operation.kind,
    author: draft.author,
    label: draft.label,
    plate: draft.plate,
    operation,
    numbered,
    files: listReferencedFileHashes(operation),
    state: "queued",
    reason: null,
    accepted: false,
    unposted: true,
    tries: 0,
    next_at: 0,
    trouble: null,
    result: null,
    queued_at: now,
    confirmed_at: null,
    layout: 2,
  };
}

/** Lists the outbox items in order, if the keys on this device can decrypt them. */
export async function listOutboxItems(database: Database): Promise<readonly OutboxItem[]> {
  const storedItems = await database.use((db) => db.getAll("ops"));
  const opened = await Promise.all(storedItems.map((keptItem) => decryptItem(database, keptItem)));
  return opened.filter((item) => item !== undefined).toSorted((a, b) => a.seq - b.seq);
}

/** Requeues items that were being sent when the app was killed. The server detects repeats. */
export async function requeueInterruptedItems(database: Database): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    for (const item of await ops.getAll()) {
      if (item.state === "sending") await ops.put({ ...item, state: "queued", next_at: 0 });
    }
  });
}

/** Retries interrupted uploads immediately because the network is back. */
export async function retryInterruptedItemsNow(database: Database): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    for (const item of await ops.getAll()) {
      const isUnconfirmed = item.state === "queued" || item.state === "sent";
      if (isUnconfirmed && item.tries === 0 && item.next_at > 0) await ops.put({ ...item, next_at: 0 });
    }
  });
}

/**
 * Requeues confirmed work and photos that the server lost when it was restored to an earlier time. Work is
 * lost if its booking's version is lower than the one that resulted from the work. Returns whether any was
 * lost.
 */
export async function requeueWorkLostByServer(
  database: Database,
  serverState: { readonly versions: ReadonlyMap<number, number>; readonly askedAt: number },
): Promise<boolean> {
  const isLost = ({ booking_id, state, result, confirmed_at }: StoredItem) =>
    state === "confirmed" &&
    (result?.state === "applied" || result?.state === "held") &&
    // The response doesn't include work confirmed after the request.
    (confirmed_at ?? 0) <= serverState.askedAt &&
    (serverState.versions.get(booking_id) ?? Number.POSITIVE_INFINITY) < (result.version ?? 0);
  const storedItems = await database.use((db) => db.getAll("ops"));
  if (!storedItems.some(isLost)) return false;
  await database.write(["ops", "files"], async (transaction) => {
    for (const item of (await transaction.objectStore("ops").getAll()).filter(isLost))
      await requeueItem(transaction, item);
  });
  return true;
}

async function requeueItem(transaction: WriteTransaction, item: StoredItem): Promise<void> {
  const [ops, files] = [transaction.objectStore("ops"), transaction.objectStore("files")];
  await ops.put({ ...item, state: "queued", accepted: false, result: null, confirmed_at: null, tries: 0, next_at: 0 });
  for (const hash of item.files) {
    const file = await files.get(toFileKey(item.booking_id, hash));
    if (file) await files.put({ ...file, arrived: false, attempted: true, tries: 0 });
  }
}

/** Retries a user's rejected work. The rejection may have been due to another signed-in user or an older server. */
export async function requeueRejectedWork(
  database: Database,
  owner: WorkOwner,
  statuses = RETRYABLE_STATUSES,
): Promise<boolean> {
  const storedItems = await database.use((db) => db.getAll("ops"));
  const refused = storedItems.filter(
    (item) => isOwnedBy(item, owner) && item.reason === "rejected" && statuses.includes(item.trouble?.status ?? 0),
  );
  await retryItems(
    database,
    refused.map(({ op_id }) => op_id),
  );
  return refused.length > 0;
}

/** Retries one or all pending or rejected items immediately, except those that a draft corrects. */
export async function retryItems(database: Database, opIds: readonly string[]): Promise<void> {
  const corrected = await listCorrectedOpIds(database);
  await database.write(["ops", "files"], async (transaction) => {
    for (const opId of opIds) {
      if (corrected.has(opId)) continue;
      const item = await transaction.objectStore("ops").get(opId);
      if (item && item.state !== "confirmed" && item.state !== "sending") await startOver(transaction, item);
    }
  });
}

// Lists the work that drafts correct. If it was sent too, the server would record the work twice.
async function listCorrectedOpIds(database: Database): Promise<ReadonlySet<string | null | undefined>> {
  const drafts = await database.use((db) => db.getAll("drafts"));
  return new Set(await Promise.all(drafts.map(async (draft) => (await decryptDraft(database, draft))?.replaces)));
}

async function startOver(transaction: WriteTransaction, item: StoredItem): Promise<void> {
  const files = transaction.objectStore("files");
  const state = item.accepted ? "sent" : "queued";
  await transaction.objectStore("ops").put({ ...item, state, reason: null, tries: 0, next_at: 0 });
  for (const hash of item.files) {
    const file = await files.get(toFileKey(item.booking_id, hash));
    if (file && !file.arrived) await files.put({ ...file, tries: 0 });
  }
}

/** Rejections of a file that a retry can't fix: too many files, too large, not an image. */
const PERMANENT_FAILURE_STATUSES: readonly number[] = [409, 413, 415];

/** Whether the server will never get a file, because it was rejected permanently or is lost on this device. */
const isLostCause = ({ trouble }: StoredWorkFile) =>
  trouble !== null && (trouble.code === "lost" || PERMANENT_FAILURE_STATUSES.includes(trouble.status));

/** Whether a missing file of an item may still reach the server. */
export const mayFilesArrive = (files: readonly StoredWorkFile[]): boolean =>
  files.some((file) => !file.arrived && !isLostCause(file));

/** Whether all missing files can never be sent. */
export function areAllMissingFilesLost(
  { reason }: Pick<OutboxItem, "reason">,
  files: readonly StoredWorkFile[],
): boolean {
  return reason === "photos" && !mayFilesArrive(files);
}

/**
 * Settles work stored as evidence once its author has read the reason, or work that only lacks files the server never
 * accepts. Evidence is sent again until its files have arrived.
 */
export async function closeBlockedItem(database: Database, opId: string, now: number): Promise<void> {
  await database.write(["ops", "files"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const item = await ops.get(opId);
    if (!item) return;
    const keys = item.files.map((hash) => toFileKey(item.booking_id, hash));
    const stored = await Promise.all(keys.map((key) => transaction.objectStore("files").get(key)));
    const files = stored.filter((file) => file !== undefined);
    if (item.reason === "conflict" && mayFilesArrive(files)) await startOver(transaction, { ...item, seen: true });
    else if (item.reason === "conflict" || areAllMissingFilesLost(item, files))
      await ops.put({ ...item, state: "confirmed", reason: null, confirmed_at: now });
  });
}

/** Marks an item as acknowledged: the user knows that the server didn't book a part of it. */
export async function markItemAcknowledged(database: Database, opId: string): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const item = await ops.get(opId);
    if (item) await ops.put({ ...item, seen: true });
  });
}

/** Whether the server has an item with all its files, or its user settled it. */
export const isConfirmed = (item: Pick<OutboxItem, "state">) => item.state === "confirmed";

/** Lists the files of an item in order. */
export async function listItemFiles(
  database: Database,
  item: Pick<OutboxItem, "booking_id" | "files">,
): Promise<readonly StoredWorkFile[]> {
  const files = await database.use((db) =>
    Promise.all(item.files.map((hash) => db.get("files", toFileKey(item.booking_id, hash)))),
  );
  return files.filter((file) => file !== undefined);
}

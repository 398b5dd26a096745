import type { Client } from "../api/client.ts";
import type { Operation, OperationResult, OperationsAnswer } from "../api/messages.ts";
import { getBackoffMs } from "./backoff.ts";
import type { Database } from "./db.ts";
import type { OperationError, OutboxItem, StoredWorkFile } from "./items.ts";
import { listItemFiles } from "./outbox.ts";
import {
  getUploadInterruptionCount,
  MAX_FAILED_TRIES,
  saveFileRecord,
  stopFileRetries,
  uploadCheckInFile,
} from "./send-file.ts";
import { type PhotoShrinker, shrinkRejectedPhoto } from "./shrink-rejected-photo.ts";
import { toStoredItem } from "./stored-work.ts";

/** Failed upload attempts after which the operation is sent before its photos. */
const PHOTO_TRIES_FIRST = 2;

/** Consecutive interrupted uploads after which the operation is sent before its photos. */
const BREAKS_FIRST = 3;

/** Position of a photo among those of its item, from 1. */
export interface PhotoBeingSent {
  readonly opId: string;
  readonly number: number;
  readonly total: number;
}

/** Inputs and callbacks for sending an outbox item. */
export interface ItemSendingDeps {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => number;
  readonly random: () => number;
  readonly shrink: PhotoShrinker;
  /** Whether a user with a valid session is signed in and may send this work. */
  readonly maySend: () => boolean;
  readonly mayCarry: (item: OutboxItem) => boolean;
  readonly onItem: (item: OutboxItem) => void;
  readonly onProgress: (file: StoredWorkFile, sentBytes: number) => void;
  /** Called before each photo of an item. */
  readonly onPhoto: (photo: PhotoBeingSent) => void;
  /** Called if the connection is lost or the server is temporarily unavailable. */
  readonly onLater: (retryAfterSeconds: number | undefined) => void;
  readonly onFault: () => void;
  readonly onSuccess: () => void;
}

/** Sends an item's photos, then its operation, and returns its new state. */
export async function sendItem(deps: ItemSendingDeps, queued: OutboxItem): Promise<OutboxItem> {
  const save = (item: OutboxItem) => saveItem(deps, item);
  const started = await save({ ...queued, state: "sending" });
  if (await isWorkFirst(deps, started)) return save(await sendOperation(deps, started));
  const { item, isStopped } = await sendFiles(deps, started);
  if (isStopped) return save(await stopItem(deps, item));
  const files = await listItemFiles(deps.database, item);
  const isPhotoDue = files.some(({ arrived, tries }) => !arrived && tries < PHOTO_TRIES_FIRST);
  if (item.accepted || !isPhotoDue) return save(await sendOperation(deps, item));
  return save(postponeItem({ ...item, state: "queued" }, deps, countMaxFailures(files)));
}

/** Whether the operation should be sent first, so that interrupted uploads don't delay it or other bookings. */
async function isWorkFirst({ database }: ItemSendingDeps, item: OutboxItem): Promise<boolean> {
  if (item.accepted) return false;
  return (await listItemFiles(database, item)).some(
    (file) => !file.arrived && getUploadInterruptionCount(file) >= BREAKS_FIRST,
  );
}

/** Delays the work longer with each interrupted upload. */
async function stopItem(deps: ItemSendingDeps, item: OutboxItem): Promise<OutboxItem> {
  const interruptions = Math.max(
    0,
    ...(await listItemFiles(deps.database, item)).filter((file) => !file.arrived).map(getUploadInterruptionCount),
  );
  const pendingItem: OutboxItem = { ...item, state: toPendingState(item) };
  return interruptions === 0 ? pendingItem : postponeItem(pendingItem, deps, interruptions);
}

const toPendingState = ({ accepted }: OutboxItem) => (accepted ? "sent" : "queued");

interface FilesResult {
  readonly item: OutboxItem;
  readonly isStopped: boolean;
}

async function sendFiles(deps: ItemSendingDeps, started: OutboxItem): Promise<FilesResult> {
  let item = started;
  for (const file of await listItemFiles(deps.database, started)) {
    if (file.arrived || file.tries >= MAX_FAILED_TRIES) continue;
    if (!isStillSendable(deps, item)) return { item, isStopped: true };
    countPhoto(deps, item, file);
    const sendResult = await sendOne(deps, item, file);
    item = sendResult.item;
    if (sendResult.outcome === "later" || sendResult.outcome === "signed_out") return { item, isStopped: true };
    if (sendResult.outcome === "arrived") deps.onSuccess();
    else deps.onFault();
    // Update the progress on screen, such as "7 of 8".
    deps.onItem(item);
  }
  return { item, isStopped: false };
}

/** Reports which of an item's photos is sent next. Signatures and contract texts aren't counted. */
function countPhoto(
  { onPhoto }: ItemSendingDeps,
  { op_id, operation: { photos = [] } }: OutboxItem,
  file: StoredWorkFile,
): void {
  const number = photos.findIndex(({ hash }) => hash === file.hash) + 1;
  if (number > 0) onPhoto({ opId: op_id, number, total: photos.length });
}

/** Whether the sender is still signed in, so that nothing is sent under another user. */
const isStillSendable = ({ maySend, mayCarry }: ItemSendingDeps, item: OutboxItem) => maySend() && mayCarry(item);

/**
 * Sends one file. If the server rejects it as too large, shrinks it, renames it in the item and sends it once again.
 */
async function sendOne(deps: ItemSendingDeps, item: OutboxItem, file: StoredWorkFile) {
  const outcome = await uploadCheckInFile(deps, file);
  if (outcome !== "too_large") return { item, outcome };
  const smaller = await shrinkRejectedPhoto(deps, item, file);
  if (!smaller) await stopFileRetries(deps.database, file);
  if (!smaller || smaller.file.arrived) return { item: smaller?.item ?? item, outcome: smaller ? "arrived" : outcome };
  const second = await uploadCheckInFile(deps, smaller.file);
  if (second === "too_large") await stopFileRetries(deps.database, smaller.file);
  return { item: smaller.item, outcome: second };
}

async function sendOperation(deps: ItemSendingDeps, unsent: OutboxItem): Promise<OutboxItem> {
  if (unsent.accepted) return settleItem(deps, unsent);
  const item = await markPosted(deps, unsent);
  if (!isStillSendable(deps, item)) return { ...item, state: "queued" };
  const answer = await deps.client.call<OperationsAnswer, Operation>("POST", "/api/v1/booking/check-in-operations", {
    json: item.operation,
    deviceTime: deps.now(),
  });
  if (answer.kind === "unchanged" || answer.kind === "signed_out") return { ...item, state: "queued" };
  if (answer.kind === "refused") return refuseItem(deps, item, answer);
  const result = answer.kind === "ok" ? findResult(answer.value, item.op_id) : undefined;
  if (!result) {
    // The response came from a captive portal or proxy, not from the server.
    deps.onLater(answer.kind === "unreachable" ? answer.retryAfterSeconds : undefined);
    return { ...item, state: "queued" };
  }
  deps.onSuccess();
  return markAccepted(deps, item, result);
}

/**
 * Marks before sending that the server may have the operation. Its content can't change afterwards, so its
 * photos can't be shrunk. Needed only if it has photos.
 */
async function markPosted(deps: ItemSendingDeps, item: OutboxItem): Promise<OutboxItem> {
  if (!item.unposted || item.files.length === 0) return item;
  return saveItem(deps, { ...item, unposted: false });
}

function findResult(answer: OperationsAnswer | undefined, opId: string): OperationResult | undefined {
  return answer?.results?.find?.((result) => result.op_id === opId);
}

async function markAccepted(deps: ItemSendingDeps, item: OutboxItem, result: OperationResult): Promise<OutboxItem> {
  if (result.state === "rejected") {
    const { status, code, message, detail } = result;
    const failure = { status, code, message, ...(detail && { detail }) };
    return { ...item, state: "blocked", reason: "rejected", result, trouble: failure };
  }
  for (const file of await listItemFiles(deps.database, item)) {
    // The server's list of missing photos is authoritative.
    const isMissing = result.missing_photos.includes(file.hash);
    if (isMissing && file.arrived) await saveFileRecord(deps.database, { ...file, arrived: false, attempted: false });
  }
  return settleItem(deps, { ...item, accepted: true, tries: 0, result, trouble: null });
}

/** Updates an accepted operation: confirmed with its last photo, or blocked if it needs attention. */
async function settleItem(deps: ItemSendingDeps, item: OutboxItem): Promise<OutboxItem> {
  const missing = (await listItemFiles(deps.database, item)).filter(({ arrived }) => !arrived);
  if (missing.length > 0 && missing.every(({ tries }) => tries >= MAX_FAILED_TRIES)) {
    return { ...item, state: "blocked", reason: item.result?.state === "conflict" ? "conflict" : "photos" };
  }
  if (missing.length > 0) return postponeItem({ ...item, state: "sent" }, deps, countMaxFailures(missing));
  if (item.result?.state === "conflict" && !item.seen) return { ...item, state: "blocked", reason: "conflict" };
  return { ...item, state: "confirmed", reason: null, confirmed_at: deps.now() };
}

/** Statuses that a retry can't change. */
const FINAL: readonly number[] = [403, 404, 409, 413, 415, 422];

/**
 * Status if the server can't parse an operation. During a gradual deployment or rollback, it may be older than the app.
 */
const UNREAD = 400;

function refuseItem(
  deps: ItemSendingDeps,
  item: OutboxItem,
  { status, code, message, detail }: OperationError,
): OutboxItem {
  const tries = item.tries + 1;
  const tried: OutboxItem = { ...item, tries, trouble: { status, code, message, ...(detail && { detail }) } };
  if (FINAL.includes(status) || tries >= MAX_FAILED_TRIES) return { ...tried, state: "blocked", reason: "rejected" };
  // A parse error concerns only this item, so it doesn't count as a fault of the server.
  if (status !== UNREAD) deps.onFault();
  return postponeItem({ ...tried, state: "queued" }, deps, tries);
}

function postponeItem(item: OutboxItem, { now, random }: ItemSendingDeps, failures: number): OutboxItem {
  return { ...item, next_at: now() + getBackoffMs(failures, random()) };
}

function countMaxFailures(files: readonly StoredWorkFile[]): number {
  return Math.max(1, ...files.filter(({ arrived }) => !arrived).map(({ tries }) => tries));
}

async function saveItem({ database, onItem }: ItemSendingDeps, item: OutboxItem): Promise<OutboxItem> {
  await database.write(["ops"], (transaction) => transaction.objectStore("ops").put(toStoredItem(item)));
  onItem(item);
  return item;
}

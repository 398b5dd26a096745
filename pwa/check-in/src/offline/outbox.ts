import type { Operation } from "../api/messages.ts";
import type { Database, Writing } from "./db.ts";
import { newDevice } from "./device.ts";
import { newId } from "./ids.ts";
import {
  type Draft,
  fileKey,
  listFilesValue,
  type Numbered,
  type OutboxItem,
  type StoredFile,
  type StoredItem,
} from "./items.ts";
import { openItem, sealedContent, toStoredItem } from "./kept-work.ts";
import type { Device } from "./meta.ts";
import { isOwnedBy, type Owned } from "./ring.ts";
import { trustedOffset } from "./trusted-clock.ts";

/** Refusals after which the server holds nothing of the operation, so that its number is free again. */
const NEVER_STORED: readonly number[] = [400, 403, 404];
/** Refusals that may mean whoever sent it, or that the server was older than the app. */
const RETRYABLE_STATUSES: readonly number[] = [400, 403, 404];

export interface Recorded {
  /** The draft that ends with it, or as much of one. */
  readonly of: Pick<Draft, "key" | "label" | "plate" | "author" | "replaces" | "seal">;
  /** Without what the outbox gives: id, device, number, clock. */
  readonly operation: Omit<Operation, "op_id" | "device_id" | "seq" | "clock_offset_ms">;
  readonly now: number;
  /** What the work adds to the contract, in minor units. */
  readonly addedCents?: number;
  readonly depositCents?: number | undefined;
}

/** Puts finished work into the outbox: the draft goes and the operation comes in one transaction, numbered. */
export async function enqueue(
  database: Database,
  { of: draft, operation, now, addedCents = 0, depositCents }: Recorded,
): Promise<OutboxItem> {
  const { label, plate } = draft;
  const lowered = depositCents !== undefined && { deposit_cents: depositCents };
  // Before the transaction, which does not wait for a cipher.
  const content = await sealedContent(database, draft, { operation, label, plate });
  return database.write(["ops", "drafts", "meta", "files"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const meta = transaction.objectStore("meta");
    const device = ((await meta.get("device")) as Device | undefined) ?? newDevice(now);
    const replaced = draft.replaces === null ? undefined : await ops.get(draft.replaces);
    const freed = replaced?.trouble && NEVER_STORED.includes(replaced.trouble.status) ? replaced.seq : undefined;
    const seq = freed ?? device.last_seq + 1;
    const known = ((await meta.get("clock_offset_ms")) as number | undefined) ?? 0;
    const recorded = Date.parse(operation.recorded_at);
    const offset = trustedOffset(recorded, known, (await meta.get("clock_mark")) as number | undefined);
    // What is done next was done later, whatever the clock says.
    await meta.put(recorded + offset + 1, "clock_mark");
    const numbered = { op_id: newId(now), device_id: device.device_id, seq, clock_offset_ms: offset };
    const item = { ...toItem(draft, numbered, operation, now), ...content, added_cents: addedCents, ...lowered };
    await ops.put(toStoredItem(item));
    if (replaced) await ops.delete(replaced.op_id);
    await transaction.objectStore("drafts").delete(draft.key);
    if (freed === undefined) await meta.put({ ...device, last_seq: seq }, "device");
    return item;
  });
}

function toItem(
  draft: Recorded["of"],
  numbered: Numbered,
  sentOperation: Recorded["operation"],
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
    files: listFilesValue(operation),
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

/** What is in the outbox, in the order in which it was done, as far as the keys on this phone open it. */
export async function listItems(database: Database): Promise<readonly OutboxItem[]> {
  const storedItems = await database.use((db) => db.getAll("ops"));
  const opened = await Promise.all(storedItems.map((keptItem) => openItem(database, keptItem)));
  return opened.filter((item) => item !== undefined).toSorted((a, b) => a.seq - b.seq);
}

/** What the app was sending when it was killed waits for its turn again: the server knows what it had already. */
export async function requeueInterrupted(database: Database): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    for (const item of await ops.getAll()) {
      if (item.state === "sending") await ops.put({ ...item, state: "queued", next_at: 0 });
    }
  });
}

/** The network is back: uploads that broke need not wait any longer. */
export async function retryFailedUploads(database: Database): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    for (const item of await ops.getAll()) {
      const isUnconfirmed = item.state === "queued" || item.state === "sent";
      if (isUnconfirmed && item.tries === 0 && item.next_at > 0) await ops.put({ ...item, next_at: 0 });
    }
  });
}

/**
 * What the server confirmed and knows no more, because it went back to an earlier moment, waits anew, its photos asked
 * for by their names: told that a booking has a version below the one that the work made. Whether there was any.
 */
export async function requeueLost(
  database: Database,
  serverState: { readonly versions: ReadonlyMap<number, number>; readonly askedAt: number },
): Promise<boolean> {
  const isLost = ({ booking_id, state, result, confirmed_at }: StoredItem) =>
    state === "confirmed" &&
    (result?.state === "applied" || result?.state === "held") &&
    // What was confirmed meanwhile is not in what was asked for before.
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

async function requeueItem(transaction: Writing, item: StoredItem): Promise<void> {
  const [ops, files] = [transaction.objectStore("ops"), transaction.objectStore("files")];
  await ops.put({ ...item, state: "queued", accepted: false, result: null, confirmed_at: null, tries: 0, next_at: 0 });
  for (const hash of item.files) {
    const file = await files.get(fileKey(item.booking_id, hash));
    if (file) await files.put({ ...file, arrived: false, attempted: true, tries: 0 });
  }
}

/** The author is back: work that was refused to somebody else, or by an older server, is tried as theirs. */
export async function releaseRefused(database: Database, who: Owned, statuses = RETRYABLE_STATUSES): Promise<boolean> {
  const storedItems = await database.use((db) => db.getAll("ops"));
  const refused = storedItems.filter(
    (item) => isOwnedBy(item, who) && item.reason === "rejected" && statuses.includes(item.trouble?.status ?? 0),
  );
  await retry(
    database,
    refused.map(({ op_id }) => op_id),
  );
  return refused.length > 0;
}

/** A person asks to try again, one or all: what waited or was refused goes at once. */
export async function retry(database: Database, opIds: readonly string[]): Promise<void> {
  await database.write(["ops", "files"], async (transaction) => {
    for (const opId of opIds) {
      const item = await transaction.objectStore("ops").get(opId);
      if (item && item.state !== "confirmed" && item.state !== "sending") await startOver(transaction, item);
    }
  });
}

async function startOver(transaction: Writing, item: StoredItem): Promise<void> {
  const files = transaction.objectStore("files");
  const state = item.accepted ? "sent" : "queued";
  await transaction.objectStore("ops").put({ ...item, state, reason: null, tries: 0, next_at: 0 });
  for (const hash of item.files) {
    const file = await files.get(fileKey(item.booking_id, hash));
    if (file && !file.arrived) await files.put({ ...file, tries: 0 });
  }
}

/** Refusals of a file that no other try changes: one too many, too large, no picture. */
const PERMANENT_FAILURE_STATUSES: readonly number[] = [409, 413, 415];

/** Whether a file will never be the server's: it was refused for what it is, or is on this phone no more. */
const isLostCause = ({ trouble }: StoredFile) =>
  trouble !== null && (trouble.code === "lost" || PERMANENT_FAILURE_STATUSES.includes(trouble.status));

/** Whether all that work still waits for are files that will never be the server's. */
export function lacksLostOnly({ reason }: Pick<OutboxItem, "reason">, files: readonly StoredFile[]): boolean {
  return reason === "photos" && files.every((file) => file.arrived || isLostCause(file));
}

/**
 * Work that the server kept as evidence is settled once its author has read why; so is work of which it has all but
 * files that it never takes.
 */
export async function acknowledge(database: Database, opId: string, now: number): Promise<void> {
  await database.write(["ops", "files"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const item = await ops.get(opId);
    if (!item) return;
    const keys = item.files.map((hash) => fileKey(item.booking_id, hash));
    const files = await Promise.all(keys.map((key) => transaction.objectStore("files").get(key)));
    if (
      item.reason === "conflict" ||
      lacksLostOnly(
        item,
        files.filter((file) => file !== undefined),
      )
    ) {
      await ops.put({ ...item, state: "confirmed", reason: null, confirmed_at: now });
    }
  });
}

/** A person has seen what of it was not booked, and acts on it. */
export async function markReviewed(database: Database, opId: string): Promise<void> {
  await database.write(["ops"], async (transaction) => {
    const ops = transaction.objectStore("ops");
    const item = await ops.get(opId);
    if (item) await ops.put({ ...item, seen: true });
  });
}

export const hasArrived = (item: Pick<OutboxItem, "state">) => item.state === "confirmed";

/** The files of an item, in its order. */
export async function listFiles(
  database: Database,
  item: Pick<OutboxItem, "booking_id" | "files">,
): Promise<readonly StoredFile[]> {
  const files = await database.use((db) =>
    Promise.all(item.files.map((hash) => db.get("files", fileKey(item.booking_id, hash)))),
  );
  return files.filter((file) => file !== undefined);
}

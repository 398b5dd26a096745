import { batch, computed, signal } from "@preact/signals";
import { createClient } from "../api/client.ts";
import { browserTransport } from "../api/transport.ts";
import { type DeviceSession, isQuotaExceeded, openDatabase } from "../offline/db.ts";
import { deleteOldConfirmedWork } from "../offline/delete-work.ts";
import { encryptUnencryptedWork } from "../offline/encrypt-unencrypted-work.ts";
import { deleteEncryptionKeys, fetchEncryptionKeys, loadEncryptionKeys } from "../offline/encryption-keys.ts";
import type { OutboxItem } from "../offline/items.ts";
import { type InitialState, loadInitialState } from "../offline/load-initial-state.ts";
import { decryptStoredWork, listWorkKeyNumbers, readStoredWork, type StoredWork } from "../offline/locked-work.ts";
import { requeueInterruptedItems, retryInterruptedItemsNow } from "../offline/outbox.ts";
import {
  createSessionEncryptionKey,
  decryptWithSessionKey,
  deleteSessionEncryptionKey,
  encryptWithSessionKey,
} from "../offline/session-encryption.ts";
import { createSingleTabRunner } from "../offline/single-tab.ts";
import { retryAfterFreeingStorage } from "../offline/storage.ts";
import { readDeviceState, type StoredSession, saveDeviceState } from "../offline/stored-metadata.ts";
import { createSync } from "../offline/sync.ts";
import { pickTrustedClockOffsetMs } from "../offline/trusted-clock.ts";
import { readLocal, writeLocal } from "./local-storage.ts";
import {
  approvedAuthors,
  handleItemChange,
  handlePhotoSending,
  handleUploadProgress,
  isOnline,
  isOwnWork,
  isServerReachable,
  lastReceivedByServerAt,
  maySendWork,
  replaceDrafts,
  replaceItems,
  replaceLocked,
  viewer,
} from "./outbox.ts";
import { waitForPendingWrites } from "./pending-writes.ts";

const TICK_MS = 30_000;

export const database = openDatabase();
export const session = signal<DeviceSession | undefined>(undefined);
/** Whether the signed-in user may make office decisions. */
export const hasOfficeRole = computed(
  () => session.value?.role === "manager" || session.value?.role === "administrator",
);
/** Whether the company requires a second factor that the last user hasn't provided. */
export const isSecondFactorMissing = signal(false);
/** Offset from this device's clock to the server's. */
export const clockOffsetMs = signal(0);

/** Token of the last sign-in, until its session starts. */
let loginToken = "";
/** Returns the token of a sign-in whose session isn't stored yet. */
export const getUnsavedSessionToken = () => loginToken;

const tabs = new BroadcastChannel("checkin");

export const client = createClient({
  transport: browserTransport,
  now: Date.now,
  token: () => session.peek()?.token,
  onToken: (token, isSignIn) => {
    const current = session.peek();
    if (isSignIn) loginToken = token;
    else if (current) void storeSession({ ...current, token });
  },
  onClock: (offset) => {
    // The server's time replaces the last known time, even if it's earlier.
    void saveTime("clock_mark", Date.now() + offset);
    if (offset === clockOffsetMs.peek()) return;
    clockOffsetMs.value = offset;
    void saveTime("clock_offset_ms", offset);
  },
  onReach: (reached) => {
    isServerReachable.value = reached;
    lastRequestedAt = Date.now();
  },
  onSignedOut: (reason) => {
    isSecondFactorMissing.value = reason === "factor_missing";
    const current = session.peek();
    if (!current || current.expired) return;
    void storeSession({ ...current, expired: true });
    // After an expired session, delete all server data from disk. Pending work stays, encrypted, and open work can be
    // finished.
    void deleteEncryptionKeys(database, { inMemory: false });
    void database.use((db) => db.clear("cache"));
  },
});

/** One tab sends for all. Another takes over if that tab is closed. */
const senderLock = createSingleTabRunner(() => void sendDueItems());

const sync = createSync({
  database,
  client,
  now: Date.now,
  random: Math.random,
  shrink: async (picture) => (await import("../capture/compress.ts")).compressPhotoFurther(picture),
  maySend: () => session.peek() !== undefined && !session.peek()?.expired && navigator.onLine,
  mayCarry: (item) => session.peek() !== undefined && maySendWork(item),
  alone: senderLock,
  onItem,
  onProgress: handleUploadProgress,
  onPhoto: handlePhotoSending,
  onReach: (reached) => {
    isServerReachable.value = reached;
  },
});

/** Whether the signed-in user may see an item. */
function isVisible(item: OutboxItem): boolean {
  return session.peek() !== undefined && (hasOfficeRole.peek() || isOwnWork(item));
}

function onItem(item: OutboxItem): void {
  // If the author signed out while the item was being sent, don't keep the item in memory.
  if (isVisible(item)) handleItemChange(item);
  if (item.state !== "confirmed") return;
  lastReceivedByServerAt.value = Date.now();
  void saveTime("last_received_at", Date.now()).then(broadcastStoredWorkChanged);
}

/** Time of the last server request. */
let lastRequestedAt = 0;

/**
 * Checks whether the server is reachable with a small request, if there was no recent request or the last result may be
 * outdated.
 */
async function ask(isUrgent: boolean): Promise<void> {
  if (!session.peek() || !navigator.onLine || document.visibilityState === "hidden") return;
  const isKnown = isServerReachable.peek() === true || !isUrgent;
  if (isKnown && Date.now() - lastRequestedAt < TICK_MS - 1000) return;
  const answer = await client.call<{ readonly status?: string }>("GET", "/healthz");
  // A captive portal may return anything.
  isServerReachable.value = answer.kind === "ok" && answer.value?.status === "ok";
}

/** Uses the last known time if the device's clock was set back. Otherwise records the current time. */
async function watchClock(): Promise<void> {
  trustClock(await readDeviceState(database, "clock_mark"));
  await saveTime("clock_mark", Date.now() + clockOffsetMs.peek());
}

/** Stores a time. If storage is full, the time stays in memory until the app ends. */
const saveTime = (name: "clock_mark" | "clock_offset_ms" | "last_received_at", milliseconds: number) =>
  saveDeviceState(database, name, milliseconds).catch(() => undefined);

function trustClock(mark: number | undefined): void {
  const offset = pickTrustedClockOffsetMs(Date.now(), clockOffsetMs.peek(), mark);
  if (offset !== clockOffsetMs.peek()) clockOffsetMs.value = offset;
}

/** Sends the work of colleagues on this device in their names, because the office user chose to. */
export async function sendAuthorsWork(authors: Iterable<string>): Promise<void> {
  approvedAuthors.value = new Set([...approvedAuthors.peek(), ...authors]);
  await sendDueItems(true);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends all due items and schedules the next run, so that the outbox empties automatically. */
export async function sendDueItems(isUrgent = false): Promise<void> {
  clearTimeout(timer);
  await watchClock();
  await deleteReceivedWorkHourly();
  try {
    await retryAfterFreeingStorage(database, () => drain(isUrgent));
  } catch (error) {
    // Storage may become available later, so pending work is retried.
    if (!isQuotaExceeded(error)) throw error;
  }
  await ask(isUrgent);
  clearTimeout(timer);
  const nextAt = sync.nextAt();
  const wait = nextAt === undefined ? TICK_MS : Math.min(TICK_MS, Math.max(250, nextAt - Date.now()));
  timer = setTimeout(() => void sendDueItems(), wait);
}

async function drain(isUrgent: boolean): Promise<void> {
  if (session.peek()?.expired === false && !database.ring && navigator.onLine && (await requestEncryptionKeys()))
    await reloadStoredWork();
  if (isUrgent) await retryInterruptedItemsNow(database);
  await (isUrgent ? sync.hurry() : sync.run());
}

/** Fetches the keys of pending work and encrypts unencrypted work. Returns false if the server is unreachable. */
export async function requestEncryptionKeys(): Promise<boolean> {
  const currentSession = session.peek();
  if (!currentSession) return false;
  const seals = hasOfficeRole.peek() ? await listWorkKeyNumbers(database) : [];
  if (!(await fetchEncryptionKeys(database, client, currentSession.username, seals.slice(0, 100)))) return false;
  // The user has signed out since the request.
  if (session.peek()?.username !== currentSession.username) {
    await deleteEncryptionKeys(database, { inMemory: true });
    return false;
  }
  viewer.value = toViewer(session.peek());
  await encryptUnencryptedWork(database);
  return true;
}

const toViewer = (currentSession: DeviceSession | undefined) =>
  currentSession && {
    username: currentSession.username,
    seal: ownSeal(currentSession),
    isOffice: hasOfficeRole.peek(),
  };
const ownSeal = ({ username }: DeviceSession) => (database.ring?.author === username ? database.ring.own : undefined);

const SIGNED_IN = "checkin.signed-in";

/** Whether the system deleted the database while a user was signed in. */
export const isDatabaseWiped = () => session.peek() === undefined && readLocal(SIGNED_IN) !== null;

/** Sets and stores the session. Without one, deletes it and its key. */
export async function storeSession(next: DeviceSession | undefined): Promise<void> {
  session.value = next;
  viewer.value = toViewer(next);
  writeLocal(SIGNED_IN, next ? "yes" : null);
  // Save sessions in order, so that an older token never replaces a newer one.
  saving = saving.catch(() => undefined).then(() => saveSession(next));
  await saving;
}

let saving: Promise<void> = Promise.resolve();

async function saveSession(next: DeviceSession | undefined): Promise<void> {
  if (!next) {
    await Promise.all([saveDeviceState(database, "session", undefined), deleteSessionEncryptionKey(database)]);
    return;
  }
  const { token, ...rest } = next;
  if (next.expired) {
    await Promise.all([
      saveDeviceState(database, "session", { ...rest, sealed: null }),
      deleteSessionEncryptionKey(database),
    ]);
    return;
  }
  const sealed = await encryptWithSessionKey(database, token);
  if (sealed) await saveDeviceState(database, "session", { ...rest, sealed });
}

/** Restores the stored session. Returns undefined if its key is gone. */
async function openSession(
  storedSession: StoredSession | DeviceSession | undefined,
): Promise<DeviceSession | undefined> {
  if (!storedSession) return undefined;
  if ("sealed" in storedSession) {
    const { sealed, ...rest } = storedSession;
    if (!sealed) return { ...rest, token: "" };
    const token = await decryptWithSessionKey(database, sealed);
    return typeof token === "string" ? { ...rest, token } : undefined;
  }
  // Session of an older version: encrypt it and clear the lists, which are then requested again.
  await createSessionEncryptionKey(database);
  await database.use((db) => db.clear("cache"));
  await storeSession(storedSession);
  return storedSession;
}

/** Reloads the lists from the database after work was added or another tab changed it. */
export async function reloadStoredWork(): Promise<void> {
  const [storedSession, receivedAt] = await Promise.all([
    readStoredWork(database),
    readDeviceState(database, "last_received_at"),
  ]);
  await show(storedSession, receivedAt);
}

async function show(storedSession: StoredWork, receivedAt: number | undefined): Promise<void> {
  const { items, drafts, locked } = await decryptStoredWork(database, storedSession);
  batch(() => {
    lastReceivedByServerAt.value = receivedAt;
    replaceItems(items);
    replaceDrafts(drafts);
    replaceLocked(locked);
  });
}

/** Notifies other tabs of the sign-out, so that they hide the user's data. */
export const broadcastSignOut = () => tabs.postMessage("left");

/** Notifies other tabs of the sign-in, so that they use the new session and its key. */
export const broadcastSignIn = () => tabs.postMessage("came");

/** Notifies the other tabs that stored work has changed. */
export function broadcastStoredWorkChanged(): void {
  tabs.postMessage("changed");
}

/** Notifies other tabs that open work was changed or discarded. */
export const broadcastOpenWorkChanged = (key: string) => tabs.postMessage({ work: key });

/** Counter that increases when another tab changed work or this tab may have missed a change. */
export const otherTabChangeCounter = signal(0);

/** Restores the session and unfinished work. Returns the loaded state. */
export async function restoreSession(): Promise<InitialState> {
  const initialState = await loadInitialState(database);
  const { meta, ops } = initialState;
  database.key = meta.key;
  clockOffsetMs.value = meta.clock_offset_ms ?? 0;
  trustClock(meta.clock_mark);
  const storedSession = await openSession(meta.session);
  loadEncryptionKeys(database, storedSession?.username, meta.ring);
  session.value = storedSession;
  viewer.value = toViewer(storedSession);
  await show(initialState, meta.last_received_at);
  listen();
  // Interrupted items are shown as sending until no other tab is known to send them.
  if (ops.some(({ state }) => state === "sending")) await ownTheOutbox();
  return initialState;
}

function listen(): void {
  addEventListener("online", () => {
    isOnline.value = true;
    void sendDueItems(true);
  });
  addEventListener("offline", () => {
    isOnline.value = false;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    // A suspended tab receives no messages.
    otherTabChangeCounter.value += 1;
    void sendDueItems(true);
  });
  tabs.onmessage = ({ data }) => {
    // Another user signed in, or the user signed out.
    if (data === "left") location.reload();
    if (data === "came") return void waitForPendingWrites().then(() => location.reload());
    otherTabChangeCounter.value += 1;
    if (typeof data === "object") return;
    void reloadStoredWork();
    void sendDueItems();
  };
}

const CLEANUP_INTERVAL_MS = 3_600_000;
let cleanedAt = Date.now();

// Deletes old received work each hour while the app stays open. Keeps photos that the user may still restore.
async function deleteReceivedWorkHourly(): Promise<void> {
  if (Math.abs(Date.now() - cleanedAt) < CLEANUP_INTERVAL_MS) return;
  cleanedAt = Date.now();
  await cleanUpConfirmedWork(true);
}

/** Deletes work received days ago. Waits for the disk, so don't call it before the first screen. */
export async function cleanUpConfirmedWork(keepRestorable = false): Promise<void> {
  if (await deleteOldConfirmedWork(database, Date.now(), keepRestorable)) await reloadStoredWork();
}

/** Requeues items marked as sending, unless another tab is sending them. */
async function ownTheOutbox(): Promise<void> {
  await senderLock(() => requeueInterruptedItems(database));
  await reloadStoredWork();
}

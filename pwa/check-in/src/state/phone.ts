import { batch, computed, signal } from "@preact/signals";
import { createClient } from "../api/client.ts";
import { browserTransport } from "../api/transport.ts";
import { type AtStart, loadInitialState } from "../offline/at-start.ts";
import { isQuotaExceeded, openDatabase, type Session } from "../offline/db.ts";
import { wipeConfirmed } from "../offline/forget.ts";
import type { OutboxItem } from "../offline/items.ts";
import { listSeals, openAll, readWork, type StoredWork } from "../offline/locked.ts";
import { recall, type StoredSession, saveMeta } from "../offline/meta.ts";
import { oneSender } from "../offline/one-sender.ts";
import { requeueInterrupted, retryFailedUploads } from "../offline/outbox.ts";
import { clearKeys, fetchKeys, loadKeys } from "../offline/ring.ts";
import { deleteSealKey, newKey, seal, unseal } from "../offline/seal.ts";
import { sealClearWork } from "../offline/seal-clear-work.ts";
import { retryWithLessData } from "../offline/storage.ts";
import { createSync } from "../offline/sync.ts";
import { trustedOffset } from "../offline/trusted-clock.ts";
import {
  handleItemChange,
  handleUploadProgress,
  isOnline,
  isOwn,
  isReached,
  lastReceivedAt,
  replaceDrafts,
  replaceItems,
  replaceLocked,
  viewer,
} from "./outbox.ts";
import { readLocal, writeLocal } from "./small.ts";
import { settled } from "./turns.ts";

const TICK_MS = 30_000;

export const database = openDatabase();
export const session = signal<Session | undefined>(undefined);
/** Who is signed in decides what the office decides. */
export const isOffice = computed(() => session.value?.role === "manager" || session.value?.role === "administrator");
/** Whether the company asks who signed in last for a second factor, and they have shown none. */
export const isFactorMissing = signal(false);
/** What to add to this phone's clock to get the server's. */
export const clockOffsetMs = signal(0);

/** The token of the last login, until its session begins. */
let loginToken = "";
export const takeLoginToken = () => loginToken;

const tabs = new BroadcastChannel("checkin");

export const client = createClient({
  transport: browserTransport,
  now: Date.now,
  token: () => session.peek()?.token,
  onToken: (token, isSignIn) => {
    const current = session.peek();
    if (isSignIn) loginToken = token;
    else if (current) void keepSession({ ...current, token });
  },
  onClock: (offset) => {
    // What the server says is so, whatever was thought before.
    void saveTime("clock_mark", Date.now() + offset);
    if (offset === clockOffsetMs.peek()) return;
    clockOffsetMs.value = offset;
    void saveTime("clock_offset_ms", offset);
  },
  onReach: (reached) => {
    isReached.value = reached;
    lastRequestedAt = Date.now();
  },
  onSignedOut: (why) => {
    isFactorMissing.value = why === "factor_missing";
    const current = session.peek();
    if (!current || current.expired) return;
    void keepSession({ ...current, expired: true });
    // Whom the server knows no more has nothing of it on the disk; work that waits stays, and is sealed. What is open
    // can still be finished.
    void clearKeys(database, { inMemory: false });
    void database.use((db) => db.clear("cache"));
  },
});

/** One tab sends for all of them; another one goes on where that one is closed. */
const senderLock = oneSender(() => void send());

const sync = createSync({
  database,
  client,
  now: Date.now,
  random: Math.random,
  shrink: async (picture) => (await import("../capture/compress.ts")).compressAgain(picture),
  maySend: () => session.peek() !== undefined && !session.peek()?.expired && navigator.onLine,
  mayCarry: isVisible,
  alone: senderLock,
  onItem,
  onProgress: handleUploadProgress,
  onReach: (reached) => {
    isReached.value = reached;
  },
});

/** Whether who is signed in sees work, and carries it. */
function isVisible(item: OutboxItem): boolean {
  return session.peek() !== undefined && (isOffice.peek() || isOwn(item));
}

function onItem(item: OutboxItem): void {
  // Its author may have left while it was on its way: it is in memory no more.
  if (isVisible(item)) handleItemChange(item);
  if (item.state !== "confirmed") return;
  lastReceivedAt.value = Date.now();
  void saveTime("last_received_at", Date.now()).then(broadcastChange);
}

/** When the server was asked anything last. */
let lastRequestedAt = 0;

/**
 * Whether the server can be reached, asked by its own small question where nothing else has asked of late, or where
 * what was answered then may be so no more.
 */
async function ask(isUrgent: boolean): Promise<void> {
  if (!session.peek() || !navigator.onLine || document.visibilityState === "hidden") return;
  const isKnown = isReached.peek() === true || !isUrgent;
  if (isKnown && Date.now() - lastRequestedAt < TICK_MS - 1000) return;
  const answer = await client.call<{ readonly status?: string }>("GET", "/healthz");
  // A captive portal may answer anything.
  isReached.value = answer.kind === "ok" && answer.value?.status === "ok";
}

/** Where the phone's clock has gone back, the last moment that is known stands; else that one is this. */
async function watchClock(): Promise<void> {
  trustClock(await recall(database, "clock_mark"));
  await saveTime("clock_mark", Date.now() + clockOffsetMs.peek());
}

/** Of a phone that is too full for it nothing stops: the time is known all the same, until the app ends. */
const saveTime = (name: "clock_mark" | "clock_offset_ms" | "last_received_at", milliseconds: number) =>
  saveMeta(database, name, milliseconds).catch(() => undefined);

function trustClock(mark: number | undefined): void {
  const offset = trustedOffset(Date.now(), clockOffsetMs.peek(), mark);
  if (offset !== clockOffsetMs.peek()) clockOffsetMs.value = offset;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what is due now, and comes back when the next is: once called, the outbox drains by itself. */
export async function send(isUrgent = false): Promise<void> {
  clearTimeout(timer);
  await watchClock();
  try {
    await retryWithLessData(database, () => drain(isUrgent));
  } catch (error) {
    // There may be room later: what waits is tried again in its turn.
    if (!isQuotaExceeded(error)) throw error;
  }
  await ask(isUrgent);
  clearTimeout(timer);
  const nextAt = sync.nextAt();
  const wait = nextAt === undefined ? TICK_MS : Math.min(TICK_MS, Math.max(250, nextAt - Date.now()));
  timer = setTimeout(() => void send(), wait);
}

async function drain(isUrgent: boolean): Promise<void> {
  if (session.peek()?.expired === false && !database.ring && navigator.onLine && (await askForKeys())) await reload();
  if (isUrgent) await retryFailedUploads(database);
  await (isUrgent ? sync.hurry() : sync.run());
}

/** Gets the keys of waiting work, and seals what lies open; false where the server could not be asked. */
export async function askForKeys(): Promise<boolean> {
  const who = session.peek();
  if (!who) return false;
  const seals = isOffice.peek() ? await listSeals(database) : [];
  if (!(await fetchKeys(database, client, who.username, seals.slice(0, 100)))) return false;
  // Whoever asked has left meanwhile.
  if (session.peek()?.username !== who.username) {
    await clearKeys(database, { inMemory: true });
    return false;
  }
  viewer.value = toViewer(session.peek());
  await sealClearWork(database);
  return true;
}

const toViewer = (who: Session | undefined) =>
  who && { username: who.username, seal: ownSeal(who), isOffice: isOffice.peek() };
const ownSeal = ({ username }: Session) => (database.ring?.author === username ? database.ring.own : undefined);

const SIGNED_IN = "checkin.signed-in";

/** Somebody was signed in here who did not sign out: the system has cleared the phone's database. */
export const isWiped = () => session.peek() === undefined && readLocal(SIGNED_IN) !== null;

export async function keepSession(next: Session | undefined): Promise<void> {
  session.value = next;
  viewer.value = toViewer(next);
  writeLocal(SIGNED_IN, next ? "yes" : null);
  // In their order: an older token must not come after a newer one.
  saving = saving.catch(() => undefined).then(() => saveSession(next));
  await saving;
}

let saving: Promise<void> = Promise.resolve();

async function saveSession(next: Session | undefined): Promise<void> {
  if (!next) {
    await Promise.all([saveMeta(database, "session", undefined), deleteSealKey(database)]);
    return;
  }
  const { token, ...rest } = next;
  if (next.expired) {
    await Promise.all([saveMeta(database, "session", { ...rest, sealed: null }), deleteSealKey(database)]);
    return;
  }
  const sealed = await seal(database, token);
  if (sealed) await saveMeta(database, "session", { ...rest, sealed });
}

/** The session as it was left; none where its key is gone. */
async function openSession(storedSession: StoredSession | Session | undefined): Promise<Session | undefined> {
  if (!storedSession) return undefined;
  if ("sealed" in storedSession) {
    const { sealed, ...rest } = storedSession;
    if (!sealed) return { ...rest, token: "" };
    const token = await unseal(database, sealed);
    return typeof token === "string" ? { ...rest, token } : undefined;
  }
  // Of an older version: from now on it is sealed, and what was told is told anew.
  await newKey(database);
  await database.use((db) => db.clear("cache"));
  await keepSession(storedSession);
  return storedSession;
}

/** The lists as the database has them, after work was added or another tab changed it. */
export async function reload(): Promise<void> {
  const [storedSession, receivedAt] = await Promise.all([readWork(database), recall(database, "last_received_at")]);
  await show(storedSession, receivedAt);
}

async function show(storedSession: StoredWork, receivedAt: number | undefined): Promise<void> {
  const { items, drafts, locked } = await openAll(database, storedSession);
  batch(() => {
    lastReceivedAt.value = receivedAt;
    replaceItems(items);
    replaceDrafts(drafts);
    replaceLocked(locked);
  });
}

/** Who was signed in has left: no other tab shows anything of theirs. */
export const broadcastSignOut = () => tabs.postMessage("left");

/** Somebody has signed in here: every other tab is theirs from now on, with their session and its key. */
export const broadcastSignIn = () => tabs.postMessage("came");

export function broadcastChange(): void {
  tabs.postMessage("changed");
}

/** Open work was changed or thrown away here: where another tab has it open, it follows. */
export const broadcastWorkChanged = (key: string) => tabs.postMessage({ work: key });

/** Grows whenever another tab has changed work, or this one may have missed it. */
export const otherTabChanges = signal(0);

/** Wakes up: who is signed in, what was left undone. What was read for it is there for others. */
export async function wake(): Promise<AtStart> {
  const initialState = await loadInitialState(database);
  const { meta, ops } = initialState;
  database.key = meta.key;
  clockOffsetMs.value = meta.clock_offset_ms ?? 0;
  trustClock(meta.clock_mark);
  const storedSession = await openSession(meta.session);
  loadKeys(database, storedSession?.username, meta.ring);
  session.value = storedSession;
  viewer.value = toViewer(storedSession);
  await show(initialState, meta.last_received_at);
  listen();
  // What was on its way is shown as such until it is known that no other tab is at it.
  if (ops.some(({ state }) => state === "sending")) await ownTheOutbox();
  return initialState;
}

function listen(): void {
  addEventListener("online", () => {
    isOnline.value = true;
    void send(true);
  });
  addEventListener("offline", () => {
    isOnline.value = false;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    // A tab that slept hears nothing.
    otherTabChanges.value += 1;
    void send(true);
  });
  tabs.onmessage = ({ data }) => {
    // Somebody else is at the phone, or nobody.
    if (data === "left") location.reload();
    if (data === "came") return void settled().then(() => location.reload());
    otherTabChanges.value += 1;
    if (typeof data === "object") return;
    void reload();
    void send();
  };
}

/** Forgets what arrived days ago: a write that waits for the disk, so not before the first screen. */
export async function tidy(): Promise<void> {
  if (await wipeConfirmed(database, Date.now())) await reload();
}

/** What is marked as being sent was interrupted, unless another tab is at it. */
async function ownTheOutbox(): Promise<void> {
  await senderLock(() => requeueInterrupted(database));
  await reload();
}

import { batch, effect, signal } from "@preact/signals";
import type { PasskeyQuestion } from "#shared/passkeys.ts";
import type { LoginRequest, PasskeyAssertion } from "#worker/api/customer-access/messages.ts";
import { type DeviceSession, isQuotaExceeded } from "../offline/db.ts";
import { deleteAuthorWork } from "../offline/delete-work.ts";
import { deleteEncryptionKeys } from "../offline/encryption-keys.ts";
import type { InitialState } from "../offline/load-initial-state.ts";
import { requeueRejectedWork } from "../offline/outbox.ts";
import { createSessionEncryptionKey } from "../offline/session-encryption.ts";
import { requestPersistentStorage, retryAfterFreeingStorage } from "../offline/storage.ts";
import { readDeviceState } from "../offline/stored-metadata.ts";
import {
  clearDays,
  isDayLoading,
  loadStoredFleet,
  prefetchShift,
  refreshFleet,
  refreshShownDay,
  showDay,
  shownDate,
  showStoredDay,
} from "./day.ts";
import { reportPendingWork } from "./device-report.ts";
import {
  broadcastSignIn,
  broadcastSignOut,
  client,
  database,
  getUnsavedSessionToken,
  isSecondFactorMissing,
  reloadStoredWork,
  requestEncryptionKeys,
  sendDueItems,
  session,
  storeSession,
} from "./device-session.ts";
import { officeOperationList } from "./office-review.ts";
import { approvedAuthors, isServerReachable, itemCounts, unsentItemCount, viewer, visibleDrafts } from "./outbox.ts";
import { waitForPendingWrites } from "./pending-writes.ts";
import { replaceRoute } from "./route.ts";
import { getToday, loadStoredSettings, renewSettings, selectedBranchCode, settings } from "./settings.ts";
import { clearTrips } from "./transfers.ts";
import { clearWalkIn } from "./walk-in.ts";
import { openWorkDraft } from "./work.ts";

interface Connection {
  readonly connected: boolean;
  readonly user?: { readonly full_name: string; readonly role: string };
  /** Set if the password is right and the user has a second factor. */
  readonly second_factor?: "required" | "wrong";
  /** Challenge for a passkey, if the user has one. */
  readonly passkey?: PasskeyQuestion;
}

type ConnectionAnswer = Awaited<ReturnType<typeof client.call<Connection>>>;

/** Result of a sign-in. `no_room`: the device has no space for the session. */
export type SignInOutcome =
  | "ok"
  | "wrong"
  | "code_required"
  | "code_wrong"
  | "not_staff"
  | "too_many"
  | "unreachable"
  | "no_room";

export const isSigningIn = signal(false);
/** Challenge that a passkey can sign instead of a code. Valid once. */
export const passkeyQuestion = signal<PasskeyQuestion | undefined>(undefined);

/** Proof of the second factor: a code or a passkey signature. */
export interface SecondFactorInput {
  readonly code?: string;
  readonly passkey?: PasskeyAssertion;
}

/** Signs a user in. The previous session stays until the server accepts the new one. */
export async function signIn(
  username: string,
  password: string,
  proof: SecondFactorInput = {},
): Promise<SignInOutcome> {
  isSigningIn.value = true;
  try {
    return await connect(username.trim().toLowerCase(), password, proof);
  } finally {
    isSigningIn.value = false;
  }
}

async function connect(username: string, password: string, proof: SecondFactorInput): Promise<SignInOutcome> {
  const { passkey, code: typedCode = "" } = proof;
  const code = typedCode.trim();
  const json: LoginRequest = { username, password, code: code || undefined, passkey };
  const answer = await client.call<Connection, LoginRequest>("POST", "/api/v1/login", { json });
  passkeyQuestion.value = answer.kind === "ok" ? answer.value.passkey : undefined;
  const refused = getRefusal(answer);
  if (refused) return refused;
  if (answer.kind !== "ok" || !answer.value.user) return "unreachable";
  const { user } = answer.value;
  const token = getUnsavedSessionToken();
  isSecondFactorMissing.value = false;
  const before = session.peek()?.username;
  if (before !== username) await deleteKeysAfterWrites();
  if (before !== undefined && before !== username) await clearLists();
  const expiredSession = { token, username, full_name: user.full_name, role: user.role, expired: false };
  if (!(await beginSession(expiredSession, before !== username))) return "no_room";
  void requestPersistentStorage();
  // If this request fails, the app repeats it later, and pending work is shown once the keys have arrived.
  await requestEncryptionKeys();
  broadcastSignIn();
  await requeueRejectedWork(database, self());
  await reloadStoredWork();
  await showAndRefreshToday();
  void sendDueItems(true);
  return "ok";
}

/** Starts the session. Returns whether there was space to store it and its key. */
async function beginSession(expiredSession: DeviceSession, isOther: boolean): Promise<boolean> {
  try {
    await retryAfterFreeingStorage(database, async () => {
      if (isOther || !(await readDeviceState(database, "key"))) await createSessionEncryptionKey(database);
      await batch(() => {
        // Update the route immediately, because the user may navigate while lists load.
        replaceRoute("day");
        return storeSession(expiredSession);
      });
    });
    return true;
  } catch (error) {
    await storeSession(undefined);
    if (!isQuotaExceeded(error)) throw error;
    return false;
  }
}

function getRefusal(answer: ConnectionAnswer): Exclude<SignInOutcome, "ok" | "no_room"> | undefined {
  if (answer.kind === "refused" && answer.status === 429) return "too_many";
  if (answer.kind !== "ok") return "unreachable";
  const { connected, user, second_factor: factor } = answer.value;
  if (factor) return factor === "wrong" ? "code_wrong" : "code_required";
  if (!connected || !user) return connected === false ? "wrong" : "unreachable";
  return user.role === "customer" ? "not_staff" : undefined;
}

// The server's lists change with each confirmed item, so reload them once the outbox has sent everything.
let received = 0;
effect(() => {
  const { confirmed, sending, waiting } = itemCounts.value;
  if (confirmed > received && sending + waiting === 0) void refreshShownDay().then(refreshFleet);
  received = confirmed;
});

const REPORT_MS = 30_000;

// Reports drafts and pending work shortly after changes, at most once per interval.
let reporting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const isSomething = visibleDrafts.value.size + unsentItemCount.value >= 0 && isServerReachable.value === true;
  if (!isSomething || reporting !== undefined) return;
  reporting = setTimeout(() => {
    reporting = undefined;
    void reportPendingWork();
  }, REPORT_MS);
});

/** Start day of this shift, used to detect a new day. */
let shift = "";

document.addEventListener("visibilitychange", () => {
  const { value } = session;
  if (document.visibilityState === "visible" && value && !value.expired) void comeBack();
});

let wasReached: boolean | undefined;
effect(() => {
  const { value: isThere } = isServerReachable;
  const isBack = wasReached === false && isThere === true;
  wasReached = isThere;
  const currentSession = session.peek();
  if (isBack && currentSession && !currentSession.expired) void loadMissedDays();
});

/** Repeats missed requests once the server is reachable again. The date may have changed. */
async function loadMissedDays(): Promise<void> {
  if (settings.peek()) await comeBack();
  if (isAhead) return;
  if (settings.peek()) await prepare(renewSettings());
  else await showAndRefreshToday();
}

/** Refreshes the app when it returns to the foreground. The date may have changed. */
async function comeBack(): Promise<void> {
  const now = getToday();
  if (shownDate.peek() !== shift || shift === now) return refreshShownDay();
  shift = now;
  await showDay(now);
  await prefetchShift();
}

/** Shows the stored day, if any, without a server request. */
export async function showStoredToday(atStart: InitialState): Promise<void> {
  // `showAndRefreshToday` follows after the first paint and requests the fresh day.
  isDayLoading.value = true;
  await loadStoredSettings(atStart);
  if (settings.peek()) await showStoredDay(getToday());
}

/** Shows the stored day, then requests a fresh one. */
export async function showAndRefreshToday(): Promise<void> {
  isDayLoading.value = true;
  if (!isPlaced()) await loadStoredSettings();
  const settingsRenewal = renewSettings();
  if (!isPlaced()) await settingsRenewal;
  shift = getToday();
  await showDay(shift);
  void prepare(settingsRenewal);
}

/** Whether the data of a shift was prefetched since the app started. */
let isAhead = false;

/** Prefetches the data of a shift once the settings are loaded. */
async function prepare(settingsRenewal: Promise<boolean>): Promise<void> {
  isAhead = await settingsRenewal;
  await (isAhead ? prefetchShift() : loadStoredFleet());
}

/** Whether settings and branch are known. */
const isPlaced = () => settings.peek() !== undefined && selectedBranchCode.peek() !== "";

/** Deletes all lists from storage and memory, so that the next user doesn't see them. */
async function clearLists(): Promise<void> {
  await database.use((db) => db.clear("cache"));
  batch(() => {
    clearDays();
    clearTrips();
    clearWalkIn();
    settings.value = undefined;
    officeOperationList.value = undefined;
    approvedAuthors.value = new Set();
    openWorkDraft.value = undefined;
  });
}

/**
 * Signs out and deletes the downloaded lists and the user's unsent work from the device, so ask for confirmation first.
 * Unsent work of other users stays, encrypted.
 */
export async function signOut(): Promise<void> {
  const owner = self();
  await leave();
  await deleteAuthorWork(database, owner);
  await reloadStoredWork();
}

/** Identifies the signed-in user by name and by key number, which is the same for all their names. */
const self = () => ({ author: session.peek()?.username ?? "", seal: viewer.peek()?.seal });

/** Switches the user: hides all data, and pending work stays pending until its author returns. */
export async function switchUser(): Promise<void> {
  await leave();
  await reloadStoredWork();
}

// Signs out. Ends the session first, so that pending responses are ignored.
async function leave(): Promise<void> {
  void client.call("DELETE", "/api/v1/logout");
  await batch(() => {
    replaceRoute("sign-in");
    return storeSession(undefined);
  });
  await deleteKeysAfterWrites();
  await clearLists();
  broadcastSignOut();
}

// A photo that is still being compressed needs its author's key.
async function deleteKeysAfterWrites(): Promise<void> {
  await waitForPendingWrites();
  await deleteEncryptionKeys(database, { inMemory: true });
}

import { signal } from "@preact/signals";
import { createDeviceLock, verifyDeviceUser } from "../offline/device-lock.ts";
import { savePin, verifyPin } from "../offline/pin.ts";
import { type DeviceState, readDeviceState, saveDeviceState } from "../offline/stored-metadata.ts";
import { switchUser } from "./account.ts";
import { database, session } from "./device-session.ts";
import { readLocal, writeLocal } from "./local-storage.ts";
import { isAppLocked } from "./route.ts";

/** Idle time after which the PIN or device lock is required. */
export const LOCK_AFTER_IDLE_MS = 5 * 60_000;
const IDLE_CHECK_MS = 15_000;
const LAST_ACTIVITY_KEY = "checkin.used";

/** Lock type chosen by the signed-in user, if any. */
export const lockKind = signal<"pin" | "device" | undefined>(undefined);

let lastActivityAt = 0;

/** Records user activity. */
export function recordActivity(now = Date.now()): void {
  if (isAppLocked.peek() || now - lastActivityAt < 1000) return;
  lastActivityAt = now;
  writeLocal(LAST_ACTIVITY_KEY, String(now));
}

/** Locks the app after a long idle time. A clock set back doesn't count as activity. */
export function lockIfIdle(now = Date.now()): void {
  const last = Number(readLocal(LAST_ACTIVITY_KEY) ?? 0);
  if (lockKind.peek() && session.peek() && (now - last >= LOCK_AFTER_IDLE_MS || last > now)) isAppLocked.value = true;
}

type StoredLocks = Pick<Partial<DeviceState>, "pin" | "device_lock">;

/** Starts idle detection: at start, while open, and when the app returns to the foreground. */
export function startIdleAppLock(storedLocks: StoredLocks): void {
  applyStoredLock(storedLocks);
  lockIfIdle();
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => recordActivity(), { passive: true });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") lockIfIdle();
  });
  setInterval(lockIfIdle, IDLE_CHECK_MS);
  let username = session.peek()?.username;
  session.subscribe((now) => {
    if (now?.username !== username) void reloadStoredLock();
    username = now?.username;
  });
}

async function reloadStoredLock(): Promise<void> {
  const [pin, device_lock] = await Promise.all([
    readDeviceState(database, "pin"),
    readDeviceState(database, "device_lock"),
  ]);
  applyStoredLock({ ...(pin && { pin }), ...(device_lock && { device_lock }) });
}

/** Applies the stored lock, unless it belongs to another user. */
function applyStoredLock({ pin, device_lock }: StoredLocks): void {
  const username = session.peek()?.username;
  const isOwn = (storedLock: { readonly author: string } | undefined) =>
    storedLock !== undefined && storedLock.author === username;
  lockKind.value = isOwn(pin) ? "pin" : isOwn(device_lock) ? "device" : undefined;
  if (!username) isAppLocked.value = false;
}

/** Locks the app with this PIN from now on. Does nothing without a session. */
export async function setPinLock(pin: string): Promise<void> {
  const currentSession = session.peek();
  if (!currentSession) return;
  await savePin(database, currentSession.username, pin);
  recordActivity();
  lockKind.value = "pin";
}

/** Enables the device lock. Returns false if the user declines. */
export async function enableDeviceLock(): Promise<boolean> {
  const currentSession = session.peek();
  const deviceKey = currentSession && (await createDeviceLock(currentSession.username));
  if (!deviceKey) return false;
  await saveDeviceState(database, "device_lock", deviceKey);
  recordActivity();
  lockKind.value = "device";
  return true;
}

/** Deletes the PIN and the device lock. */
export async function removeAppLock(): Promise<void> {
  await Promise.all([saveDeviceState(database, "pin", undefined), saveDeviceState(database, "device_lock", undefined)]);
  lockKind.value = undefined;
}

/**
 * Checks a PIN. Five wrong attempts end the session and delete its keys. Pending work stays encrypted for its author.
 */
export async function unlockWithPin(pin: string): Promise<"right" | "wrong" | "over"> {
  const username = session.peek()?.username ?? "";
  const outcome = await verifyPin(database, username, pin);
  if (outcome === "right") open();
  if (outcome === "over") await signOutLockedApp();
  return outcome;
}

/** Unlocks with the device lock. The system itself limits failed attempts. */
export async function unlockWithDevice(): Promise<boolean> {
  const storedLock = await readDeviceState(database, "device_lock");
  const isRight =
    storedLock !== undefined && storedLock.author === session.peek()?.username && (await verifyDeviceUser(storedLock));
  if (isRight) open();
  return isRight;
}

function open(): void {
  isAppLocked.value = false;
  recordActivity();
}

/** Ends the session and removes the lock. After a sign-in with the password, the user can choose another lock. */
export async function signOutLockedApp(): Promise<void> {
  await removeAppLock();
  await switchUser();
  isAppLocked.value = false;
}

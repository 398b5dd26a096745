import { signal } from "@preact/signals";
import { deletePin, findPin, savePin, tryPin } from "../offline/pin.ts";
import { handOn } from "./account.ts";
import { database, session } from "./phone.ts";

/** Whoever finds the phone after so long must know the PIN. */
export const IDLE_MS = 5 * 60_000;
const LOOK_MS = 15_000;
const USED = "checkin.used";

/** Nothing is shown until the PIN is typed; what waits is sent meanwhile. */
export const isLocked = signal(false);
/** Who is signed in has a PIN. */
export const hasPin = signal(false);

let usedAt = 0;

/** Somebody touches the phone. */
export function touch(now = Date.now()): void {
  if (isLocked.peek() || now - usedAt < 1000) return;
  usedAt = now;
  localStorage.setItem(USED, String(now));
}

/** Locks where nobody has touched the phone for long; a clock that went back is no touch. */
export function lockWhereIdle(now = Date.now()): void {
  const last = Number(localStorage.getItem(USED) ?? 0);
  if (hasPin.peek() && session.peek() && (now - last >= IDLE_MS || last > now)) isLocked.value = true;
}

/** Begins to watch: at the start, while the app is open and when it comes back. */
export async function watchIdle(): Promise<void> {
  await lookForPin();
  lockWhereIdle();
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => touch(), { passive: true });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") lockWhereIdle();
  });
  setInterval(lockWhereIdle, LOOK_MS);
  session.subscribe(() => void lookForPin());
}

async function lookForPin(): Promise<void> {
  const who = session.peek()?.username;
  hasPin.value = who !== undefined && (await findPin(database, who)) !== undefined;
  if (!who) isLocked.value = false;
}

export async function choosePin(pin: string): Promise<void> {
  const who = session.peek();
  if (!who) return;
  await savePin(database, who.username, pin);
  touch();
  hasPin.value = true;
}

export async function dropPin(): Promise<void> {
  await deletePin(database);
  hasPin.value = false;
}

/** After five wrong ones the session is over: its keys go, what waits stays sealed for its author. */
export async function unlock(pin: string): Promise<"right" | "wrong" | "over"> {
  const who = session.peek()?.username ?? "";
  const outcome = await tryPin(database, who, pin);
  if (outcome === "right") {
    isLocked.value = false;
    touch();
  }
  if (outcome === "over") await leaveLocked();
  return outcome;
}

/** Signs in anew instead. The PIN goes too: whoever knows the password chooses another. */
export async function leaveLocked(): Promise<void> {
  await dropPin();
  await handOn();
  isLocked.value = false;
}

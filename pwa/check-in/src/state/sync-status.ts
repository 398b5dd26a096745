import type { TextKey } from "../i18n/texts.ts";

/** Connection state and pending work. */
export interface SyncState {
  /** Whether the device reports a network. */
  readonly isOnline: boolean;
  /** Whether the server answered last. Undefined before the first request. */
  readonly isReached: boolean | undefined;
  readonly isExpired: boolean;
  readonly waiting: number;
  readonly sending: number;
  readonly blocked: number;
  readonly confirmed: number;
  /** Photo that is being sent, and the number of photos of its work. */
  readonly photo?: { readonly number: number; readonly total: number } | undefined;
  /** Formatted time of the last received work. */
  readonly receivedAt: string | undefined;
}

export interface SyncStatus {
  readonly tone: "offline" | "waiting" | "sending" | "refused" | "done" | "unknown";
  readonly icon: "offline" | "clock" | "up" | "refused" | "key" | "check";
  readonly says: readonly (readonly [TextKey, Readonly<Record<string, string | number>>])[];
}

/** Returns the status line. The check mark appears only after a fresh confirmation by the server. */
export function getSyncStatus(now: SyncState): SyncStatus {
  const { waiting, sending, blocked } = now;
  const pending = waiting + sending;
  const refused: SyncStatus["says"] = blocked > 0 ? [["statusBlocked", { n: blocked }]] : [];
  if (now.isExpired) return { tone: "refused", icon: "key", says: [signInText(pending + blocked)] };
  if (!now.isOnline || now.isReached === false) return getOfflineStatus(now, refused);
  if (sending > 0)
    return { tone: "sending", icon: "up", says: [sendingText(pending, now.confirmed), ...photoText(now), ...refused] };
  if (waiting > 0) return { tone: "waiting", icon: "clock", says: [["statusWaiting", { n: waiting }], ...refused] };
  if (blocked > 0) return { tone: "refused", icon: "refused", says: refused };
  if (now.isReached === undefined) return { tone: "unknown", icon: "clock", says: [["statusAsking", {}]] };
  const { receivedAt } = now;
  const all = receivedAt ? (["statusReceivedAt", { time: receivedAt }] as const) : (["statusNothing", {}] as const);
  return { tone: "done", icon: "check", says: [all] };
}

function getOfflineStatus({ isOnline, waiting, sending }: SyncState, refused: SyncStatus["says"]): SyncStatus {
  const pending = waiting + sending;
  const pendingTexts: SyncStatus["says"] = pending > 0 ? [["statusWaiting", { n: pending }]] : [];
  return {
    tone: "offline",
    icon: "offline",
    says: [[isOnline ? "statusUnreachable" : "statusOffline", {}], ...pendingTexts, ...refused],
  };
}

function signInText(unsentCount: number) {
  return unsentCount > 0 ? (["statusSignIn", { n: unsentCount }] as const) : (["statusEnded", {}] as const);
}

function photoText({ photo }: SyncState): SyncStatus["says"] {
  return photo ? [["photoOf", { n: photo.number, of: photo.total }]] : [];
}

function sendingText(pending: number, confirmed: number) {
  const total = pending + confirmed;
  return ["statusSending", { n: Math.min(total, confirmed + 1), of: total }] as const;
}

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
  readonly texts: readonly (readonly [TextKey, Readonly<Record<string, string | number>>])[];
}

/** Returns the status line. The check mark appears only after a fresh confirmation by the server. */
export function getSyncStatus(syncState: SyncState): SyncStatus {
  const { waiting, sending, blocked } = syncState;
  const pending = waiting + sending;
  const refused: SyncStatus["texts"] = blocked > 0 ? [["statusBlocked", { n: blocked }]] : [];
  if (syncState.isExpired) return { tone: "refused", icon: "key", texts: [signInText(pending + blocked)] };
  if (!syncState.isOnline || syncState.isReached === false) return getOfflineStatus(syncState, refused);
  if (sending > 0)
    return {
      tone: "sending",
      icon: "up",
      texts: [sendingText(pending, syncState.confirmed), ...photoText(syncState), ...refused],
    };
  if (waiting > 0) return { tone: "waiting", icon: "clock", texts: [["statusWaiting", { n: waiting }], ...refused] };
  if (blocked > 0) return { tone: "refused", icon: "refused", texts: refused };
  if (syncState.isReached === undefined) return { tone: "unknown", icon: "clock", texts: [["statusAsking", {}]] };
  const { receivedAt } = syncState;
  const all = receivedAt ? (["statusReceivedAt", { time: receivedAt }] as const) : (["statusNothing", {}] as const);
  return { tone: "done", icon: "check", texts: [all] };
}

function getOfflineStatus({ isOnline, waiting, sending }: SyncState, refused: SyncStatus["texts"]): SyncStatus {
  const pending = waiting + sending;
  const pendingTexts: SyncStatus["texts"] = pending > 0 ? [["statusWaiting", { n: pending }]] : [];
  return {
    tone: "offline",
    icon: "offline",
    texts: [[isOnline ? "statusUnreachable" : "statusOffline", {}], ...pendingTexts, ...refused],
  };
}

function signInText(unsentCount: number) {
  return unsentCount > 0 ? (["statusSignIn", { n: unsentCount }] as const) : (["statusEnded", {}] as const);
}

function photoText({ photo }: SyncState): SyncStatus["texts"] {
  return photo ? [["photoOf", { n: photo.number, of: photo.total }]] : [];
}

function sendingText(pending: number, confirmed: number) {
  const total = pending + confirmed;
  return ["statusSending", { n: Math.min(total, confirmed + 1), of: total }] as const;
}

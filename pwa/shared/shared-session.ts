/** Time for other tabs to answer. They answer within a few milliseconds. */
const PATIENCE_MILLISECONDS = 200;

interface TabMessage {
  readonly token?: string;
  /** Whether the user signed out in the sending tab. */
  readonly hasEnded?: boolean;
}

const openChannel = (key: string) => new BroadcastChannel(`session ${key}`);

/** Notifies the other tabs that the user signed out in this one. */
export function announceSignOut(key: string): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = openChannel(key);
  channel.postMessage({ hasEnded: true } satisfies TabMessage);
  channel.close();
}

/**
 * Shares the session of a staff app between tabs. It still ends with the last tab, because the token is stored by tab
 * only. `key` is the storage key of the token. Resolves once this tab has the token of another tab, or none has one.
 * Calls `onEnded` when the user signed out in another tab.
 */
export function shareSessionBetweenTabs(key: string, onEnded: () => unknown): Promise<void> {
  if (typeof BroadcastChannel === "undefined") return Promise.resolve();
  const channel = openChannel(key);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isWaiting = sessionStorage.getItem(key) === null;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = sessionStorage.getItem(key);
    if (data.hasEnded) {
      if (own !== null) onEnded();
    } else if (data.token === undefined) {
      if (own !== null) channel.postMessage({ token: own });
    } else if (isWaiting) {
      isWaiting = false;
      sessionStorage.setItem(key, data.token);
      resolve();
    }
  };
  if (isWaiting) channel.postMessage({});
  else resolve();
  setTimeout(() => {
    isWaiting = false;
    resolve();
  }, PATIENCE_MILLISECONDS);
  return promise;
}

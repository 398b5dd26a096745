/** Time for other tabs to answer. They answer within a few milliseconds. */
const PATIENCE_MILLISECONDS = 200;

/**
 * Shares the session of a staff app between tabs. It still ends with the last tab, because the token is stored by tab
 * only. `key` is the storage key of the token. Resolves once this tab has the token of another tab, or none has one.
 */
export function shareSessionBetweenTabs(key: string): Promise<void> {
  if (typeof BroadcastChannel === "undefined") return Promise.resolve();
  const channel = new BroadcastChannel(`session ${key}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isWaiting = sessionStorage.getItem(key) === null;
  channel.onmessage = ({ data }: MessageEvent<{ readonly token?: string }>) => {
    const own = sessionStorage.getItem(key);
    if (data.token === undefined) {
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

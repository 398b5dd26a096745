/** Time for other tabs to answer. They answer within a few milliseconds. */
const PATIENCE_MILLISECONDS = 200;

interface TabMessage {
  readonly token?: string;
  /** Id of the session that the user ended in the sending tab. */
  readonly ended?: string;
}

const openChannel = (key: string) => new BroadcastChannel(`session ${key}`);

/** Returns the session id of a token, which renewed tokens keep. A text that isn't a JWT is its own id. */
function readSessionId(token: string): string {
  try {
    const payload = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
    return (JSON.parse(atob(payload)) as { readonly jti?: string }).jti ?? token;
  } catch {
    return token;
  }
}

const matchesSession = (token: string | null, id: string) => token !== null && readSessionId(token) === id;

/** Notifies the other tabs that the user ended the session of a token in this one. */
export function announceSignOut(key: string, token: string): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = openChannel(key);
  channel.postMessage({ ended: readSessionId(token) } satisfies TabMessage);
  channel.close();
}

/**
 * Shares the session of a staff app between tabs. The session still ends with the last tab, because each tab
 * stores the token only for itself. `key` is the storage key of the token. Resolves once this tab has a token
 * from another tab, or no tab has one. Calls `onEnded` when the user ends this session in another tab, also
 * without a network.
 */
export function shareSessionBetweenTabs(key: string, onEnded: () => unknown): Promise<void> {
  if (typeof BroadcastChannel === "undefined") return Promise.resolve();
  const channel = openChannel(key);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isWaiting = sessionStorage.getItem(key) === null;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = sessionStorage.getItem(key);
    if (data.ended !== undefined) {
      if (matchesSession(own, data.ended)) onEnded();
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

import type { SignInAnswer, SignInProof } from "./sign-in.tsx";

/** The session is over, the user isn't staff, or a required second factor is missing. */
export type SignedOutReason = "session_over" | "not_theirs" | "factor_missing";

/** Error if no permitted user is signed in. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
  readonly why: SignedOutReason;

  constructor(why: SignedOutReason) {
    super();
    this.why = why;
  }
}

async function getSignedOutReason(response: Response): Promise<SignedOutReason> {
  if (response.status === 401) return "session_over";
  const body: unknown = await response.json().catch(() => undefined);
  return Object(body).code === "second_factor_missing" ? "factor_missing" : "not_theirs";
}

/**
 * Creates a staff session that lasts until the tab is closed. `key` is the storage key of the token. `read` returns
 * JSON. It throws `SignedOut` if the token is invalid, or an `Error` with the status as message for other failures.
 */
export function createStaffSession(key: string) {
  const keep = (token: string) => sessionStorage.setItem(key, token);
  const token = () => sessionStorage.getItem(key);
  return {
    isSignedIn: (): boolean => token() !== null,

    /** Signs in. Fails if the name or password is wrong or the second factor is required. */
    async signIn(username: string, password: string, proof?: SignInProof): Promise<SignInAnswer> {
      const response = await fetch("/api/v1/login", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ username, password, ...proof }),
      });
      const newToken = response.headers.get("Authorization");
      if (newToken) keep(newToken);
      return newToken === null && !response.ok ? { connected: false } : ((await response.json()) as SignInAnswer);
    },

    async signOut(): Promise<void> {
      const last = token();
      sessionStorage.removeItem(key);
      if (last)
        await fetch("/api/v1/logout", { method: "DELETE", headers: { Authorization: last } }).catch(() => undefined);
    },

    async read<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
      const newToken = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
      const response = await fetch(`${path}?${new URLSearchParams(newToken)}`, {
        // A cached response may contain the token of an ended session.
        cache: "no-store",
        headers: { Authorization: token() ?? "" },
      });
      if (response.status === 401 || response.status === 403) {
        sessionStorage.removeItem(key);
        throw new SignedOut(await getSignedOutReason(response));
      }
      const fresh = response.headers.get("Authorization");
      if (fresh) keep(fresh);
      if (!response.ok) throw new Error(`${response.status}`);
      return (await response.json()) as T;
    },
  };
}

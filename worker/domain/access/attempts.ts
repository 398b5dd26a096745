/**
 * Actions with rate limits, against brute force and abuse. `check` checks an existing registration, `forgotten`
 * requests a password reset link, and `change` uses one.
 */
export type RateLimitedAction = "login" | "sign_up" | "check" | "forgotten" | "change";

/** Number of attempts by one subject in the current window. */
export interface AttemptCount {
  readonly kind: AttemptSubjectKind;
  readonly count: number;
  /** End of the window, epoch ms. */
  readonly windowEndsAt: number;
}

/**
 * Subject of a limit: one person from one network, or from an unknown one. A network, for any person. One person from
 * any network.
 */
export type AttemptSubjectKind = "person" | "address" | "everywhere";

/** Time within which attempts are counted together. */
export const ATTEMPT_WINDOW_MS = 15 * 60_000;

/**
 * Maximum attempts per window (docs/interfaces/customer-access.md#limits): by person and network, by network (possibly
 * a full office), and by person. The last is high enough that strangers can't easily lock a person out.
 */
const LIMITS: Readonly<Record<RateLimitedAction, Readonly<Record<AttemptSubjectKind, number>>>> = {
  login: { person: 10, address: 100, everywhere: 100 },
  sign_up: { person: 10, address: 20, everywhere: 100 },
  check: { person: 10, address: 30, everywhere: 100 },
  forgotten: { person: 5, address: 20, everywhere: 20 },
  change: { person: 10, address: 30, everywhere: 100 },
};

/**
 * Returns the seconds until an action can be retried. Undefined if it can run now. Expects attempts whose window hasn't
 * ended, including the current one. For a network with an earlier sign-in of the person, attempts from elsewhere don't
 * count.
 */
export function findSecondsUntilRetry(
  action: RateLimitedAction,
  attempts: readonly AttemptCount[],
  now: number,
  isKnownNetwork = false,
): number | undefined {
  const exceeded = attempts
    .filter(({ kind }) => !(isKnownNetwork && kind === "everywhere"))
    .filter(({ kind, count }) => count > LIMITS[action][kind]);
  if (exceeded.length === 0) return undefined;
  const end = Math.max(...exceeded.map(({ windowEndsAt }) => windowEndsAt));
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Returns the part of an address that belongs to one customer: all of IPv4, the first 64 bits of IPv6. */
export function toIpNetwork(ipAddress: string): string {
  const text = ipAddress.toLowerCase();
  if (!text.includes(":")) return text;
  const [head = "", tail] = text.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** What is limited because it could be tried until it works, or until it annoys. */
export type LimitedAction = "login" | "sign_up" | "check" | "forgotten" | "change";

/** How often one subject has tried within the current window. */
export interface Attempts {
  readonly kind: SubjectKind;
  readonly count: number;
  /** Epoch ms. */
  readonly windowEndsAt: number;
}

/**
 * One person as tried from one network, or from nowhere known; a network whomever it tries; one person from wherever
 * they are tried.
 */
export type SubjectKind = "person" | "address" | "everywhere";

export const WINDOW_MILLISECONDS = 15 * 60_000;

/**
 * The most attempts of a window (docs/interfaces/customer-access.md#limits): by person and network, by network, where a
 * whole office may sit, and by person, which must not let strangers lock somebody out.
 */
const LIMITS: Readonly<Record<LimitedAction, Readonly<Record<SubjectKind, number>>>> = {
  login: { person: 10, address: 100, everywhere: 100 },
  sign_up: { person: 10, address: 20, everywhere: 100 },
  check: { person: 10, address: 30, everywhere: 100 },
  forgotten: { person: 5, address: 20, everywhere: 20 },
  change: { person: 10, address: 30, everywhere: 100 },
};

/**
 * Seconds until an action may be tried again; undefined while it may. The attempt in question is counted already. From
 * a network where the person has signed in before, what strangers tried elsewhere does not count.
 */
export function findWait(
  action: LimitedAction,
  attempts: readonly Attempts[],
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

/** The part of an address that one customer of a network holds: all of IPv4, the first 64 bits of IPv6. */
export function toNetwork(address: string): string {
  const text = address.toLowerCase();
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

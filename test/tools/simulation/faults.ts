import type { Timeline } from "./timeline.ts";

/** Probabilities of network faults per thousand calls. */
export interface FaultPlan {
  /** Calls that never arrive. */
  readonly lostCalls: number;
  /** Calls that are executed but whose response is lost. */
  readonly unheard: number;
  /** Calls that arrive twice. */
  readonly doubled: number;
  /** Calls that take seconds. */
  readonly slow: number;
}

/** Network between a Worker and its bindings. */
export interface FaultyNetwork {
  /** Runs a call at the other end. Thrown errors are its response. */
  call<T>(binding: string, act: () => T): Promise<T>;
  readonly counts: Map<string, number>;
}

const WAY_MILLISECONDS = 25;
const SLOW_MILLISECONDS = 9000;

/** Creates a network that loses and repeats calls, determined by the calling task's random stream. */
export function createFaultyNetwork(timeline: Timeline, faultPlan: FaultPlan): FaultyNetwork {
  const counts = new Map<string, number>();
  const count = (fateLabel: string) => counts.set(fateLabel, (counts.get(fateLabel) ?? 0) + 1);
  const createConnectionError = (binding: string) =>
    new Error(`${binding === "d1" ? "D1_ERROR: " : ""}Network connection lost.`);
  const call = <T>(binding: string, act: () => T): Promise<T> =>
    timeline.wait(({ resolve, reject }) => {
      const { random } = timeline.current();
      const fate = pickFate(binding, random.between(1, 1000), faultPlan);
      const way = () => (random.between(1, 1000) <= faultPlan.slow ? SLOW_MILLISECONDS : WAY_MILLISECONDS);
      const [there, back] = [random.nextFraction() * way(), random.nextFraction() * way()];
      if (fate) count(`${binding} ${fate}`);
      timeline.schedule(there, () => {
        const answer = fate === "never asked" ? undefined : runAction(act);
        // Simulates a network that repeats a request: the second execution's result is returned.
        const receivedOutcome = fate === "asked twice" ? runAction(act) : answer;
        timeline.schedule(back, () => {
          if (!receivedOutcome || fate === "not heard") reject(createConnectionError(binding));
          else if (receivedOutcome.ok) resolve(receivedOutcome.value);
          else reject(receivedOutcome.error);
        });
      });
    });
  return { call, counts };
}

// Chooses the fate of a call. Durable Object calls are never repeated.
function pickFate(binding: string, dice: number, { lostCalls, unheard, doubled }: FaultPlan) {
  if (dice <= lostCalls) return "never asked";
  if (dice <= lostCalls + unheard) return "not heard";
  return binding !== "cart" && dice <= lostCalls + unheard + doubled ? "asked twice" : undefined;
}

function runAction<T>(act: () => T) {
  try {
    const value = act();
    // Without a response, errors are lost too.
    if (value instanceof Promise) value.catch(() => undefined);
    return { ok: true, value } as const;
  } catch (error) {
    return { ok: false, error } as const;
  }
}

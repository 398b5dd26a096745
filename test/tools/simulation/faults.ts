import type { Timeline } from "./timeline.ts";

/** What may happen to a call on its way: how often, of a thousand. */
export interface FaultPlan {
  /** It never arrives. */
  readonly lost: number;
  /** It is done, and nobody hears so. */
  readonly unheard: number;
  /** It arrives twice. */
  readonly doubled: number;
  /** It takes seconds. */
  readonly slow: number;
}

/** The way from a Worker to what it is bound to. */
export interface Faults {
  /** Does something at the other end of the way; what it throws is its answer. */
  through<T>(binding: string, act: () => T): Promise<T>;
  readonly counts: Map<string, number>;
}

const WAY_MILLISECONDS = 25;
const SLOW_MILLISECONDS = 9000;

/** Ways on which calls get lost and doubled, as the draws of whoever is under way say. */
export function faultyWays(timeline: Timeline, weather: FaultPlan): Faults {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const lost = (binding: string) => new Error(`${binding === "d1" ? "D1_ERROR: " : ""}Network connection lost.`);
  const through = <T>(binding: string, act: () => T): Promise<T> =>
    timeline.wait(({ resolve, reject }) => {
      const { random } = timeline.current();
      const fate = pickFate(binding, random.between(1, 1000), weather);
      const way = () => (random.between(1, 1000) <= weather.slow ? SLOW_MILLISECONDS : WAY_MILLISECONDS);
      const [there, back] = [random.fraction() * way(), random.fraction() * way()];
      if (fate) count(`${binding} ${fate}`);
      timeline.plan(there, () => {
        const answer = fate === "never asked" ? undefined : runAction(act);
        // As a network that sends again by itself: the second execution is the one that is heard.
        const receivedOutcome = fate === "asked twice" ? runAction(act) : answer;
        timeline.plan(back, () => {
          if (!receivedOutcome || fate === "not heard") reject(lost(binding));
          else if (receivedOutcome.ok) resolve(receivedOutcome.value);
          else reject(receivedOutcome.error);
        });
      });
    });
  return { through, counts };
}

// A call of an object is sent once, whatever becomes of it.
function pickFate(binding: string, dice: number, { lost, unheard, doubled }: FaultPlan) {
  if (dice <= lost) return "never asked";
  if (dice <= lost + unheard) return "not heard";
  return binding !== "cart" && dice <= lost + unheard + doubled ? "asked twice" : undefined;
}

function runAction<T>(act: () => T) {
  try {
    const value = act();
    // Where nobody hears the answer, nobody hears what went wrong either.
    if (value instanceof Promise) value.catch(() => undefined);
    return { ok: true, value } as const;
  } catch (error) {
    return { ok: false, error } as const;
  }
}

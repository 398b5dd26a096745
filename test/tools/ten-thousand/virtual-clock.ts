import { setImmediate, setTimeout as wait } from "node:timers/promises";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** A later timer may be the time limit of running work. */
const NEAR_MS = 2_000;
const REAL_PAUSE_MS = 200;

/** Simulated clock. Replaces the timers of this process and advances when all work is waiting. */
export class VirtualClock {
  #now = Date.parse("2027-03-01T12:00:00Z");
  #order = 0;
  readonly #timers = new Map<number, Timer>();

  readonly now = (): number => this.#now;

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#set(resolve, milliseconds));
  }

  /** Runs work in simulated time. Returns its duration in ms. */
  async measure(work: () => Promise<unknown>): Promise<number> {
    const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };
    globalThis.setTimeout = ((ring: () => void, milliseconds = 0) =>
      this.#set(ring, milliseconds)) as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((id: number) => void this.#timers.delete(id)) as typeof clearTimeout;
    Date.now = this.now;
    const begun = this.#now;
    let endedAt: number | undefined;
    let error: unknown;
    try {
      const running = work().then(
        () => {
          endedAt = this.#now;
        },
        (reason: unknown) => {
          [endedAt, error] = [this.#now, reason ?? new Error("unknown")];
        },
      );
      while (endedAt === undefined) await this.#advance();
      await running;
    } finally {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Date.now = real.now;
      this.#timers.clear();
    }
    if (error !== undefined) throw error;
    return endedAt - begun;
  }

  #set(ring: () => void, milliseconds: number): number {
    const order = ++this.#order;
    this.#timers.set(order, { at: this.#now + Math.max(0, milliseconds), order, ring });
    return order;
  }

  // Work of the processor and of its threads comes first.
  async #advance(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    let next = this.#findNext();
    if (!next || next.at - this.#now > NEAR_MS) {
      await wait(REAL_PAUSE_MS);
      next = this.#findNext();
    }
    if (!next) return;
    this.#now = Math.max(this.#now, next.at);
    for (const timer of [...this.#timers.values()].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer.order);
      timer.ring();
    }
  }

  #findNext(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) if (!next || timer.at < next.at) next = timer;
    return next;
  }
}

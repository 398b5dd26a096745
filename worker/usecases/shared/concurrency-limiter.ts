/** Starts a timer: a promise that resolves after it, and a function that cancels it once the work ended. */
type Timer = (milliseconds: number) => { readonly over: Promise<void>; readonly cancel: () => void };

const startTimer: Timer = (milliseconds) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return { over, cancel: () => clearTimeout(timer) };
};

/**
 * Runs work in a limited number of slots, in the order of its arrival. Work that exceeds its time gives its slot to the
 * next and continues without one, because it can't be stopped.
 */
export class ConcurrencyLimiter {
  readonly #milliseconds: number;
  readonly #startTimer: Timer;
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<void>>();
  #free: number;

  constructor(count: number, milliseconds: number, timer: Timer = startTimer) {
    this.#free = count;
    this.#milliseconds = milliseconds;
    this.#startTimer = timer;
  }

  /** Runs work once a slot is free. Resolves when it ended or exceeded its time, and returns which. */
  async run(work: () => Promise<unknown>): Promise<"done" | "late"> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    const done: Promise<void> = Promise.resolve()
      .then(work)
      .then(() => undefined)
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
    const { over, cancel } = this.#startTimer(this.#milliseconds);
    try {
      return await Promise.race([done.then(() => "done" as const), over.then(() => "late" as const)]);
    } finally {
      cancel();
      this.#release();
    }
  }

  /** Waits for work that exceeded its time, for at most this many milliseconds. */
  async settle(milliseconds: number): Promise<void> {
    const { over, cancel } = this.#startTimer(milliseconds);
    await Promise.race([Promise.allSettled(this.#running), over]);
    cancel();
  }

  // Passes the slot on directly, so that work that arrives later doesn't overtake.
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

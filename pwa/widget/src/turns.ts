interface Press<Work> {
  readonly at: string;
  readonly work: Work;
  readonly settle: (isDone: boolean) => void;
}

/**
 * What is pressed while something is under way waits for it. Of the same thing the last press counts, whatever became
 * of the one before it; other things wait in the order of their presses, and are forgotten where the visitor has gone
 * elsewhere or something failed: they were decided on what is no more.
 */
export class Turns<Work> {
  readonly #waiting = new Map<string, Press<Work>>();

  /** Keeps a press until its turn; whether it was done in the end. */
  wait(thing: string, at: string, work: Work): Promise<boolean> {
    this.#take(thing)?.settle(false);
    return new Promise((settle) => this.#waiting.set(thing, { at, work, settle }));
  }

  /** Whether the same thing was pressed once more, and differently perhaps: its answer alone is shown. */
  isOvertaken(thing: string): boolean {
    return this.#waiting.has(thing);
  }

  /** After a failure nothing waits any more but what was wished for in place of what failed. */
  afterFailureOf(failed: string | undefined): void {
    for (const thing of [...this.#waiting.keys()]) if (thing !== failed) this.#take(thing)?.settle(false);
  }

  /** What is done needs not be done again. */
  forget(thing: string): void {
    this.#take(thing)?.settle(false);
  }

  /** Whose turn it is for a visitor who is at an address. */
  next(at: string): (Press<Work> & { readonly thing: string }) | undefined {
    for (const thing of [...this.#waiting.keys()]) {
      const press = this.#take(thing);
      if (press?.at === at) return { ...press, thing };
      press?.settle(false);
    }
    return undefined;
  }

  #take(thing: string): Press<Work> | undefined {
    const press = this.#waiting.get(thing);
    this.#waiting.delete(thing);
    return press;
  }
}

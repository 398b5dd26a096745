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
export class RequestQueue<Work> {
  readonly #waiting = new Map<string, Press<Work>>();

  /** Keeps a press until its turn; whether it was done in the end. */
  wait(resource: string, at: string, work: Work): Promise<boolean> {
    this.#take(resource)?.settle(false);
    return new Promise((settle) => this.#waiting.set(resource, { at, work, settle }));
  }

  /** Whether the same thing was pressed once more, and differently perhaps: its answer alone is shown. */
  isOvertaken(resource: string): boolean {
    return this.#waiting.has(resource);
  }

  /** After a failure nothing waits any more but what was wished for in place of what failed. */
  afterFailureOf(failed: string | undefined): void {
    for (const resource of [...this.#waiting.keys()]) if (resource !== failed) this.#take(resource)?.settle(false);
  }

  /** What is done needs not be done again. */
  forget(resource: string): void {
    this.#take(resource)?.settle(false);
  }

  /** Whose turn it is for a visitor who is at an address. */
  next(at: string): (Press<Work> & { readonly thing: string }) | undefined {
    for (const resource of [...this.#waiting.keys()]) {
      const press = this.#take(resource);
      if (press?.at === at) return { ...press, thing: resource };
      press?.settle(false);
    }
    return undefined;
  }

  #take(resource: string): Press<Work> | undefined {
    const press = this.#waiting.get(resource);
    this.#waiting.delete(resource);
    return press;
  }
}

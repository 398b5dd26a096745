interface QueuedAction<Work> {
  readonly at: string;
  readonly work: Work;
  readonly settle: (isDone: boolean) => void;
}

/**
 * Queue of actions during a request. For the same resource only the latest counts, regardless of the result of the
 * running one. Others run in order. They're dropped if the visitor leaves the page or an action fails, because their
 * basis is gone.
 */
export class ActionQueue<Work> {
  readonly #waiting = new Map<string, QueuedAction<Work>>();

  /** Queues an action. Resolves to whether it was executed. */
  enqueue(resource: string, at: string, work: Work): Promise<boolean> {
    this.#take(resource)?.settle(false);
    return new Promise((settle) => this.#waiting.set(resource, { at, work, settle }));
  }

  /** Whether a newer action for the same resource is queued, so that only its response is shown. */
  isSuperseded(resource: string): boolean {
    return this.#waiting.has(resource);
  }

  /** After a failure, drops all queued actions except a repetition of the failed one. */
  afterFailureOf(failed: string | undefined): void {
    for (const resource of [...this.#waiting.keys()]) if (resource !== failed) this.#take(resource)?.settle(false);
  }

  /** Drops queued repetitions of a finished action. */
  forget(resource: string): void {
    this.#take(resource)?.settle(false);
  }

  /** Returns the next action that belongs to the current URL. */
  next(at: string): (QueuedAction<Work> & { readonly resource: string }) | undefined {
    for (const resource of [...this.#waiting.keys()]) {
      const action = this.#take(resource);
      if (action?.at === at) return { ...action, resource };
      action?.settle(false);
    }
    return undefined;
  }

  #take(resource: string): QueuedAction<Work> | undefined {
    const action = this.#waiting.get(resource);
    this.#waiting.delete(resource);
    return action;
  }
}

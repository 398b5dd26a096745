/** Length of a window. */
export const REQUEST_WINDOW_SECONDS = 60;

interface Window {
  readonly endsAt: number;
  used: number;
}

/** Requests of a text, such as a key or a link, in its current minute. */
export interface MinuteRequestCount {
  readonly used: number;
  /** Seconds until the minute ends, at least 1. */
  readonly secondsLeft: number;
}

/**
 * Counts requests per minute by a text. Tracks a limited number of texts: if there are more, the one whose minute began
 * first is forgotten. Each isolate counts only its own requests.
 */
export class RequestsPerMinuteCounter {
  readonly #windows = new Map<string, Window>();
  readonly #maxTracked: number;

  constructor(maxTracked: number) {
    this.#maxTracked = maxTracked;
  }

  /** Counts a request at a time in epoch ms. */
  count(text: string, now: number): MinuteRequestCount {
    const window = this.#getWindow(text, now);
    window.used += 1;
    return { used: window.used, secondsLeft: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
  }

  #getWindow(text: string, now: number): Window {
    const known = this.#windows.get(text);
    if (known && known.endsAt > now) return known;
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(text);
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined && this.#windows.size >= this.#maxTracked) this.#windows.delete(oldest);
    const window = { endsAt: now + REQUEST_WINDOW_SECONDS * 1000, used: 0 };
    this.#windows.set(text, window);
    return window;
  }
}

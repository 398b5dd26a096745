const VARIABLE = "MINIFLARE_WORKERD_V8_FLAGS";
/**
 * What the local runtime tells V8. On two cores V8 has one thread beside the runtime's own: where a compilation on it
 * waits for the heap to be collected, and the runtime for that thread to sweep, both wait for ever, at full load. So
 * the runtime sweeps by itself.
 */
const SWEEPS_BY_ITSELF = "--single-threaded-gc";
/** What a developer says goes before. */
const asked = process.env[VARIABLE];

/** Tells it to whatever starts a runtime in this process or from it; the largest heap of an isolate is in MB. */
export function tellV8({ largestHeap }: { readonly largestHeap?: number | undefined } = {}): void {
  const limit = largestHeap === undefined ? [] : [`--max-heap-size=${largestHeap}`];
  process.env[VARIABLE] = asked ?? [SWEEPS_BY_ITSELF, ...limit].join(" ");
}

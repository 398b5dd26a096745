const VARIABLE = "MINIFLARE_WORKERD_V8_FLAGS";
/**
 * What the local runtime tells V8. On two cores V8 has one thread beside the runtime's own: where a compilation on it
 * waits for the heap to be collected, and the runtime for that thread to sweep, both wait for ever, at full load. So
 * the runtime compiles by itself, and the thread only helps to collect: a collection stops the runtime for less long
 * than where it collects by itself (docs/benchmarks.md).
 */
const COMPILES_BY_ITSELF = "--no-concurrent-recompilation --no-concurrent-sparkplug";
/** What a developer says goes before. */
const currentFlags = process.env[VARIABLE];

/** Tells it to whatever starts a runtime in this process or from it; the largest heap of an isolate is in MB. */
export function setV8Flags({ largestHeap }: { readonly largestHeap?: number | undefined } = {}): void {
  const limit = largestHeap === undefined ? [] : [`--max-heap-size=${largestHeap}`];
  process.env[VARIABLE] = currentFlags ?? [COMPILES_BY_ITSELF, ...limit].join(" ");
}

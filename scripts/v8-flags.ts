const VARIABLE = "MINIFLARE_WORKERD_V8_FLAGS";
/**
 * V8 flags of the local runtime. On two cores V8 has one background thread. If a compilation on it waits for garbage
 * collection, and the runtime waits for that thread to sweep, both wait forever under full load. Therefore the runtime
 * compiles on its main thread, and the background thread only helps with collection, which shortens its pauses
 * (docs/benchmarks.md).
 */
const COMPILES_BY_ITSELF = "--no-concurrent-recompilation --no-concurrent-sparkplug";
/** A developer's own flags take precedence. */
const currentFlags = process.env[VARIABLE];

/** Sets the flags for runtimes started by this process or its children. The heap limit of an isolate is in MB. */
export function setV8Flags({ largestHeap }: { readonly largestHeap?: number | undefined } = {}): void {
  const limit = largestHeap === undefined ? [] : [`--max-heap-size=${largestHeap}`];
  process.env[VARIABLE] = currentFlags ?? [COMPILES_BY_ITSELF, ...limit].join(" ");
}

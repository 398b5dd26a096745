/**
 * What the local runtime tells V8. On two cores V8 has one thread beside the runtime's own: where a compilation on it
 * waits for the heap to be collected, and the runtime for that thread to sweep, both wait for ever, at full load. So
 * the runtime sweeps by itself.
 */
const V8_FLAGS = "--single-threaded-gc";

/** Says so to whatever starts a runtime in this process or from it; what a developer says goes before. */
export function tellV8(): void {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] ??= V8_FLAGS;
}

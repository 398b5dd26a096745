import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether release tests are running, with more seeds and random cases than the gate. */
    readonly isThorough: boolean;
  }
}

import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether the tests of a release run, which try more seeds and more random cases than the gate. */
    readonly isThorough: boolean;
  }
}

import type { Operation } from "#tools/fuzz/operations.ts";
import type { Call } from "#tools/platform/client.ts";

/** Operations of the OpenAPI documents that have acknowledged something to a writer. */
export interface OperationCoverage {
  /** Records an acknowledged call and returns its matching operations. */
  acknowledge(call: Pick<Call, "method" | "path">): readonly string[];
  /** Returns the number of write operations, and those that were never acknowledged. */
  report(): { readonly writing: number; readonly never: readonly string[] };
}

/** Tracks all operations other than GET. */
export function calculateCoverage(operations: readonly Operation[]): OperationCoverage {
  const patterns = operations
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => ({
      name: `${method} ${path}`,
      matches: new RegExp(`^${method} ${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  const coveredNames = new Set<string>();
  return {
    acknowledge({ method, path }) {
      const requestLine = `${method} ${path.split("?")[0]}`;
      const matchingNames = patterns.filter(({ matches }) => matches.test(requestLine)).map(({ name }) => name);
      for (const name of matchingNames) coveredNames.add(name);
      return matchingNames;
    },
    report: () => ({
      writing: patterns.length,
      never: patterns.map(({ name }) => name).filter((name) => !coveredNames.has(name)),
    }),
  };
}

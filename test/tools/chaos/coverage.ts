import type { Operation } from "#tools/fuzz/operations.ts";
import type { Call } from "#tools/platform/client.ts";

/** Which operations of the OpenAPI documents have acknowledged something to a writer. */
export interface Coverage {
  /** Answers which of them that is. */
  acknowledge(call: Pick<Call, "method" | "path">): readonly string[];
  /** How many operations write, and those of them that acknowledged nothing. */
  report(): { readonly writing: number; readonly never: readonly string[] };
}

/** Of all operations that are not read by GET. */
export function calculateCoverage(operations: readonly Operation[]): Coverage {
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

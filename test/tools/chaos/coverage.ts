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
export function coverageOf(operations: readonly Operation[]): Coverage {
  const patterns = operations
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => ({
      name: `${method} ${path}`,
      matches: new RegExp(`^${method} ${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  const seen = new Set<string>();
  return {
    acknowledge({ method, path }) {
      const asked = `${method} ${path.split("?")[0]}`;
      const found = patterns.filter(({ matches }) => matches.test(asked)).map(({ name }) => name);
      for (const name of found) seen.add(name);
      return found;
    },
    report: () => ({
      writing: patterns.length,
      never: patterns.map(({ name }) => name).filter((name) => !seen.has(name)),
    }),
  };
}

import { createDemoRandom } from "#scripts/demo/random.ts";

/** Lines of an excerpt. Only mutants within an excerpt are tried. */
const EXCERPT_LINES = 8;

/** File with its number of lines. */
export interface MeasuredFile {
  readonly path: string;
  readonly lines: number;
}

/**
 * Chooses different excerpts of files, as Stryker's ranges of lines. All lines have the same chance. The same seed
 * chooses the same excerpts, except in files that became longer or shorter.
 */
export function chooseExcerpts(files: readonly MeasuredFile[], count: number, seed: number): readonly string[] {
  const excerpts = files.flatMap(({ path, lines }) =>
    Array.from({ length: Math.ceil(lines / EXCERPT_LINES) }, (_, index) => {
      const first = index * EXCERPT_LINES + 1;
      return `${path}:${first}-${Math.min(first + EXCERPT_LINES - 1, lines)}`;
    }),
  );
  return excerpts
    .map((excerpt) => ({ excerpt, order: createDemoRandom(`${seed} ${excerpt}`).nextFraction() }))
    .toSorted((rankedExcerpt, other) => rankedExcerpt.order - other.order)
    .slice(0, count)
    .map(({ excerpt }) => excerpt);
}

/** Problem of a line, as far as its cause needs it. */
interface LineProblem {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly code: string;
  readonly value?: string | null | undefined;
}

/** Problem of one or more lines with the same cause. */
export interface ImportProblemGroup<P extends LineProblem> {
  readonly first: P;
  readonly lines: readonly number[];
}

/** Codes whose cause is the value itself. Each different value has its own fix. */
const BY_VALUE: ReadonlySet<string> = new Set(["value_unknown", "reference_unknown", "country", "flag_invalid"]);

/** Whether a mapping of the value would solve a problem. */
export const isSolvedByValueMapping = ({ code }: Pick<LineProblem, "code">) => BY_VALUE.has(code);

/** Groups problems by file, column, reason and fix, so that one cause is reported once. */
export function groupProblemsByCause<P extends LineProblem>(problems: readonly P[]): readonly ImportProblemGroup<P>[] {
  const causes = new Map<string, { readonly first: P; readonly lines: number[] }>();
  for (const problem of problems) {
    const { file, field, code, value } = problem;
    const key = JSON.stringify([file, field, code, isSolvedByValueMapping(problem) ? value : ""]);
    const known = causes.get(key);
    if (known) known.lines.push(problem.line);
    else causes.set(key, { first: problem, lines: [problem.line] });
  }
  return [...causes.values()];
}

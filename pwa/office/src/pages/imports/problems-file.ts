import { toCsv } from "#domain/reporting/csv.ts";
import type { ImportProblem } from "./import-calls.ts";
import { translateFix, translateProblem } from "./problem-texts.ts";
import { translateImport } from "./texts.ts";

/** Exports all problems as CSV, for the person who fixes the files. */
export function toProblemsCsv(problems: readonly ImportProblem[]): string {
  const headings = [
    translateImport("file"),
    translateImport("line"),
    translateImport("theirColumn"),
    translateImport("value"),
    translateImport("reason"),
    translateImport("fix"),
  ];
  const rows = problems.map((problem) => [
    problem.file,
    problem.line,
    problem.field,
    problem.value ?? "",
    translateProblem(problem),
    translateFix(problem),
  ]);
  return `\uFEFF${toCsv([headings, ...rows])}`;
}

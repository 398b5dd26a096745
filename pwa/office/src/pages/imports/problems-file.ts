import { toCsv } from "#domain/reporting/csv.ts";
import type { ImportProblem } from "./importing.ts";
import { remedyWords, whyWords } from "./problem-words.ts";
import { say } from "./texts.ts";

/** Every problem as a table, for whoever mends the files. */
export function problemsAsCsv(problems: readonly ImportProblem[]): string {
  const headings = [say("file"), say("line"), say("theirColumn"), say("value"), say("reason"), say("right")];
  const rows = problems.map((one) => [one.file, one.line, one.field, one.value ?? "", whyWords(one), remedyWords(one)]);
  return `\uFEFF${toCsv([headings, ...rows])}`;
}

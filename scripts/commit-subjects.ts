import { readFileSync } from "node:fs";
import { runCommand } from "./processes.ts";
import { reportFailure } from "./steps.ts";

// node scripts/commit-subjects.ts --file <message file>: checks the message of one commit, for .githooks/commit-msg
// node scripts/commit-subjects.ts <range>: checks all commits of a range such as origin/main..HEAD, for CI

const MAX_SUBJECT_LENGTH = 72;
const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"];
const SUBJECT = new RegExp(`^(?:${TYPES.join("|")})(?:\\([a-z0-9-]+\\))?!?: (\\S.*)$`);
/** Subjects written by git itself. */
const GIT_SUBJECT = /^(?:Merge |Revert "|(?:fixup|squash|amend)! )/;
const NOT_IMPERATIVE =
  /^(?:(?!need|embed|feed|seed|speed)\w+ed|(?!bring|ping|string)\w+ing|(?:add|fixe|remove|update|use)s)\b/i;

/** Returns why a commit subject isn't allowed. Undefined if it is. */
export function findSubjectProblem(subject: string): string | undefined {
  if (GIT_SUBJECT.test(subject)) return undefined;
  const [, summary] = SUBJECT.exec(subject) ?? [];
  if (summary === undefined) return `must be "type(scope): imperative" with a type of ${TYPES.join(", ")}`;
  if (subject.length > MAX_SUBJECT_LENGTH)
    return `has ${subject.length} characters, at most ${MAX_SUBJECT_LENGTH} are allowed`;
  if (summary.endsWith(".")) return "must not end with a full stop";
  if (NOT_IMPERATIVE.test(summary))
    return `must start with an imperative such as "add", not "${summary.split(" ")[0]}"`;
  return undefined;
}

async function readSubjects([first = "HEAD~1..HEAD", file = ""]: readonly string[]): Promise<readonly string[]> {
  if (first === "--file") return readFileSync(file, "utf8").split("\n", 1);
  const { exitCode, output } = await runCommand("git", ["log", "--no-merges", "--format=%s", first, "--"], {
    quiet: true,
  });
  if (exitCode !== 0) throw new Error(`git log ${first} failed:\n${output.trim()}`);
  return output.split("\n").filter((subject) => subject !== "");
}

async function checkSubjects(args: readonly string[]): Promise<void> {
  const problems = (await readSubjects(args)).flatMap((subject) => {
    const problem = findSubjectProblem(subject);
    return problem === undefined ? [] : [`The commit subject "${subject}" ${problem}.`];
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

if (import.meta.main) await checkSubjects(process.argv.slice(2)).catch(reportFailure);

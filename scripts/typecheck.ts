import { run } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

/** Each place whose globals are its own: the domain's none, the pages' the browser's, tests' and scripts' Node's. */
const PROJECTS = ["test", "worker/domain", "pwa", "pwa/check-in/sw.tsconfig.json", "test/pwa"] as const;

// A quarter of its time went into collecting its garbage: the largest project takes 2 GB, and beyond that it collects.
const LESS_COLLECTING = { GOGC: "off", GOMEMLIMIT: "2500MiB" };

// Each checker works out again the types that its files share with the others': four took three times as long as one.
const ONE_CHECKER = ["--checkers", "1"];

/** Checks the types of all code; throws where one does not fit. */
export async function checkTypes(): Promise<void> {
  for (const project of PROJECTS) {
    const args = ["--project", project, ...ONE_CHECKER];
    const { exitCode } = await run("tsc", args, { environment: LESS_COLLECTING });
    if (exitCode !== 0) throw new Error(`Types that do not fit: tsc --project ${project}`);
  }
}

if (import.meta.main) await step("Types", checkTypes).catch(reportFailure);

import { run } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

/** Projects with separate global types: none for the domain, browser for pages, Node for tests and scripts. */
const PROJECTS = ["test", "worker/domain", "pwa", "pwa/check-in/sw.tsconfig.json", "test/pwa"] as const;

// Garbage collection took a quarter of the time. The largest project takes 2 GB, so collect only above that.
const LESS_COLLECTING = { GOGC: "off", GOMEMLIMIT: "2500MiB" };

// One checker, because each recalculates shared types: four took three times as long.
const ONE_CHECKER = ["--checkers", "1"];

/** Checks the types of all code. Throws on errors. */
export async function checkTypes(): Promise<void> {
  for (const project of PROJECTS) {
    const args = ["--project", project, ...ONE_CHECKER];
    const { exitCode } = await run("tsc", args, { environment: LESS_COLLECTING });
    if (exitCode !== 0) throw new Error(`Types that do not fit: tsc --project ${project}`);
  }
}

if (import.meta.main) await step("Types", checkTypes).catch(reportFailure);

import { runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";

/** Project of Worker, scripts and tests, which takes longer than all others. */
const LARGEST_PROJECT = "test";

/** Other projects with separate global types: none for the domain, browser for pages. */
const OTHER_PROJECTS = ["worker/domain", "pwa", "pwa/check-in/sw.tsconfig.json", "test/pwa"] as const;

// Garbage collection took a quarter of the time. The largest project takes 2 GB, so collect only above that.
const LESS_COLLECTING = { GOGC: "off", GOMEMLIMIT: "2500MiB" };

// One checker, because each recalculates shared types: four took three times as long.
const ONE_CHECKER = ["--checkers", "1"];

/** Checks the types of all code, the largest project in parallel with the others. Throws on errors. */
export async function checkTypes(): Promise<void> {
  await Promise.all([checkProject(LARGEST_PROJECT), checkOtherProjects()]);
}

async function checkOtherProjects(): Promise<void> {
  for (const project of OTHER_PROJECTS) await checkProject(project);
}

async function checkProject(project: string): Promise<void> {
  const args = ["--project", project, ...ONE_CHECKER];
  const { exitCode } = await runCommand("tsc", args, { environment: LESS_COLLECTING });
  if (exitCode !== 0) throw new Error(`Types that do not fit: tsc --project ${project}`);
}

if (import.meta.main) await runStep("Types", checkTypes).catch(reportFailure);

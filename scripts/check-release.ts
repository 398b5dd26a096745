import { check } from "./check.ts";
import { countVulnerabilities } from "./count-known.ts";
import { projectRoot, run } from "./processes.ts";
import { reportFailure } from "./steps.ts";
import { RELEASE, runTests } from "./test.ts";

/** The tools that look for faults: each ends with another exit code than 0 where it finds one. */
const TOOLS: readonly (readonly [tool: string, ...args: string[]])[] = [
  // A hundred thousand contested bookings and a hundred kills.
  ["simulation", "--lives", "100"],
  ["chaos"],
  ["fuzz"],
  // Across ten of the clock's minutes.
  ["soak"],
  ["hostile"],
];

/** Asks the registry what is known against the packages; says so where it cannot be asked. */
async function audit(): Promise<number> {
  const { output } = await run("npm", ["audit", "--json", "--loglevel=silent"], { quiet: true });
  const vulnerabilityCount = countVulnerabilities(output);
  if (vulnerabilityCount === undefined)
    console.log("npm audit: the registry could not be asked; nothing is known of the packages.");
  else console.log(`npm audit: ${vulnerabilityCount} packages with something grave or critical known against them.`);
  return vulnerabilityCount ? 1 : 0;
}

/**
 * The gate with every seed and every random case, then the slow proofs: the lives of accounts, every screen of the
 * check-in app, the simulation, the chaos, the fuzz, the soak and the hostile load.
 */
async function checkRelease(): Promise<number> {
  process.env["FULL_TEST_RUN"] = "yes";
  const checked = (await audit()) || (await check()) || (await runTests(RELEASE, []));
  if (checked !== 0) return checked;
  for (const [tool, ...args] of TOOLS) {
    const { exitCode } = await run(process.execPath, [`${projectRoot}/test/tools/${tool}/main.ts`, ...args]);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

process.exitCode = await checkRelease().catch(reportFailure);

import { runAllChecks } from "./check.ts";
import { countSevereVulnerabilities } from "./count-vulnerabilities.ts";
import { PROJECT_ROOT, runCommand } from "./processes.ts";
import { reportFailure } from "./steps.ts";
import { RELEASE_TEST_GROUPS, runTests } from "./test.ts";

/** Fault-finding tools. Each exits with a non-zero code if it finds a fault. */
const TOOLS: readonly (readonly [tool: string, ...args: string[]])[] = [
  // A hundred thousand contested bookings and a hundred process kills.
  ["simulation", "--lives", "100"],
  ["chaos"],
  ["fuzz"],
  // Covers ten cron minutes.
  ["soak"],
  ["hostile"],
  // All mutants take hours: npm run test:mutation.
  ["mutants", "--sample", "200"],
  ["sentence-mutants"],
];

/** Checks the packages for known vulnerabilities. Reports if the registry is unreachable. */
async function audit(): Promise<number> {
  const { output } = await runCommand("npm", ["audit", "--json", "--loglevel=silent"], { quiet: true });
  const vulnerabilityCount = countSevereVulnerabilities(output);
  if (vulnerabilityCount === undefined)
    console.log("npm audit: the registry could not be asked; nothing is known of the packages.");
  else console.log(`npm audit: ${vulnerabilityCount} packages with something grave or critical known against them.`);
  return vulnerabilityCount ? 1 : 0;
}

/**
 * Runs the full gate with all seeds and random cases, then the slow tests: account lifecycle, all check-in screens,
 * simulation, chaos, fuzzing, soak, isolation load and mutants.
 */
async function checkRelease(): Promise<number> {
  process.env["FULL_TEST_RUN"] = "yes";
  const checked = (await audit()) || (await runAllChecks()) || (await runTests(RELEASE_TEST_GROUPS, []));
  if (checked !== 0) return checked;
  for (const [tool, ...args] of TOOLS) {
    const { exitCode } = await runCommand(process.execPath, [`${PROJECT_ROOT}/test/tools/${tool}/main.ts`, ...args]);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

process.exitCode = await checkRelease().catch(reportFailure);

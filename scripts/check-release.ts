import { check } from "./check.ts";
import { projectRoot, run } from "./processes.ts";
import { reportFailure } from "./steps.ts";
import { runTests } from "./test.ts";

/** The tools that look for faults: each ends with another exit code than 0 where it finds one. */
const TOOLS = ["chaos", "fuzz"] as const;

/** The gate and the slow proofs: the lives of accounts, the chaos and the fuzz. */
async function checkRelease(): Promise<number> {
  const checked = (await check()) || (await runTests([["release"]], []));
  if (checked !== 0) return checked;
  for (const tool of TOOLS) {
    const { exitCode } = await run(process.execPath, [`${projectRoot}/test/tools/${tool}/main.ts`]);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

try {
  process.exitCode = await checkRelease();
} catch (error) {
  reportFailure(error);
}

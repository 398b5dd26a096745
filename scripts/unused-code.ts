import { runOrThrow } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";

/** Throws if knip finds files, exports or packages that nothing uses, or packages missing from package.json. */
export async function checkUnusedCode(): Promise<void> {
  await runOrThrow("knip", ["--no-progress"]);
}

if (import.meta.main) await runStep("Unused code", checkUnusedCode).catch(reportFailure);

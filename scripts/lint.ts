import { runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";

/** Checks lint, format, layer rules and import cycles by biome.json. Throws if a rule is violated. */
export async function checkStyle(): Promise<void> {
  const { exitCode } = await runCommand("biome", ["check", "--error-on-warnings"]);
  if (exitCode !== 0) throw new Error("biome check failed. Run npm run format to fix what can be fixed automatically.");
}

if (import.meta.main) await runStep("Lint, format and layers", checkStyle).catch(reportFailure);

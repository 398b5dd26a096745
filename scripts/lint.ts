import { run } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

/** Checks lint, format, layer rules and import cycles by biome.json. Throws if a rule is violated. */
export async function lint(): Promise<void> {
  const { exitCode } = await run("biome", ["check", "--error-on-warnings"]);
  if (exitCode !== 0) throw new Error("biome check failed. Run npm run format to fix what can be fixed automatically.");
}

if (import.meta.main) await step("Lint, format and layers", lint).catch(reportFailure);

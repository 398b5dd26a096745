import { run } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

/** Lint, format, layer rules and import cycles, as biome.json says; throws where one is broken. */
export async function lint(): Promise<void> {
  const { exitCode } = await run("biome", ["check", "--error-on-warnings"]);
  if (exitCode !== 0) throw new Error("Failed: biome check. What it can mend itself: npm run format");
}

if (import.meta.main) await step("Lint, format and layers", lint).catch(reportFailure);

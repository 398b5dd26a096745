import { readFile, writeFile } from "node:fs/promises";
import { experimental_generateTypes as generateTypes } from "wrangler";
import { projectRoot } from "./processes.ts";
import { configPath } from "./wrangler-toml.ts";

const path = "worker/env.d.ts";

/** The bindings' types: what `wrangler types --include-runtime=false --strict-vars=false` writes. */
async function environmentTypes(): Promise<string> {
  // It runs the pages' build and says so, and node says what it thinks of how: nobody asked.
  process.env["WRANGLER_LOG"] ??= "error";
  process.noDeprecation = true;
  const { content } = await generateTypes({ path, includeRuntime: false, strictVars: false });
  return `${withCompanies(content).trimEnd()}\n`;
}

/**
 * Types that do not depend on which environment binds which company: whoever removes the examples from production, as
 * the guide says, still has code and tests whose types fit, and deploys.
 */
export function withCompanies(types: string): string {
  return types.replaceAll(/^(\s*TENANT_\w+)\?:/gm, "$1:");
}

/** Whether worker/env.d.ts says what wrangler.toml says. */
export async function areTypesUpToDate(): Promise<boolean> {
  const committed = await readFile(`${projectRoot}/${path}`, "utf8").catch(() => "");
  return committed === (await environmentTypes());
}

/** Writes worker/env.d.ts anew; another wrangler.toml than the project's own has no types there. */
export async function writeEnvironmentTypes(): Promise<void> {
  if (configPath() !== `${projectRoot}/wrangler.toml`) return;
  await writeFile(`${projectRoot}/${path}`, await environmentTypes());
}

if (import.meta.main) {
  await writeEnvironmentTypes();
  console.log(`Wrote ${path}.`);
}

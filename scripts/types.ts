import { readFile, writeFile } from "node:fs/promises";
import { experimental_generateTypes as generateTypes } from "wrangler";
import { PROJECT_ROOT } from "./processes.ts";
import { getConfigPath } from "./wrangler-toml.ts";

const path = "worker/env.d.ts";

/** Returns the binding types, as written by `wrangler types --include-runtime=false --strict-vars=false`. */
async function environmentTypes(): Promise<string> {
  // Suppress output of the page build and Node's deprecation warnings.
  process.env["WRANGLER_LOG"] ??= "error";
  process.noDeprecation = true;
  const { content } = await generateTypes({ path, includeRuntime: false, strictVars: false });
  return `${makeTenantBindingsRequired(content).trimEnd()}\n`;
}

/**
 * Makes the types independent of which environment binds which company. Code and tests then still type-check after the
 * example accounts are removed from production, as the guide describes.
 */
export function makeTenantBindingsRequired(types: string): string {
  return types.replaceAll(/^(\s*(?:[A-Z]{2}_)?TENANT_\w+)\?:/gm, "$1:");
}

/** Whether worker/env.d.ts matches wrangler.toml. */
export async function areTypesUpToDate(): Promise<boolean> {
  const committed = await readFile(`${PROJECT_ROOT}/${path}`, "utf8").catch(() => "");
  return committed === (await environmentTypes());
}

/** Writes worker/env.d.ts. Skipped for a wrangler.toml other than the project's own. */
export async function writeEnvironmentTypes(): Promise<void> {
  if (getConfigPath() !== `${PROJECT_ROOT}/wrangler.toml`) return;
  await writeFile(`${PROJECT_ROOT}/${path}`, await environmentTypes());
}

if (import.meta.main) {
  await writeEnvironmentTypes();
  console.log(`Wrote ${path}.`);
}

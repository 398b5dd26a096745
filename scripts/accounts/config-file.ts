import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { configPath } from "../local-runtime.ts";

/** Changes wrangler.toml as a whole or not at all; `writeEnvironmentTypes` follows once. */
export async function changeConfig(change: (toml: string) => string): Promise<void> {
  const path = configPath();
  const before = await readFile(path, "utf8");
  const after = change(before);
  if (after === before) return;
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  await writeFile(unfinished, after);
  await rename(unfinished, path);
}

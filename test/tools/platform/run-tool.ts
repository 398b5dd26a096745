import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, runAtProcessEnd } from "#scripts/processes.ts";
import { reportFailure } from "#scripts/steps.ts";

/** Runs a tool with a temporary folder and ends the process with its exit code. */
export async function runTool(name: string, run: (folder: string) => Promise<number>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  runAtProcessEnd(() => rm(folder, { recursive: true, force: true }));
  try {
    await endProcess(await run(folder));
  } catch (error) {
    reportFailure(error);
    await endProcess(1);
  }
}

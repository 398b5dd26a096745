import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the demo account templates. */
    readonly demoFolder: string;
  }
}

/** Provides a folder for one test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  project.provide("demoFolder", folder);
  return () => rm(folder, { recursive: true });
}

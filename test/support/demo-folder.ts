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

/** Provides an empty folder for the demo account templates of one test run, and deletes it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  project.provide("demoFolder", folder);
  return () => rm(folder, { recursive: true });
}

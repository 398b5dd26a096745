import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the demo accounts that tests copy lie, once a test has filled them. */
    readonly demoFolder: string;
  }
}

/** A folder for one run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  project.provide("demoFolder", folder);
  return () => rm(folder, { recursive: true });
}

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot, runOrThrow } from "./processes.ts";

/** Each folder of `pwa/` that is built, into a folder of its own of `pwa/dist`. */
const APPS = ["demo", "widget", "analytics", "docs", "office", "check-in"] as const;

/** Builds the pages into pwa/dist: bundling and serving the Worker, in tests too, need the folder. */
export async function buildApp(): Promise<void> {
  await rm(join(projectRoot, "pwa/dist"), { recursive: true, force: true });
  for (const app of APPS) await runOrThrow("vite", ["build", `pwa/${app}`, "--logLevel", "warn"]);
}

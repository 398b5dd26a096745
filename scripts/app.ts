import { runOrThrow } from "./processes.ts";

/** Builds the pages into pwa/dist: bundling and serving the Worker, in tests too, need the folder. */
export async function buildApp(): Promise<void> {
  await runOrThrow("vite", ["build", "pwa", "--logLevel", "warn"]);
  await runOrThrow("vite", ["build", "pwa/analytics", "--logLevel", "warn"]);
  await runOrThrow("vite", ["build", "pwa/docs", "--logLevel", "warn"]);
  await runOrThrow("vite", ["build", "pwa/checkin", "--logLevel", "warn"]);
}

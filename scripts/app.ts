import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot, runOrThrow } from "./processes.ts";

/** Each folder of `pwa/` that is built, into a folder of its own of `pwa/dist`. */
const APPS = ["demo", "widget", "analytics", "docs", "office", "check-in"] as const;

const LARGEST_WIDGET_GZIP_KB = 45;

/** The weight of the built widget, in kB gzip; an error where websites would have to load more than they were promised. */
export async function checkWidgetWeight(): Promise<number> {
  const script = await readFile(join(projectRoot, "pwa/dist/widget/rental-booking.js"));
  const kilobytes = gzipSync(script).length / 1000;
  if (kilobytes > LARGEST_WIDGET_GZIP_KB) {
    throw new Error(`The widget weighs ${kilobytes} kB gzip; at most ${LARGEST_WIDGET_GZIP_KB} kB are allowed.`);
  }
  return Math.ceil(kilobytes);
}

/** Builds the pages into pwa/dist: bundling and serving the Worker, in tests too, need the folder. */
export async function buildApp(): Promise<void> {
  await rm(join(projectRoot, "pwa/dist"), { recursive: true, force: true });
  for (const app of APPS) await runOrThrow("vite", ["build", `pwa/${app}`, "--logLevel", "warn"]);
}

if (import.meta.main) await buildApp();

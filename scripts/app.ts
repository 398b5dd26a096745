import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot, runOrThrow } from "./processes.ts";

/** Each folder of `pwa/` that is built, into a folder of its own of `pwa/dist`. */
const APPS = ["demo", "widget", "analytics", "docs", "office", "check-in"] as const;

/** Where the built pages lie. */
export const DIST = join(projectRoot, "pwa/dist");

/** What files of the pages weigh, in kB gzip, each packed by itself. */
async function weigh(files: readonly string[]): Promise<number> {
  const read = await Promise.all(files.map((file) => readFile(join(DIST, file))));
  return read.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0) / 1000;
}

const MAX_WIDGET_GZIP_KB = 45;

/** The built widget's kB gzip; an error where websites would have to load more than they were promised. */
export async function checkWidgetWeight(): Promise<number> {
  const kilobytes = await weigh(["widget/rental-booking.js"]);
  if (kilobytes > MAX_WIDGET_GZIP_KB)
    throw new Error(`The widget weighs ${kilobytes} kB gzip; at most ${MAX_WIDGET_GZIP_KB} kB are allowed.`);
  return Math.ceil(kilobytes);
}

/**
 * What the first load of the check-in app may weigh, in kB gzip: a phone on slow 4G waits for it. Little more than it
 * weighs, so that a library which comes with an import from the domain is noticed: decimal.js alone is 15.
 */
export const MAX_CHECK_IN_GZIP_KB = { scripts: 50, styles: 12, worker: 10 } as const;

/** The kB gzip of check-in's scripts before anything is touched; an error where any part is too heavy. */
export async function checkCheckInWeight(): Promise<number> {
  const page = await readFile(join(DIST, "checkin/index.html"), "utf8");
  const files = [...page.matchAll(/(?:src|href)="\/(checkin\/[^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
  const weights = {
    scripts: await weigh(files.filter((name) => name.endsWith(".js"))),
    styles: await weigh(files.filter((name) => name.endsWith(".css"))),
    worker: await weigh(["checkin/sw.js"]),
  };
  for (const part of ["scripts", "styles", "worker"] as const) {
    const [is, most] = [weights[part], MAX_CHECK_IN_GZIP_KB[part]];
    if (is === 0 || is > most)
      throw new Error(`Check-in's ${part} weigh ${is} kB gzip; at most ${most} kB are allowed.`);
  }
  return Math.ceil(weights.scripts);
}

/**
 * What a page of the office may weigh as the first one, in kB gzip, without its texts. Little more than the heaviest
 * does, as for check-in.
 */
export const MAX_OFFICE_PAGE_GZIP_KB = 59;

/** The heaviest page of the office and its kB gzip; an error where it is too heavy. */
export async function checkOfficeWeight(): Promise<{ readonly page: string; readonly kilobytes: number }> {
  const folder = "office/assets";
  const [entry = ""] = (await readFile(join(DIST, "office/index.html"), "utf8")).match(/index-[^"]+\.js/) ?? [];
  const namedIn = async (file: string, how: RegExp) =>
    [...(await readFile(join(DIST, folder, file), "utf8")).matchAll(how)].map(([, name = ""]) => name);
  const needs = async (files: readonly string[], known = new Set<string>()): Promise<ReadonlySet<string>> => {
    for (const file of files.filter((file) => !known.has(file)))
      await needs(await namedIn(file, /(?:from|import)"\.\/([^"]+\.js)"/g), known.add(file));
    return known;
  };
  const pages = await namedIn(entry, /import\([`"']\.\/([^`"']+\.js)[`"']\)/g);
  const weights = await Promise.all(
    pages.map(async (page) => {
      const files = await needs([entry, page]);
      return { page, kilobytes: await weigh([...files].map((file) => join(folder, file))) };
    }),
  );
  const [heaviest] = weights.sort((weight, other) => other.kilobytes - weight.kilobytes);
  if (!heaviest || heaviest.kilobytes > MAX_OFFICE_PAGE_GZIP_KB)
    throw new Error(
      `The office's pages weigh ${JSON.stringify(heaviest)}; at most ${MAX_OFFICE_PAGE_GZIP_KB} are allowed.`,
    );
  return heaviest;
}

/** Builds the pages into pwa/dist: bundling and serving the Worker, in tests too, need the folder. */
export async function buildApp(): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  for (const app of APPS) await runOrThrow("vite", ["build", `pwa/${app}`, "--logLevel", "warn"]);
}

if (import.meta.main) await buildApp();

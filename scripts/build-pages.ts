import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PROJECT_ROOT, runOrThrow } from "./processes.ts";

/** Folders of `pwa/`, each built to its own folder in `pwa/dist`. */
const APPS = ["demo", "widget", "docs", "office", "check-in"] as const;

/** Folder of the built pages. */
export const PAGES_FOLDER = join(PROJECT_ROOT, "pwa/dist");

/** Returns the total size of files in kB gzip, each compressed separately. */
async function weigh(files: readonly string[]): Promise<number> {
  const read = await Promise.all(files.map((file) => readFile(join(PAGES_FOLDER, file))));
  return read.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0) / 1000;
}

const MAX_WIDGET_GZIP_KB = 45;

/**
 * Returns the built widget's size with the largest file of texts in kB gzip. Throws if it exceeds the limit promised to
 * websites.
 */
export async function checkWidgetGzipSize(): Promise<number> {
  const texts = await readdir(join(PAGES_FOLDER, "widget/texts"));
  const textWeights = await Promise.all(texts.map((file) => weigh([`widget/texts/${file}`])));
  const kilobytes = (await weigh(["widget/rental-booking.js"])) + Math.max(...textWeights);
  if (kilobytes > MAX_WIDGET_GZIP_KB)
    throw new Error(`The widget weighs ${kilobytes} kB gzip; at most ${MAX_WIDGET_GZIP_KB} kB are allowed.`);
  return Math.ceil(kilobytes);
}

/**
 * Size limits of the check-in app's first load in kB gzip, for devices on slow 4G. Just above the current size, so that
 * an accidentally imported library is noticed: decimal.js alone is 15 kB.
 */
export const MAX_CHECK_IN_GZIP_KB = { scripts: 50, styles: 12, worker: 10 } as const;

/** Returns the size of check-in's initial scripts in kB gzip. Throws if any part is too large. */
export async function checkCheckInGzipSize(): Promise<number> {
  const page = await readFile(join(PAGES_FOLDER, "checkin/index.html"), "utf8");
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
 * Size limit of an office page's first load in kB gzip, without texts. Just above the current maximum, as for check-in.
 */
export const MAX_OFFICE_PAGE_GZIP_KB = 70;

/** Returns the largest office page and its size in kB gzip. Throws if it's too large. */
export async function checkOfficeGzipSize(): Promise<{ readonly page: string; readonly kilobytes: number }> {
  const folder = "office/assets";
  const [entry = ""] = (await readFile(join(PAGES_FOLDER, "office/index.html"), "utf8")).match(/index-[^"]+\.js/) ?? [];
  const namedIn = async (file: string, how: RegExp) =>
    [...(await readFile(join(PAGES_FOLDER, folder, file), "utf8")).matchAll(how)].map(([, name = ""]) => name);
  const collectImports = async (files: readonly string[], known = new Set<string>()): Promise<ReadonlySet<string>> => {
    for (const file of files.filter((file) => !known.has(file)))
      await collectImports(await namedIn(file, /(?:from|import)"\.\/([^"]+\.js)"/g), known.add(file));
    return known;
  };
  const pages = await namedIn(entry, /import\([`"']\.\/([^`"']+\.js)[`"']\)/g);
  const weights = await Promise.all(
    pages.map(async (page) => {
      const files = await collectImports([entry, page]);
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

/** Builds the pages into pwa/dist, which bundling and serving the Worker need, also in tests. */
export async function buildPages(): Promise<void> {
  await rm(PAGES_FOLDER, { recursive: true, force: true });
  for (const app of APPS) await runOrThrow("vite", ["build", `pwa/${app}`, "--logLevel", "warn"]);
}

if (import.meta.main) await buildPages();

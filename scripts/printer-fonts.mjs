// What wrangler calls before it bundles the printer: its fonts of other scripts, out of their packages, as the files
// that it is served. A package more is a file more: `noto-sans-thai.ttf`.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = join(ROOT, "node_modules", "@expo-google-fonts");

/** The papers' own font is a part of the Worker. */
const OWN = "ibm-plex-sans";

/** Where the fonts lie that the printer is served; printer.wrangler.toml says the same. */
export const FONTS = join(ROOT, "worker", "printer", "dist");

/** Lays out the fonts that are not there yet or are of another version. */
export function layOutFonts() {
  mkdirSync(FONTS, { recursive: true });
  for (const name of readdirSync(PACKAGES).filter((text) => text !== OWN)) {
    const folder = join(PACKAGES, name, "400Regular");
    const file = readdirSync(folder).find((text) => text.endsWith(".ttf"));
    if (file) copy(join(folder, file), join(FONTS, `${name}.ttf`));
  }
}

// Whole or not at all: another process may be served from the folder.
function copy(from, to) {
  const [wanted, there] = [statSync(from), existsSync(to) ? statSync(to) : undefined];
  if (there && there.size === wanted.size && there.mtimeMs >= wanted.mtimeMs) return;
  const part = `${to}.${process.pid}`;
  copyFileSync(from, part);
  renameSync(part, to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) layOutFonts();

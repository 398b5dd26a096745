// Runs before wrangler bundles the printer: copies fonts of other scripts from their packages to its assets. Each
// package is one file, such as `noto-sans-thai.ttf`.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = join(ROOT, "node_modules", "@expo-google-fonts");

/** The default font of documents is part of the Worker. */
const OWN = "ibm-plex-sans";

/** Folder of the printer's fonts, as in printer.wrangler.toml. */
export const FONTS = join(ROOT, "worker", "printer", "dist");

/** Copies fonts that are missing or have another version. */
export function layOutFonts() {
  mkdirSync(FONTS, { recursive: true });
  for (const name of readdirSync(PACKAGES).filter((text) => text !== OWN)) {
    const folder = join(PACKAGES, name, "400Regular");
    const file = readdirSync(folder).find((text) => text.endsWith(".ttf"));
    if (file) copy(join(folder, file), join(FONTS, `${name}.ttf`));
  }
}

// Copies atomically, because another process may serve the folder.
function copy(from, to) {
  const [wanted, there] = [statSync(from), existsSync(to) ? statSync(to) : undefined];
  if (there && there.size === wanted.size && there.mtimeMs >= wanted.mtimeMs) return;
  const part = `${to}.${process.pid}`;
  copyFileSync(from, part);
  renameSync(part, to);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) layOutFonts();

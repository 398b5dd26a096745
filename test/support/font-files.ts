import { readFileSync } from "node:fs";
import { FONTS, layOutFonts } from "#scripts/printer-fonts.mjs";
import type { FontFiles } from "#worker/printer/pdf/fonts.ts";
import type { ScriptFontName } from "#worker/printer/pdf/scripts.ts";

const readBytes = (path: string) => new Uint8Array(readFileSync(path));
const readPackageFont = (name: string) => readBytes(`node_modules/@expo-google-fonts/ibm-plex-sans/${name}.ttf`);

/** Returns the printer's fonts as in an isolate. Others are read when first needed. */
export function loadPrinterFonts(): FontFiles {
  layOutFonts();
  const known = new Map<ScriptFontName, Uint8Array>();
  return {
    regular: readPackageFont("400Regular/IBMPlexSans_400Regular"),
    strong: readPackageFont("600SemiBold/IBMPlexSans_600SemiBold"),
    read: async (name) => {
      const bytes = known.get(name) ?? readBytes(`${FONTS}/${name}.ttf`);
      known.set(name, bytes);
      return bytes;
    },
  };
}

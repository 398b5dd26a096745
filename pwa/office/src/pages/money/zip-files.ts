import { zipSync } from "fflate";

/** Packs files into a ZIP. PDFs are compressed already, so it only stores them. */
export function zipFiles(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Blob {
  return new Blob([zipSync(Object.fromEntries(files), { level: 0 })], { type: "application/zip" });
}

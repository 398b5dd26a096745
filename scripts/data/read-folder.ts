import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KnownStyle } from "#domain/operations/imports.ts";
import { FILE_KINDS, type Opened, openFile } from "#worker/imports/open-file.ts";

/** What the command itself keeps beside the files. */
const OWN = /^mapping\.json$/;

/** Every file of a folder as sheets of cells. */
export async function readFolder(folder: string, known: KnownStyle): Promise<readonly Opened[]> {
  const names = await readdir(folder);
  const files = names.filter((file) => FILE_KINDS.test(file) && !OWN.test(file) && !file.startsWith("~$"));
  const sheets: Opened[] = [];
  for (const file of files.sort())
    sheets.push(...(await openFile(file, new Uint8Array(await readFile(join(folder, file))), known)));
  return sheets;
}

import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getErrorMessage } from "./steps.ts";

/** Suffix of a file until it's completely written. */
export const UNFINISHED_FILE_SUFFIX = ".unfinished";

/**
 * Writes a file atomically, so that a crash leaves either the new or the old one. Errors name the file and remove the
 * incomplete one, so that a full disk gets its space back.
 */
export async function writeAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const unfinished = `${file}${UNFINISHED_FILE_SUFFIX}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, content, { ...options, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new Error(`${file} was not written: ${getErrorMessage(error)}`, { cause: error });
  }
}

/** Runs work with a temporary folder. */
export async function withTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

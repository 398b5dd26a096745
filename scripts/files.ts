import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getErrorMessage } from "./steps.ts";

/** What stands beside a file that is written as a whole, until it is. */
export const UNFINISHED = ".unfinished";

/**
 * Writes a file beside its place and renames it, so that a crash leaves the whole file or the one before. What fails
 * names the file, and leaves no half of it: a disk that is full gets the room back.
 */
export async function writeAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const unfinished = `${file}${UNFINISHED}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, content, { ...options, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new Error(`${file} was not written: ${getErrorMessage(error)}`, { cause: error });
  }
}

/** Does something with a folder that is removed afterwards. */
export async function withTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

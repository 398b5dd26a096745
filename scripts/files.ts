import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What stands beside a file that is written as a whole, until it is. */
export const UNFINISHED = ".unfinished";

/** Writes a file beside its place and renames it, so that a crash leaves the whole file or the one before. */
export async function writeWhole(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  options: { readonly mode?: number } = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}${UNFINISHED}`, content, { ...options, flush: true });
  await rename(`${file}${UNFINISHED}`, file);
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

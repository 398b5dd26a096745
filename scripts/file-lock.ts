import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Suffix of lock files. */
const LOCK_SUFFIX = ".held";

interface Holder {
  readonly pid: number;
  readonly since: string;
}

/**
 * Runs work while holding a lock file, so that no other process on this machine does the same. Throws with the current
 * holder if locked. Locks left by crashed processes are replaced.
 */
export async function withFileLock<T>(file: string, activity: string, work: () => Promise<T>): Promise<T> {
  const lockPath = `${file}${LOCK_SUFFIX}`;
  await mkdir(dirname(file), { recursive: true });
  if (!(await take(lockPath))) {
    const holder = await readLockHolder(lockPath);
    if (holder && isAlive(holder.pid))
      throw new Error(
        `${activity} already: process ${holder.pid}, since ${holder.since}. Wait until it has ended (or remove ${lockPath}, where that process is something else).`,
      );
    await rm(lockPath, { force: true });
    if (!(await take(lockPath))) throw new Error(`${activity} already, since just now. Try again when it has ended.`);
  }
  try {
    return await work();
  } finally {
    await rm(lockPath, { force: true });
  }
}

// Creates the lock file atomically, so that readers always find its holder.
async function take(lockPath: string): Promise<boolean> {
  const own = `${lockPath}.${randomUUID()}`;
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() };
  try {
    await writeFile(own, JSON.stringify(holder));
    await link(own, lockPath);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function readLockHolder(lockPath: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lockPath, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileLock } from "#scripts/file-lock.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "alone-"));
  file = join(folder, "states", "default.json");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const MIGRATED = "These accounts are migrated";

test("rejects a second run of a locked command with the first one's process, and allows it afterwards", async () => {
  const end = Promise.withResolvers<string>();
  const workStarted = Promise.withResolvers<void>();
  const first = withFileLock(file, MIGRATED, () => {
    workStarted.resolve();
    return end.promise;
  });
  await workStarted.promise;
  await expect(withFileLock(file, MIGRATED, () => Promise.resolve("second"))).rejects.toThrow(
    new RegExp(`^${MIGRATED} already: process ${process.pid}, since \\d{4}-`),
  );
  end.resolve("first");
  expect(await first).toBe("first");
  expect(await withFileLock(file, MIGRATED, () => Promise.resolve("second"))).toBe("second");
});

test("releases the file lock of a command that fails", async () => {
  await expect(withFileLock(file, MIGRATED, () => Promise.reject(new Error("full disk")))).rejects.toThrow("full disk");
  expect(await readdir(join(folder, "states"))).toEqual([]);
});

test.each([
  ["of a process that is gone", JSON.stringify({ pid: 2 ** 30, since: "2026-01-01T00:00:00.000Z" })],
  ["that must contain a change, of a full disk", ""],
])("takes over the lock %s left by a crash", async (_name, left) => {
  await withFileLock(file, MIGRATED, () => Promise.resolve());
  await writeFile(`${file}.held`, left);
  expect(await withFileLock(file, MIGRATED, () => Promise.resolve("done"))).toBe("done");
});

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeAtomically } from "#scripts/files.ts";
import { MigrationFailedError, reportFailure } from "#scripts/steps.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Simulates a disk that becomes full while writing a file. */
async function* tooMuch(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100);
  throw new Error("ENOSPC: no space left on device, write");
}

test("keeps the previous file and leaves no partial one if a file can't be written completely", async () => {
  const file = join(folder, "backup.gz");
  await writeFile(file, "before");
  await expect(writeAtomically(file, tooMuch())).rejects.toThrow(
    `${file} was not written: ENOSPC: no space left on device, write`,
  );
  expect(await readdir(folder)).toEqual(["backup.gz"]);
  expect(await readFile(file, "utf8")).toBe("before");
});

test("distinguishes a migration that names a missing table from an account with pending migrations", () => {
  const messages: string[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((line: string) => void messages.push(line));
  const cause = new MigrationFailedError("0003_third.sql", new Error("no such table: nowhere"));
  const exitCode = process.exitCode;
  reportFailure(new Error(`acme could not be migrated: ${cause.message}`, { cause }));
  reportFailure(new Error("no such table: nowhere"));
  process.exitCode = exitCode;
  error.mockRestore();
  expect(messages[0]).toBe("acme could not be migrated: 0003_third.sql: no such table: nowhere");
  expect(messages[1]).toContain("this account waits for migrations");
});

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findMachineProblems } from "#scripts/deployment/machine.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import { developmentSecrets, stateFolderEntries } from "#scripts/state-folder.ts";

// What npm run doctor says of this machine.

let folder: string;
let port: Server;
let answer: string;
const before = process.env["PORT"];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
});
beforeEach(async () => {
  answer = '{"status":"ok"}';
  port = createServer((_, response) => response.end(answer));
  await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
  process.env["PORT"] = String((port.address() as AddressInfo).port);
});
afterEach(() => port.close());
afterAll(async () => {
  if (before === undefined) delete process.env["PORT"];
  else process.env["PORT"] = before;
  await rm(folder, { recursive: true, force: true });
});

const found = async () =>
  (await findMachineProblems({ isRemote: false, environment: undefined, stateDir: folder })).map(
    ({ what, isGrave, remedy }) => [what, isGrave, remedy],
  );

test("a port that is ours is advice, somebody else's is a fault, and a free one nothing", async () => {
  const of = (line: unknown[]) => String(line[0]).startsWith("port");
  expect((await found()).filter(of)).toMatchObject([
    [expect.stringContaining("npm start that runs"), false, expect.anything()],
  ]);
  answer = "somebody else";
  expect((await found()).filter(of)).toMatchObject([
    [expect.stringContaining("something else"), true, expect.stringContaining("npm start")],
  ]);
  await new Promise((resolve) => port.close(resolve));
  expect((await found()).filter(of)).toEqual([]);
});

test("databases without the key to their secrets are a fault; accounts that wait for migrations are named", async () => {
  await mkdir(join(folder, stateFolderEntries[0] ?? ""), { recursive: true });
  expect(await found()).toContainEqual([
    `${folder} has databases and no key to their secrets`,
    true,
    "npm run reset, then npm start",
  ]);
  await developmentSecrets(folder);
  const said = await found();
  expect(said).toContainEqual([
    expect.stringMatching(/^acme waits for \d+ migrations$/),
    false,
    "npm run migrate -- --apply, or npm start",
  ]);
  const { databases, dispose } = await openDatabases(folder);
  try {
    await databases
      .get("acme")
      ?.exec(
        "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT, applied_at TEXT); INSERT INTO d1_migrations (name) VALUES ('9999_of_a_branch.sql');",
      );
  } finally {
    await dispose();
  }
  expect(await found()).toContainEqual([
    "acme has 9999_of_a_branch.sql, which this code does not know",
    true,
    "the branch that has it, or npm run reset",
  ]);
});

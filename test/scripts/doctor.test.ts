import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ConfigIssue } from "#scripts/deployment/configuration.ts";
import { findLocalStateIssues, findMachineProblems, findPortProblems } from "#scripts/deployment/local-machine.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import { readOrCreateDevelopmentSecrets, stateFolderEntries } from "#scripts/state-folder.ts";

// Tests what npm run doctor reports about this machine.

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

const summarizeIssues = (findings: readonly ConfigIssue[]) =>
  findings.map(({ description, isGrave, remedy }) => [description, isGrave, remedy]);
const createLocalOptions = () => ({ isRemote: false, environment: undefined, stateDir: folder });
const readStateIssues = async () => summarizeIssues(await findLocalStateIssues(createLocalOptions()));

test("reports a port used by this project as advice, one used by another program as a problem, and no free port", async () => {
  const ownServerIssue = [expect.stringContaining("npm start that runs"), false, expect.anything()];
  expect(summarizeIssues(await findPortProblems())).toEqual([ownServerIssue]);
  expect(summarizeIssues(await findMachineProblems(createLocalOptions()))).toContainEqual(ownServerIssue);
  answer = "somebody else";
  expect(summarizeIssues(await findPortProblems())).toMatchObject([
    [expect.stringContaining("something else"), true, expect.stringContaining("npm start")],
  ]);
  await new Promise((resolve) => port.close(resolve));
  expect(summarizeIssues(await findPortProblems())).toEqual([]);
});

test("reports databases without the key to their secrets as a problem, and names accounts with pending migrations", async () => {
  await mkdir(join(folder, stateFolderEntries[0] ?? ""), { recursive: true });
  expect(await readStateIssues()).toContainEqual([
    `${folder} has databases and no key to their secrets`,
    true,
    "npm run reset, then npm start",
  ]);
  await readOrCreateDevelopmentSecrets(folder);
  const pendingIssues = await readStateIssues();
  expect(pendingIssues).toContainEqual([
    expect.stringMatching(/^acme waits for \d+ migrations$/),
    false,
    "npm run migrate -- --apply, or npm start",
  ]);
  const { databases, dispose } = await openDatabases(folder);
  try {
    const db = databases.get("acme") as D1Database;
    await db.batch([
      db.prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)"),
      db.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_of_a_branch.sql')"),
    ]);
  } finally {
    await dispose();
  }
  expect(await readStateIssues()).toContainEqual([
    "acme has 9999_of_a_branch.sql, which this code does not know",
    true,
    "the branch that has it, or npm run reset",
  ]);
});

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HEALTHY_STATUS, type SimulatedCloudflare, startCloudflare } from "#support/cloudflare.ts";
import { openDisposableSqliteFile } from "#support/sqlite-d1.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { reencryptSecrets } from "#worker/usecases/operations/reencrypt-secrets.ts";

let cloud: SimulatedCloudflare;
const OLD_KEY = Buffer.alloc(32, "test master key ").toString("base64");
const DEPLOYED = ["--env", "production", "--pause", "0.01", "--built"];
const rotate = (...args: readonly string[]) =>
  cloud.command("rotate-master-key", ...DEPLOYED, "--url", cloud.url, "--wait", "0.2", ...args);

beforeAll(async () => {
  cloud = await startCloudflare("rotation");
  cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
  const company = ["--country", "ES", "--currency", "EUR", "--timezone", "Europe/Madrid", "--languages", "es,en"];
  const add = ["account", "add", "blue-boats", "--company", "Blue Boats", ...company, "--email", "boss@blue.test"];
  const { exitCode, output } = await cloud.command(...add, "--remote", ...DEPLOYED, "--url", cloud.url);
  expect([exitCode, output]).toEqual([0, expect.stringContaining("administrator")]);
}, 900_000);
afterAll(() => cloud.close());

type Serving = { readonly worker: string; readonly MASTER_KEY?: string; readonly PREVIOUS_MASTER_KEY?: string };

/** Lists the keys of the serving versions of both Workers that decrypt, after each change of traffic. */
async function readServingKeys(): Promise<readonly (readonly Serving[])[]> {
  const text = await readFile(join(cloud.folder, "serving-secrets.log"), "utf8").catch(() => "");
  const all = text.split("\n").filter((line) => line !== "");
  return all.map((line) => (JSON.parse(line) as Serving[]).filter(({ worker }) => !worker.startsWith("printer")));
}

/** Does what the cron of the office Worker does, with the keys that it serves with. */
async function runCron(until: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void until.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await setTimeout(200);
    const { workers, versionSecrets } = await cloud.read();
    const keys = versionSecrets[workers["production-office"]?.[0]?.version_id ?? ""];
    if (!keys?.["PREVIOUS_MASTER_KEY"] || !keys["MASTER_KEY"]) continue;
    const { db } = openDisposableSqliteFile(join(cloud.folder, "rental-production-blue-boats.sqlite"));
    const secrets = { masterKey: keys["MASTER_KEY"], secondMasterKey: keys["PREVIOUS_MASTER_KEY"] };
    await reencryptSecrets(openDatabase(db, createUsageMeter()), { name: "blue-boats", ...secrets });
  }
}

// Proves "security, privacy and operation": The master key is rotated in both Workers that decrypt, and no version is
//   locked out
test("rotates the master key so that every serving version decrypts what any other encrypts", async () => {
  const file = join(cloud.folder, "new.key");
  cloud.variables = { MASTER_KEY: Buffer.alloc(32, "another").toString("base64") };
  const failedRotation = await rotate("--new-key", file);
  expect([failedRotation.exitCode, failedRotation.output]).toEqual([
    1,
    expect.stringContaining("is MASTER_KEY the key in use?"),
  ]);
  expect(await readServingKeys()).toEqual([]);
  cloud.variables = {};

  const command = rotate("--new-key", file);
  await runCron(command);
  const { exitCode, output } = await command;
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/4\. Every secret has the new key: [1-9]/)]);
  const newKey = (await readFile(file, "utf8")).trim();
  const changes = await readServingKeys();
  expect(changes.length).toBeGreaterThan(8);
  for (const serving of changes) {
    const encrypting = new Set(serving.map(({ MASTER_KEY = OLD_KEY }) => MASTER_KEY));
    for (const { worker, MASTER_KEY = OLD_KEY, PREVIOUS_MASTER_KEY } of serving)
      for (const key of encrypting) expect([MASTER_KEY, PREVIOUS_MASTER_KEY], worker).toContain(key);
  }
  const both = { MASTER_KEY: newKey, PREVIOUS_MASTER_KEY: OLD_KEY };
  expect(changes.at(-1)).toEqual([
    { worker: "production-office", ...both },
    { worker: "production", ...both },
  ]);
}, 900_000);

// Proves "security, privacy and operation": A rotation that was killed is completed by running it again
test("completes a rotation that was killed while it deployed either key, without locking out any version", async () => {
  const [usedKey, file] = [
    (await readFile(join(cloud.folder, "new.key"), "utf8")).trim(),
    join(cloud.folder, "third.key"),
  ];
  cloud.variables = { MASTER_KEY: usedKey };
  const done = (await readServingKeys()).length;
  const deploysHalf = "versions deploy .*@50% .* · production$";
  await cloud.change({ kills: deploysHalf });
  expect((await rotate("--new-key", file)).exitCode).not.toBe(0);
  const newKey = (await readFile(file, "utf8")).trim();
  await cloud.change({ kills: null });

  // The second run stops while the swapped keys are deployed: during its long pause, every version has both keys.
  const secondRun = rotate("--new-key", file, "--wait", "30");
  const servesWithBoth = async () =>
    (await readServingKeys()).at(-1)?.map(({ PREVIOUS_MASTER_KEY }) => PREVIOUS_MASTER_KEY === newKey);
  await expect.poll(servesWithBoth, { timeout: 300_000, interval: 500 }).toEqual([true, true]);
  await cloud.change({ kills: deploysHalf });
  expect((await secondRun).exitCode).not.toBe(0);
  await cloud.change({ kills: null });

  const lastRun = rotate("--new-key", file);
  await runCron(lastRun);
  const { exitCode, output } = await lastRun;
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/4\. Every secret has the new key: [1-9]/)]);
  const changes = (await readServingKeys()).slice(done);
  for (const serving of changes) {
    const encrypting = new Set(serving.map(({ MASTER_KEY }) => MASTER_KEY));
    for (const { worker, MASTER_KEY, PREVIOUS_MASTER_KEY } of serving)
      for (const key of encrypting) expect([MASTER_KEY, PREVIOUS_MASTER_KEY], worker).toContain(key);
  }
  expect(changes.at(-1)?.map(({ MASTER_KEY }) => MASTER_KEY)).toEqual([newKey, newKey]);
  await rename(file, join(cloud.folder, "new.key"));
  await writeFile(join(cloud.folder, "old.key"), usedKey);
}, 1_200_000);

test("removes the old master key from both Workers when nothing needs it", async () => {
  const newKey = (await readFile(join(cloud.folder, "new.key"), "utf8")).trim();
  const oldKey = await readFile(join(cloud.folder, "old.key"), "utf8");
  cloud.variables = { MASTER_KEY: oldKey, PREVIOUS_MASTER_KEY: newKey };
  expect((await rotate("--finish")).output).toContain("still have the old key, so it stays. Nothing was changed.");
  cloud.variables = { MASTER_KEY: newKey, PREVIOUS_MASTER_KEY: oldKey };
  const { exitCode, output } = await rotate("--finish");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("The rotation is finished.")]);
  expect((await readServingKeys()).at(-1)).toEqual([
    { worker: "production-office", MASTER_KEY: newKey },
    { worker: "production", MASTER_KEY: newKey },
  ]);
  expect((await rotate("--finish")).output).toContain("Nothing to do: no Worker has a PREVIOUS_MASTER_KEY.");
  await rm(join(cloud.folder, "new.key"));
}, 900_000);

import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { countSecretsByKey, type SecretCountsByKey } from "#worker/usecases/operations/reencrypt-secrets.ts";
import { listAccounts } from "./accounts/directory.ts";
import { parseTarget, readMasterKey, readPreviousMasterKey, runForEachAccount } from "./accounts/target.ts";
import { readNumber, readOptions } from "./command-line.ts";
import { deployAllCells, deployWorkers } from "./deploy.ts";
import { type DeployedWorker, listDecryptingWorkers } from "./deployment/workers.ts";
import { readCommandOutput, runOrThrow } from "./processes.ts";
import { describeAccountError, reportFailure, runStep } from "./steps.ts";

// npm run rotate-master-key -- --new-key new.key [--env production]
// with the variable MASTER_KEY (the key in use) sets both keys in all Workers that decrypt, the new one for decryption
// first, deploys, swaps the keys, deploys again and waits until the cron has encrypted everything with the new key.
// A missing file gets a new key. If the command stops, run it again with the same variable and file.
// npm run rotate-master-key -- --finish [--env production]
// with the variables MASTER_KEY (the new key) and PREVIOUS_MASTER_KEY (the old one) removes the old key, 30 days later
// --url <address>, --built, --pause <seconds> as for npm run deploy
// --wait <seconds> between the deployments, until every isolate knows both keys (60)
// --patience <seconds> for the cron (900)

const { values } = readOptions({
  options: {
    env: { type: "string", default: "production" },
    "new-key": { type: "string" },
    finish: { type: "boolean", default: false },
    url: { type: "string" },
    built: { type: "boolean", default: false },
    pause: { type: "string" },
    wait: { type: "string", default: "60" },
    patience: { type: "string", default: "900" },
  },
});

const environment = values.env;
const waitMilliseconds = readNumber("wait", values.wait) * 1000;
const patienceMilliseconds = readNumber("patience", values.patience) * 1000;
const target = parseTarget({ remote: true, env: environment });
// The office Worker runs the cron.
const workers = listDecryptingWorkers(environment);
const hasCells = workers.length > 2;

interface Keys {
  readonly masterKey: string;
  readonly secondMasterKey: string;
}

/** Reads the new key from its file, or creates both. */
async function readNewKey(file: string): Promise<string> {
  const create = async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    const created = randomBytes(32).toString("base64");
    await writeFile(file, `${created}\n`, { mode: 0o600, flag: "wx" });
    console.log(`A new key is in ${file}. Keep it as you keep the old one.`);
    return created;
  };
  const key = (await readFile(file, "utf8").catch(create)).trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) throw new Error(`--new-key: ${file} must contain 32 bytes in base64.`);
  return key;
}

/** Counts the secrets of all accounts by key. Throws if an account can't be read or a secret has neither key. */
async function countSecrets(keys: Keys): Promise<SecretCountsByKey> {
  const count = (db: D1Database, { name }: { readonly name: string }) =>
    countSecretsByKey(openDatabase(db, createUsageMeter()), { name, ...keys });
  const sum = { current: 0, second: 0, unknown: 0 };
  for (const { account, ...asked } of await runForEachAccount(await listAccounts(target), target, count)) {
    if (!("answer" in asked)) throw new Error(`${account.name} ${describeAccountError(asked.error)}`);
    if (asked.answer.unknown > 0)
      throw new Error(
        `${account.name} has ${asked.answer.unknown} secrets that neither key decrypts: is MASTER_KEY the key in use?`,
      );
    sum.current += asked.answer.current;
    sum.second += asked.answer.second;
  }
  return sum;
}

/** Lists the secrets of every version that serves. A secret counts only if all of them have it. */
async function hasSecret({ name, wrangler }: DeployedWorker, secret: string): Promise<"all" | "some" | "none"> {
  const listed = await readCommandOutput(wrangler("versions", "secret", "list"));
  if (listed === undefined) throw new Error(`wrangler can't list the secrets of ${name}.`);
  const versions = listed.split(/^-- Version /m).slice(1);
  const having = versions.filter((text) => text.split("\n").includes(`Secret Name: ${secret}`)).length;
  if (having === 0) return "none";
  return having === versions.length ? "all" : "some";
}

// Setting both keys at each step makes a repeated step harmless: no step leaves a Worker without one of them.
async function setKeys({ masterKey, secondMasterKey }: Keys): Promise<void> {
  const secrets = JSON.stringify({ MASTER_KEY: masterKey, PREVIOUS_MASTER_KEY: secondMasterKey });
  for (const { wrangler } of workers)
    await runOrThrow(...wrangler("versions", "secret", "bulk"), { CI: "true" }, secrets);
  await deployVersions();
  for (const worker of workers)
    for (const secret of ["MASTER_KEY", "PREVIOUS_MASTER_KEY"])
      if ((await hasSecret(worker, secret)) !== "all") throw new Error(`${worker.name} doesn't serve with ${secret}.`);
}

function deployVersions(): Promise<void> {
  const { built, url, pause } = values;
  if (!hasCells) return deployWorkers({ environment, isBuilt: built, url, ...(pause && { pause }) });
  const options = Object.entries({ env: environment, url, pause }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return deployAllCells({ environment, url }, [...options, ...(built ? ["--built"] : [])]);
}

/** Waits until the cron has encrypted all secrets with the new key. */
async function waitForCron(keys: Keys): Promise<SecretCountsByKey> {
  const end = Date.now() + patienceMilliseconds;
  for (;;) {
    const counts = await countSecrets(keys);
    if (counts.second === 0) return counts;
    if (Date.now() > end)
      throw new Error(
        `${counts.second} secrets still have the old key. The cron of ${workers[0]?.name} encrypts them: see docs/runbook.md, then run this again.`,
      );
    await setTimeout(Math.min(waitMilliseconds, 30_000));
  }
}

const formatCounts = ({ current, second }: SecretCountsByKey) =>
  `${current} secrets with the first key, ${second} with the second`;

async function rotate(file: string): Promise<void> {
  const oldKey = await readMasterKey(target);
  const newKey = await readNewKey(resolve(file));
  if (newKey === oldKey) throw new Error("--new-key: this key is already the one in MASTER_KEY.");
  const [before, after] = [
    { masterKey: oldKey, secondMasterKey: newKey },
    { masterKey: newKey, secondMasterKey: oldKey },
  ];
  const counts = await runStep("1. MASTER_KEY decrypts every secret", () => countSecrets(before), formatCounts);
  // If secrets already use the new key, an interrupted rotation had swapped the keys. Going back would repeat its work.
  if (counts.second === 0) {
    await runStep("2. All Workers also decrypt with the new key", () => setKeys(before));
    await runStep("   Every isolate knows it", () => setTimeout(waitMilliseconds));
  } else console.log("2. The keys were swapped before: the rotation continues.");
  await runStep("3. All Workers encrypt with the new key", () => setKeys(after));
  await runStep("4. Every secret has the new key", () => waitForCron(after), formatCounts);
  console.log(`From now on MASTER_KEY is the key in ${file}. In 30 days, or at once if the old key leaked:
MASTER_KEY=$(cat ${file}) PREVIOUS_MASTER_KEY=<old key> npm run rotate-master-key -- --finish --env ${environment}`);
}

async function finish(): Promise<void> {
  const states = await Promise.all(workers.map((worker) => hasSecret(worker, "PREVIOUS_MASTER_KEY")));
  if (states.every((state) => state === "none")) {
    console.log("Nothing to do: no Worker has a PREVIOUS_MASTER_KEY.");
    return;
  }
  const masterKey = await readMasterKey(target);
  const secondMasterKey = readPreviousMasterKey();
  if (secondMasterKey === undefined)
    throw new Error("Set the variable PREVIOUS_MASTER_KEY to the old key, to check that nothing needs it.");
  const { second } = await runStep(
    "1. Secrets counted",
    () => countSecrets({ masterKey, secondMasterKey }),
    formatCounts,
  );
  if (second > 0) throw new Error(`${second} secrets still have the old key, so it stays. Nothing was changed.`);
  await runStep("2. Old key removed from all Workers", async () => {
    for (const { wrangler } of workers)
      await runOrThrow(...wrangler("versions", "secret", "delete", "PREVIOUS_MASTER_KEY"), { CI: "true" });
    await deployVersions();
    for (const worker of workers)
      if ((await hasSecret(worker, "PREVIOUS_MASTER_KEY")) !== "none")
        throw new Error(`${worker.name} still serves with PREVIOUS_MASTER_KEY.`);
  });
  console.log("The rotation is finished. Delete every copy of the old key.");
}

try {
  if (values.finish === (values["new-key"] !== undefined))
    throw new Error("Use either --new-key <file> or --finish. See --help.");
  await (values["new-key"] === undefined ? finish() : rotate(values["new-key"]));
} catch (error) {
  reportFailure(error);
}

import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { baselineOf, type Violation } from "./chaos/acknowledged.ts";
import { auditPasswords } from "./chaos/acknowledged-people.ts";
import { audit, auditLedgers, type Before } from "./chaos/audit.ts";
import { type AccountName, type Answer, type Call, type Client, clientOf, jsonCall } from "./chaos/client.ts";
import { type Coverage, coverageOf } from "./chaos/coverage.ts";
import { acknowledgedOf, type History, newHistory, otherwiseOf, snapshotOf } from "./chaos/history.ts";
import { lawsBrokenBefore } from "./chaos/invariants.ts";
import { plant } from "./chaos/plant.ts";
import { type Platform, preparePlatform } from "./chaos/platform.ts";
import { openDeadState, type Rows } from "./chaos/state.ts";
import { allWriters, type Goods, type Scene } from "./chaos/writers.ts";
import { randomFrom } from "./demo/random.ts";
import { readOperations } from "./fuzz/read-operations.ts";
import { end, endWithProcess } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    /** Plants a fault before the last look, to see that it is found: `lost`, `oversold` or `sums`. */
    plant: { type: "string" },
  },
});
const ROUNDS = Number(values.rounds);
const SHORTEST_ROUND_MS = 6000;
const LONGEST_ROUND_MS = 12_000;

function goodsOf(rows: Rows): Goods {
  const column = <T>(sql: string) => rows<{ readonly value: T }>(sql).map(({ value }) => value);
  return {
    codes: column("SELECT code AS value FROM categories WHERE web_public = 1 ORDER BY code"),
    places: column(
      "SELECT id AS value FROM pickup_places WHERE is_pickup = 1 AND is_return = 1 AND web_public = 1 ORDER BY id",
    ),
    branches: column("SELECT code AS value FROM branches ORDER BY code"),
    extras: column("SELECT code AS value FROM extras ORDER BY code"),
    bonds: column(
      "SELECT id AS value FROM documents WHERE kind = 'internal_bond' AND invoice_status = 'invoice' ORDER BY id DESC LIMIT 30",
    ),
    contracts: column(`SELECT id AS value FROM bookings WHERE kind = 'rental' AND status IN ('confirmed', 'in_progress')
      AND total_cents - total_paid_cents - agent_commission_prepaid_cents > 25000 ORDER BY date_from LIMIT 60`),
    invoices: column(
      "SELECT id AS value FROM documents WHERE kind = 'invoice' AND invoice_status = 'invoice' ORDER BY id DESC LIMIT 60",
    ),
  };
}

function lookBefore(stateDir: string): Before & { readonly goods: Scene["goods"] } {
  const state = openDeadState(stateDir);
  try {
    const { acme, globex } = state.accounts;
    return {
      baseline: baselineOf(state.accounts),
      broken: { acme: lawsBrokenBefore(acme), globex: lawsBrokenBefore(globex) },
      goods: { acme: goodsOf(acme), globex: goodsOf(globex) },
    };
  } finally {
    state.close();
  }
}

/** How often each writer was told that something is done, since the last look. */
type Tally = Map<string, number>;

/** All writers, each one piece of work after the other; `stop` lets each end what it has begun. */
function startWriters(
  scene: Scene,
  tally: Tally,
  coverage: Coverage,
): { readonly stop: () => Promise<void>; readonly failures: readonly string[] } {
  let isOver = false;
  const failures: string[] = [];
  const runs = allWriters(scene.random).map(async ({ name, write }) => {
    tally.set(name, 0);
    const client = heard(scene.client, (call, answer) => {
      if (call.method === "GET" || answer.status >= 300) return;
      tally.set(name, (tally.get(name) ?? 0) + 1);
      coverage.acknowledge(call);
    });
    while (!isOver) {
      await write({ ...scene, client }).catch((error) => failures.push(`${name}: ${error}`));
      await setTimeout(10);
    }
  });
  return {
    failures,
    stop: async () => {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

/** A client that tells of each answer. */
function heard(client: Client, listen: (call: Call, answer: Answer) => void): Client {
  const sendUntilAnswered = async (call: Call) => {
    const answer = await client.sendUntilAnswered(call);
    listen(call, answer);
    return answer;
  };
  return { ...client, sendUntilAnswered };
}

/** How many writers were acknowledged something in a round, and who was not. */
function toldIn(tally: Tally): string {
  const silent = [...tally].filter(([, count]) => count === 0).map(([name]) => name);
  const told = `${tally.size - silent.length} of ${tally.size}`;
  for (const name of tally.keys()) tally.set(name, 0);
  return silent.length === 0 ? told : `${told} (not ${silent.join(", ")})`;
}

/** What time brought while everybody wrote. */
function doneByTheClock(stateDir: string, { baseline }: Before): Readonly<Record<string, number>> {
  const state = openDeadState(stateDir);
  try {
    const count = (sql: string, account: AccountName) =>
      state.accounts[account]<{ readonly many: number }>(sql, baseline.lastBooking[account])[0]?.many ?? 0;
    const ended = "SELECT count(*) AS many FROM booking_history WHERE booking_id > ? AND event = 'expired'";
    const late = "SELECT count(*) AS many FROM bookings WHERE id > ? AND paid_after_expiry = 1";
    return {
      "holds ended unpaid": count(ended, "acme") + count(ended, "globex"),
      "paid too late": count(late, "acme"),
    };
  } finally {
    state.close();
  }
}

/** Every acknowledged file is there with its bytes, asked for as the app would. */
async function auditFiles(client: Client, history: History): Promise<readonly Violation[]> {
  const user = demoAccounts[0]?.users[0];
  const body = { username: user?.username, password: user?.password };
  const login = await client.sendUntilAnswered(
    jsonCall({ account: "acme", method: "POST", path: "/api/v1/login" }, body),
  );
  const headers = { Authorization: String(login.headers["authorization"]) };
  const violations: Violation[] = [];
  for (const [name, isAcknowledged] of history.files) {
    if (!isAcknowledged) continue;
    const [booking, hash] = name.split("/");
    const path = `/api/v1/booking/${booking}/check-in-files/${hash}`;
    const answer = await client.sendUntilAnswered({ account: "acme", method: "GET", path, headers });
    const isWhole = answer.status === 200 && createHash("sha256").update(answer.bytes).digest("hex") === hash;
    if (!isWhole)
      violations.push({ check: "files named in the database are there", detail: `${name}: ${answer.status}` });
  }
  return violations;
}

function tell(title: string, violations: readonly Violation[]): void {
  for (const { check, detail } of violations.slice(0, 10)) console.log(`  ${title}: ${check}: ${detail}`);
}

async function rounds(platform: Platform, stateDir: string): Promise<number> {
  const { goods, ...before } = lookBefore(stateDir);
  const random = randomFrom(`chaos ${values.seed}`);
  const client = clientOf(platform.port);
  const history = newHistory();
  await platform.start();
  const tally: Tally = new Map();
  const coverage = coverageOf(await readOperations());
  const writers = startWriters({ client, history, random, goods, mailbox: platform.mailbox }, tally, coverage);
  const found: Violation[] = [];
  const rows: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await setTimeout(random.between(SHORTEST_ROUND_MS, LONGEST_ROUND_MS));
    await platform.kill();
    const told = snapshotOf(history);
    const violations = [...(await audit(stateDir, before, told)), ...(await auditLedgers(stateDir))];
    tell(`round ${round}`, violations);
    found.push(...violations);
    const total = Object.values(acknowledgedOf(told)).reduce((sum, count) => sum + count, 0);
    rows.push(`| ${round} | ${total} | ${toldIn(tally)} | ${client.repeated()} | ${violations.length} |`);
    await platform.start();
  }
  await setTimeout(SHORTEST_ROUND_MS);
  await writers.stop();
  const lostOutside = [...(await auditFiles(client, history)), ...(await auditPasswords(client, history))];
  await platform.kill();
  if (values.plant) plant(stateDir, values.plant);
  const last = [...(await audit(stateDir, before, history)), ...(await auditLedgers(stateDir)), ...lostOutside];
  tell("at the end", last);
  for (const failure of new Set(writers.failures))
    console.log(`  a writer was answered what it did not expect: ${failure}`);
  const count = found.length + last.length + writers.failures.length;
  console.log(
    "\n| killed | acknowledged by then | interfaces that acknowledged something in the round | requests repeated | violations |\n| --- | --- | --- | --- | --- |",
  );
  console.log(rows.join("\n"));
  const figures = { ...acknowledgedOf(history), ...otherwiseOf(history), ...doneByTheClock(stateDir, before) };
  const acknowledged = Object.entries(figures).map(([kind, many]) => `${many} ${kind}`);
  console.log(
    `\nSeed ${values.seed}: ${ROUNDS} kills; ${acknowledged.join(", ")}; ${client.repeated()} requests repeated.`,
  );
  const { writing, never } = coverage.told();
  console.log(
    `${writing - never.length} of ${writing} writing operations of the OpenAPI documents acknowledged something.`,
  );
  for (const operation of never) console.log(`  not: ${operation}`);
  console.log(
    count === 0 ? "Nothing lost, nothing double, nothing oversold, every sum holds." : `${count} violations.`,
  );
  return count === 0 ? 0 : 1;
}

const stateDir = await mkdtemp(join(tmpdir(), "chaos-"));
const remove = () => rm(stateDir, { recursive: true, force: true });
endWithProcess(remove);
try {
  console.log(
    `Seed ${values.seed} (npm run chaos -- --seed ${values.seed} repeats what is asked; the kernel decides the rest)`,
  );
  const platform = await step("Demo companies and Worker", () => preparePlatform(stateDir));
  await end(await rounds(platform, stateDir));
} catch (error) {
  reportFailure(error);
  await end(1);
}

import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { readNumber, readOptions } from "#scripts/command-line.ts";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { runStep } from "#scripts/steps.ts";
import { readOperations } from "#tools/fuzz/read-operations.ts";
import { createClient } from "#tools/platform/client.ts";
import { getDemoAccount, signIn, signInAsStaff } from "#tools/platform/credentials.ts";
import { type Platform, preparePlatform } from "#tools/platform/platform.ts";
import { readGatewayBook } from "#tools/platform/redsys-server.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { auditStoppedState, countAuthorityRecordsAt } from "./audit/audit.ts";
import { auditOverHttp } from "./audit/over-http.ts";
import type { Violation } from "./audit/violation.ts";
import { countScheduledWork, describeRejections, readBaseline } from "./baseline.ts";
import { copyHistory, countOutcomes, createHistory, listRejectedActions } from "./history.ts";
import { injectFault } from "./inject-fault.ts";
import { copyStoppedServer } from "./stopped-state.ts";
import { listWriteOperations } from "./writers/operations.ts";
import { startWriters } from "./writers/run.ts";

// npm run chaos -- [--rounds 5] [--seed <seed>] [--fault lost|oversold|sums]: kills the platform with SIGKILL during
// all kinds of writes, once per round, restarts it and audits the result. Optionally injects a fault before the last
// audit, which must find it.

const { values } = readOptions({
  options: {
    rounds: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    fault: { type: "string" },
  },
});
const ROUNDS = readNumber("rounds", values.rounds);
const MIN_ROUND_MS = 6000;
const MAX_ROUND_MS = 12_000;
/** Time limit to wait on a busy machine, because a kill proves nothing about writers without a response. */
const PATIENCE_MS = 60_000;
const HEAD = `
| killed | acknowledged by then | interfaces that acknowledged something in the round | requests repeated | violations |
| --- | --- | --- | --- | --- |`;

/** Formats how many writers were acknowledged in a round, and which weren't. */
function formatSummary(counts: ReadonlyMap<string, number>): string {
  const idle = [...counts].filter(([, count]) => count === 0).map(([name]) => name);
  const active = `${counts.size - idle.length} of ${counts.size}`;
  return idle.length === 0 ? active : `${active} (not ${idle.join(", ")})`;
}

function print(title: string, violations: readonly Violation[]): void {
  for (const { check, detail } of violations.slice(0, 10)) console.log(`  ${title}: ${check}: ${detail}`);
}

/** Kills the platform repeatedly under all writers and audits the result of each kill. Returns the exit code. */
async function run(platform: Platform, stateDir: string): Promise<number> {
  const { accountData, ...before } = readBaseline(stateDir);
  const random = createDemoRandom(`chaos ${values.seed}`);
  const client = createClient(platform.port);
  const history = createHistory();
  const operations = await readOperations();
  await platform.start();
  const staffTokens = { acme: await signInAsStaff(client, "acme"), globex: await signInAsStaff(client, "globex") };
  const manager = getDemoAccount("acme").users.find(({ use }) => use === "manager");
  if (!manager) throw new Error("acme has no manager");
  const managerToken = await signIn(client, "acme", manager);
  const writers = await startWriters({
    ...{ client, history, random, staffTokens, managerToken, accountData, mailbox: platform.mailbox },
    operations: new Map(listWriteOperations(operations).map((operation) => [operation.name, operation])),
    gatewayBook: () => readGatewayBook(stateDir),
  });
  const roundViolations: Violation[] = [];
  const rows: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const until = Date.now() + PATIENCE_MS;
    await setTimeout(random.between(MIN_ROUND_MS, MAX_ROUND_MS));
    while (!writers.areAllHeard() && Date.now() < until) await setTimeout(100);
    await platform.kill();
    const acknowledged = copyHistory(history);
    const interfaces = formatSummary(writers.takeCounts());
    const stopped = copyStoppedServer(stateDir, `${stateDir}-round-${round}`);
    await platform.start();
    const violations = await auditStoppedState(stopped, before, acknowledged);
    await rm(stopped.stateDir, { recursive: true });
    print(`round ${round}`, violations);
    roundViolations.push(...violations);
    rows.push(
      `| ${round} | ${countOutcomes(acknowledged).acknowledged} | ${interfaces} | ${client.repeated()} | ${violations.length} |`,
    );
  }
  await setTimeout(MIN_ROUND_MS);
  await writers.stop();
  const overHttp = await auditOverHttp(client, history, staffTokens);
  await platform.kill();
  const at = new Date();
  if (values.fault) injectFault(stateDir, values.fault);
  const last = [...(await auditStoppedState({ stateDir, at }, before, history)), ...overHttp];
  print("at the end", last);
  for (const failure of new Set(writers.failures))
    console.log(`  a writer got an answer it did not expect: ${failure}`);
  console.log([HEAD, ...rows].join("\n"));
  const counts = [
    ...countOutcomes(history).counts,
    ...Object.entries({ ...countScheduledWork(stateDir, before), ...(await countAuthorityRecordsAt(stateDir)) }),
  ].map(([kind, many]) => `${many} ${kind}`);
  console.log(`\nSeed ${values.seed}: ${ROUNDS} kills; ${counts.join(", ")}; ${client.repeated()} requests repeated.`);
  const rejected = listRejectedActions(history);
  for (const [reason, { length }] of Map.groupBy(rejected, ({ operation, code }) => `${operation}: ${code}`))
    console.log(`  rejected: ${reason}: ${length}`);
  const conflicts = rejected.filter(({ code }) => code === "changed_meanwhile");
  for (const line of describeRejections(stateDir, conflicts)) console.log(`    version conflict: ${line}`);
  const writing = listWriteOperations(operations);
  const never = writing.filter(({ name }) => !writers.acknowledgedOperations.has(name));
  const covered = `${writing.length - never.length} of ${writing.length} writing operations`;
  console.log(`${covered} of the OpenAPI documents acknowledged something.`);
  for (const { method, path } of never) console.log(`  not: ${method} ${path}`);
  const count = roundViolations.length + last.length + writers.failures.length;
  const verdict = "Nothing lost, nothing double, nothing oversold, every sum holds.";
  console.log(count === 0 ? verdict : `${count} violations.`);
  return count === 0 ? 0 : 1;
}

await runTool("chaos", async (stateDir) => {
  const repeat = `npm run chaos -- --seed ${values.seed} repeats what is asked; the kernel decides the rest`;
  console.log(`Seed ${values.seed} (${repeat})`);
  return run(await runStep("Demo companies and Worker", () => preparePlatform(stateDir)), stateDir);
});

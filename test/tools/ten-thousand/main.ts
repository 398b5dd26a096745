import { readNumber, readOptions } from "#scripts/command-line.ts";
import { CELLS_DEPLOYED_AT_ONCE, groupIntoWaves } from "#scripts/deployment/cell-rollout.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { countDeploymentCalls } from "./deployment-calls.ts";
import { type SimulatedTask, simulateCompanies } from "./simulate.ts";

// npm run test:companies -- [--companies 10000]: simulates companies in cells of 250, with 150 ms for each database
// call, and a deployment of all cells. Durations are simulated. The calls are those of the real code.

const { values } = readOptions({ options: { companies: { type: "string", default: "10000" } } });
const companies = readNumber("companies", values.companies);
const CELL_SIZE = 250;
/** Wrangler needs a second for each call (decision 0069). */
const PROCESS_SECONDS = 1;
const MINUTES = 60;

const formatCalls = (calls: SimulatedTask["calls"]) =>
  Object.entries(calls)
    .map(([kind, count]) => `${kind} ${count.toLocaleString("en")}`)
    .join(", ");

async function simulate(): Promise<number> {
  const results = await simulateCompanies(companies);
  console.log(
    `| ${companies.toLocaleString("en")} companies | simulated s | at most s | calls |\n| --- | --- | --- | --- |`,
  );
  for (const { title, milliseconds, limitMs, calls } of results)
    console.log(`| ${title} | ${(milliseconds / 1000).toFixed(1)} | ${limitMs / 1000} | ${formatCalls(calls)} |`);
  const [clock] = results;
  const hourly = Object.fromEntries(Object.entries(clock?.calls ?? {}).map(([kind, count]) => [kind, count * MINUTES]));
  const deployment = await countDeploymentCalls();
  const cells = Array.from({ length: Math.ceil(companies / CELL_SIZE) }, (_, index) => String(index + 1));
  const deploymentCalls = cells.length * deployment;
  const waves = groupIntoWaves(cells, CELLS_DEPLOYED_AT_ONCE).length;
  const callsInWindow = (300 / PROCESS_SECONDS) * CELLS_DEPLOYED_AT_ONCE;
  console.log(`
Calls per hour of the cron jobs: ${formatCalls(hourly)}
Calls of Cloudflare's API per hour: 0 of cron jobs, new companies and migrations. A deployment of all cells makes
${deploymentCalls.toLocaleString("en")}, ${deployment} for each cell, in ${waves} waves: at ${PROCESS_SECONDS} s each about \
${Math.round((waves * deployment * PROCESS_SECONDS) / 60)} minutes without pauses, at most ${Math.min(callsInWindow, deploymentCalls)} in five minutes (limit 1,200).`);
  return results.some(({ milliseconds, limitMs }) => milliseconds > limitMs) ? 1 : 0;
}

await runTool("companies", simulate);

import { targetOf } from "./accounts/target.ts";
import { readOptions } from "./command-line.ts";
import { linesOf } from "./deploy.ts";
import { type Finding, findConfigProblems, grave } from "./deployment/configuration.ts";
import { askHealthAt, findWorse } from "./deployment/health.ts";
import { behind, findMachineProblems } from "./deployment/machine.ts";
import { findRemoteProblems } from "./deployment/remote.ts";
import { type Configured, readConfigured } from "./deployment/workers.ts";
import { reportFailure, unreadable } from "./steps.ts";

// npm run doctor                        what is wrong with this machine and its local accounts
// npm run doctor -- --env production    what is wrong with a deployment: configuration, secrets, buckets, databases,
//   migrations, health (in depth with the variable MONITOR_KEY; --url where it answers elsewhere)

const { values } = readOptions({ options: { env: { type: "string" }, url: { type: "string" } } });

async function health({ front }: Configured): Promise<readonly Finding[]> {
  const address = values.url ?? `https://${front.vars["BASE_DOMAIN"]}`;
  const now = await askHealthAt(address, process.env["MONITOR_KEY"] || undefined)(new Map());
  return findWorse(undefined, now).map((what) => grave(`${address}/healthz: ${what}`, "docs/runbook.md"));
}

async function findDeploymentProblems(environment: string): Promise<readonly Finding[]> {
  const configured = readConfigured(environment);
  const config = findConfigProblems(configured);
  const remote = await findRemoteProblems(configured, values.url);
  const found = [...config, ...remote];
  // Whoever is signed in nowhere, or has bound what is not there, is told that and no more.
  if (found.some(({ isGrave }) => isGrave)) return found;
  const waiting = await behind(targetOf({ remote: true, env: environment })).catch((error: unknown) => [
    grave(`migrations ${unreadable(error)}`, `npm run migrate -- --remote --env ${environment}`),
  ]);
  return [...found, ...waiting, ...(await health(configured))];
}

try {
  const { env } = values;
  const found = await (env === undefined ? findMachineProblems(targetOf({})) : findDeploymentProblems(env));
  for (const line of linesOf(found)) console.log(line);
  const graves = found.filter(({ isGrave }) => isGrave).length;
  const of = env === undefined ? "this machine" : env;
  console.log(
    graves > 0
      ? `${graves} ${graves === 1 ? "thing is" : "things are"} wrong with ${of}.`
      : `Nothing is wrong with ${of}.`,
  );
  if (graves > 0) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
}

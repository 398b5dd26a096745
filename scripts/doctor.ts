import { parseTarget } from "./accounts/target.ts";
import { readOptions } from "./command-line.ts";
import {
  type ConfigIssue,
  createGraveIssue,
  findConfigProblems,
  formatConfigIssues,
} from "./deployment/configuration.ts";
import { findSlotIssues, getNewestMigration, listDirectorySlots } from "./deployment/directory-slots.ts";
import { createHealthReader, listHealthRegressions, readMonitorKey } from "./deployment/health.ts";
import { findMachineProblems, listPendingMigrationIssues } from "./deployment/local-machine.ts";
import { findRemoteProblems } from "./deployment/remote.ts";
import { type DeploymentConfig, getDeploymentUrl, readDeploymentConfig } from "./deployment/workers.ts";
import { describeAccountError, reportFailure } from "./steps.ts";

// npm run doctor checks this machine and its local accounts
// npm run doctor -- --env production checks a deployment: configuration, secrets, buckets, databases, migrations,
// health
// (in detail with the variable MONITOR_KEY; --url if it has another URL)

const { values } = readOptions({ options: { env: { type: "string" }, url: { type: "string" } } });

async function health(configured: DeploymentConfig): Promise<readonly ConfigIssue[]> {
  const address = getDeploymentUrl(configured, values.url);
  const now = await createHealthReader(address, readMonitorKey())(new Map());
  return listHealthRegressions(undefined, now).map((regression) =>
    createGraveIssue(`${address}/healthz: ${regression}`, "docs/runbook.md"),
  );
}

async function findDeploymentProblems(environment: string): Promise<readonly ConfigIssue[]> {
  const configured = readDeploymentConfig(environment);
  const issues = [...findConfigProblems(configured), ...(await findRemoteProblems(configured, values.url))];
  // If the sign-in or a binding is missing, report only that.
  if (issues.some(({ isGrave }) => isGrave)) return issues;
  const pendingAccounts = await listPendingMigrationIssues(parseTarget({ remote: true, env: environment })).catch(
    (error: unknown) => [
      createGraveIssue(`migrations ${describeAccountError(error)}`, `npm run migrate -- --remote --env ${environment}`),
    ],
  );
  const { front } = configured;
  const slots = await listDirectorySlots(front, environment)
    .then((listed) => findSlotIssues(front, listed, getNewestMigration()))
    .catch((error: unknown) => [
      createGraveIssue(`the directory ${describeAccountError(error)}`, `npm run cells -- spare 5 --env ${environment}`),
    ]);
  return [...issues, ...pendingAccounts, ...slots, ...(await health(configured))];
}

try {
  const { env } = values;
  const issues = await (env === undefined ? findMachineProblems(parseTarget({})) : findDeploymentProblems(env));
  for (const line of formatConfigIssues(issues)) console.log(line);
  const graves = issues.filter(({ isGrave }) => isGrave).length;
  const many = graves === 0 ? "Nothing is" : graves === 1 ? "1 thing is" : `${graves} things are`;
  console.log(`${many} wrong with ${env ?? "this machine"}.`);
  if (graves > 0) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
}

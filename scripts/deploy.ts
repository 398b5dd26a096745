import { rollOutMigrations } from "./accounts/account-migrations.ts";
import { type DeploymentTarget, parseTarget } from "./accounts/target.ts";
import { dryRunDeployment } from "./build.ts";
import { buildPages } from "./build-pages.ts";
import { readOptions } from "./command-line.ts";
import { listCellConfigs, rollOutCells } from "./deployment/cell-rollout.ts";
import { type ConfigIssue, findConfigProblems, formatConfigIssues, hasDirectory } from "./deployment/configuration.ts";
import { createHealthReader } from "./deployment/health.ts";
import { migrateCells } from "./deployment/migrate-cells.ts";
import { createQueues } from "./deployment/queues.ts";
import { findRemoteProblems } from "./deployment/remote.ts";
import { rollOutVersions } from "./deployment/rollout.ts";
import { type DeploymentConfig, getDeploymentUrl, listWorkers, readDeploymentConfig } from "./deployment/workers.ts";
import { PROJECT_ROOT, runCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { checkTypes } from "./typecheck.ts";

// npm run deploy -- --env production [--dry-run]
// builds, checks, migrates the canary first, deploys gradually, monitors health and rolls back an unhealthy version
// --at-once deploys fully: required for a new Durable Object class, which gradual versions can't add
// --all-cells deploys every cell, the newest first, and stops at the first failure
// --built skips pages, types and wrangler's checks: after npm run check
// --canary <account> account to migrate first
// --url <address> URL of the deployment, if not https://<BASE_DOMAIN>
// MONITOR_KEY secret of that name, for detailed health checks

interface Deployment {
  readonly environment: string;
  readonly isDry?: boolean;
  readonly isAtOnce?: boolean;
  readonly isBuilt?: boolean;
  readonly canary?: string | undefined;
  readonly url?: string | undefined;
  /** Seconds between two health checks. */
  readonly pause?: string | undefined;
}

function refuseGrave(findings: readonly ConfigIssue[]): void {
  if (findings.length > 0) console.log(formatConfigIssues(findings).join("\n"));
  if (findings.some(({ isGrave }) => isGrave)) throw new Error("Deployment stopped. Fix the errors above.");
}

async function buildAndTry(environment: string): Promise<void> {
  await runStep("Types", checkTypes);
  await runStep("App built", buildPages);
  const tried = () => "wrangler would deploy it";
  await runStep(`Dry run of ${environment}`, () => dryRunDeployment(environment), tried);
}

async function migrateAll(target: DeploymentTarget, canary: string | undefined): Promise<void> {
  if (!(await rollOutMigrations(target, { canary })))
    throw new Error("Not every account is migrated. npm run migrate shows which; the next run goes on from there.");
}

// Databases of a directory are migrated by the deployed Worker, which a first deployment doesn't have.
async function migrateBefore(
  configured: DeploymentConfig,
  target: DeploymentTarget,
  canary: string | undefined,
): Promise<void> {
  await migrateAll(target, canary);
  if (!hasDirectory(configured.front)) return;
  const next = `npm run cells -- migrate --env ${configured.environment}`;
  if (!target.operator) return console.log(`OPERATOR_KEY is not set: the databases wait for ${next}.`);
  const isDeployed = await createHealthReader(target.operator.url, undefined)(new Map());
  if (!isDeployed) return console.log(`Nothing serves yet: after this deployment, ${next}.`);
  await migrateCells(target, String(configured.front.vars["CELL"] ?? "01"));
}

/** Builds and checks an environment, migrates its accounts, deploys its Workers and monitors health. */
export async function deployWorkers(deployment: Deployment): Promise<void> {
  const { environment, isDry = false, isAtOnce = false, isBuilt = false, canary, url, pause = "5" } = deployment;
  const configured = readDeploymentConfig(environment);
  const problems = findConfigProblems(configured);
  // Check everything first, before slow steps, and report all problems at once.
  if (!isDry)
    refuseGrave([...problems, ...(await runStep("Cloudflare asked", () => findRemoteProblems(configured, url)))]);
  if (!isBuilt) await buildAndTry(environment);
  if (isDry) {
    if (problems.length > 0) console.log(`Before it can be deployed:\n${formatConfigIssues(problems).join("\n")}`);
    return;
  }
  const target = parseTarget({ remote: true, env: environment });
  await runStep("Queues", () => createQueues(configured));
  await runStep("Accounts migrated", () => migrateBefore(configured, target, canary));
  const monitorKey = process.env["MONITOR_KEY"] || undefined;
  if (monitorKey === undefined) console.log("MONITOR_KEY is not set: health is asked at its surface only.");
  const cell = hasDirectory(configured.front) ? String(configured.front.vars["CELL"] ?? "01") : undefined;
  const readHealth = createHealthReader(getDeploymentUrl(configured, url), monitorKey, cell);
  const how = { readHealth, pauseMilliseconds: Number(pause) * 1000 };
  await runStep(`Deployed to ${environment}`, () => rollOutVersions(listWorkers(configured), how, isAtOnce));
}

// Each cell is deployed by its own process, because its configuration is read at the start. The pages are the same.
function deployAllCells(): Promise<void> {
  const others = process.argv.slice(2).filter((argument) => argument !== "--all-cells");
  return rollOutCells(listCellConfigs(PROJECT_ROOT), async (config, isFirst) => {
    const options = isFirst || others.includes("--built") ? others : [...others, "--built"];
    const script = `${PROJECT_ROOT}/scripts/deploy.ts`;
    const { exitCode } = await runCommand(process.execPath, [script, ...options], {
      environment: { WRANGLER_CONFIG: config },
    });
    return exitCode;
  });
}

if (import.meta.main) {
  const { values } = readOptions({
    options: {
      env: { type: "string", default: "production" },
      "dry-run": { type: "boolean", default: false },
      "at-once": { type: "boolean", default: false },
      "all-cells": { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      canary: { type: "string" },
      url: { type: "string" },
      pause: { type: "string" },
    },
  });
  const {
    env: environment,
    "dry-run": isDry,
    "at-once": isAtOnce,
    built: isBuilt,
    "all-cells": isOfAll,
    ...others
  } = values;
  const deployed = isOfAll ? deployAllCells() : deployWorkers({ environment, isDry, isAtOnce, isBuilt, ...others });
  await deployed.catch(reportFailure);
}

import { readFile } from "node:fs/promises";
import { rollOutMigrations } from "./accounts/account-migrations.ts";
import { type DeploymentTarget, parseTarget } from "./accounts/target.ts";
import { dryRunDeployment } from "./build.ts";
import { buildPages } from "./build-pages.ts";
import { readOptions } from "./command-line.ts";
import { listCellConfigs, rollOutCells } from "./deployment/cell-rollout.ts";
import {
  type ConfigIssue,
  findConfigProblems,
  formatConfigIssues,
  isBehindRouter,
} from "./deployment/configuration.ts";
import {
  findCellNumber,
  findUnboundSlotIssues,
  getNewestMigration,
  type ListedSlot,
  listDirectorySlots,
  listOutdatedSlots,
  migrateDirectory,
} from "./deployment/directory-slots.ts";
import { createHealthReader, isMonitorKeyRefused, readMonitorKey } from "./deployment/health.ts";
import { migrateCells } from "./deployment/migrate-cells.ts";
import { createMissingQueues } from "./deployment/queues.ts";
import { findRemoteProblems } from "./deployment/remote.ts";
import { rollOutVersions } from "./deployment/rollout.ts";
import { type DeploymentConfig, getDeploymentUrl, listWorkers, readDeploymentConfig } from "./deployment/workers.ts";
import { PROJECT_ROOT, runCommand, runOrThrow, toWranglerCommand } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { checkTypes } from "./typecheck.ts";

// npm run deploy -- --env production [--dry-run]
// builds, checks, migrates the canary first, deploys gradually, monitors health and rolls back an unhealthy version
// --at-once deploys fully: required for a new Durable Object class, which gradual versions can't add
// --all-cells deploys the carts, the cells (the newest first, then several at once) and the router, and stops after a
// failure
// --skip-printer deploys front and office only, because the deployment of another cell included the printer
// --built skips pages, types and wrangler's checks: after npm run check
// --canary <account> account to migrate first
// --url <address> URL of the deployment, if not https://<BASE_DOMAIN>
// MONITOR_KEY secret of that name, for detailed health checks

interface Deployment {
  readonly environment: string;
  readonly isDry?: boolean;
  readonly isAtOnce?: boolean;
  readonly isBuilt?: boolean;
  readonly skipsPrinter?: boolean;
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

/**
 * Migrates the databases of a cell. Its deployed Worker does it, so a new cell, which isn't in the directory, is
 * migrated after its deployment.
 */
async function migrateBefore(
  { environment, front }: DeploymentConfig,
  target: DeploymentTarget,
  { canary, slots }: { readonly canary: string | undefined; readonly slots: readonly ListedSlot[] },
): Promise<void> {
  await migrateAll(target, canary);
  const cell = findCellNumber(front);
  if (cell === undefined) return;
  if (slots.length === 0)
    return console.log(`Cell ${cell} is new: after this deployment, npm run cells -- migrate --env ${environment}.`);
  if (target.operator) return migrateCells(target, cell);
  const count = listOutdatedSlots(slots, getNewestMigration()).length;
  // The new version can't serve these companies.
  if (count > 0)
    throw new Error(
      `${count} companies wait for a migration, which needs the variable OPERATOR_KEY. Nothing was deployed.`,
    );
}

async function refuseWithoutHealth(
  { front }: DeploymentConfig,
  address: string,
  monitorKey: string | undefined,
): Promise<void> {
  if (monitorKey === undefined && isBehindRouter(front))
    throw new Error(
      "Set the variable MONITOR_KEY. Without it the router answers, and the cell's health isn't checked.",
    );
  if (monitorKey === undefined) console.log("MONITOR_KEY is not set: health is asked at its surface only.");
  else if (await isMonitorKeyRefused(address, monitorKey))
    throw new Error(`${address} refuses MONITOR_KEY: it isn't the secret of that name. Without it, health is unknown.`);
}

/** Builds and checks an environment, migrates its accounts, deploys its Workers and monitors health. */
export async function deployWorkers(deployment: Deployment): Promise<void> {
  const { environment, isDry = false, isAtOnce = false, isBuilt = false, canary, url, pause = "5" } = deployment;
  const { skipsPrinter = false } = deployment;
  const configured = readDeploymentConfig(environment);
  const problems = findConfigProblems(configured);
  if (isDry) {
    if (!isBuilt) await buildAndTry(environment);
    if (problems.length > 0) console.log(`Before it can be deployed:\n${formatConfigIssues(problems).join("\n")}`);
    return;
  }
  // Check everything first, before slow steps, and report all problems at once.
  refuseGrave([...problems, ...(await runStep("Cloudflare asked", () => findRemoteProblems(configured, url)))]);
  const address = getDeploymentUrl(configured, url);
  const monitorKey = readMonitorKey();
  const { front } = configured;
  await refuseWithoutHealth(configured, address, monitorKey);
  // Reading the databases of the cell needs the directory's newest tables.
  await migrateDirectory(front, environment);
  const slots = await listDirectorySlots(front, environment);
  refuseGrave(findUnboundSlotIssues(front, slots));
  if (!isBuilt) await buildAndTry(environment);
  const target = parseTarget({ remote: true, env: environment });
  await runStep("Queues", () => createMissingQueues(configured));
  await runStep("Accounts migrated", () => migrateBefore(configured, target, { canary, slots }));
  const cell = findCellNumber(front);
  const readHealth = createHealthReader(address, monitorKey, cell);
  const how = { readHealth, pauseMilliseconds: Number(pause) * 1000 };
  const isNewCell = cell !== undefined && slots.length === 0;
  const workers = listWorkers(configured).filter(({ role }) => !skipsPrinter || role !== "printer");
  await runStep(`Deployed to ${environment}`, () => rollOutVersions(workers, how, { isAtOnce, isNewCell }));
}

interface AllCellsDeployment {
  readonly environment: string;
  readonly isDry?: boolean;
  readonly url?: string | undefined;
}

/**
 * Deploys the carts first, because cells call them, then all cells, and the router last.
 *
 * @param options further options of `npm run deploy` for each cell
 */
export async function deployAllCells(all: AllCellsDeployment, options: readonly string[]): Promise<void> {
  await deployShared("carts", all);
  // Each cell is deployed by its own process, because its configuration is read at the start. Pages and printer are the
  // same.
  await rollOutCells(listCellConfigs(PROJECT_ROOT), async (config, { isFirst, isOnlyCellOfWave }) => {
    const own = isFirst ? options : [...options.filter((option) => option !== "--built"), "--built", "--skip-printer"];
    const { exitCode, output } = await runCommand(process.execPath, [`${PROJECT_ROOT}/scripts/deploy.ts`, ...own], {
      environment: { WRANGLER_CONFIG: config },
      quiet: !isOnlyCellOfWave,
    });
    if (!isOnlyCellOfWave) console.log(`\n${config}:\n${output.trim()}`);
    return exitCode;
  });
  if (!(await deployShared("router", all)) || all.isDry) return;
  const address = getDeploymentUrl(readDeploymentConfig(all.environment), all.url);
  if (!(await createHealthReader(address, readMonitorKey())(new Map())))
    throw new Error(`Nothing answers behind the new router: npx wrangler rollback --config router.wrangler.toml`);
}

/** Deploys a Worker that all cells share, at once. Returns whether the environment has it. */
async function deployShared(worker: "carts" | "router", { environment, isDry }: AllCellsDeployment): Promise<boolean> {
  const file = `${PROJECT_ROOT}/${worker}.wrangler.toml`;
  const toml = await readFile(file, "utf8").catch(() => "");
  if (!toml.includes(`name = "rental-platform-${worker}-${environment}"`)) return false;
  const command = toWranglerCommand(["deploy", ...(isDry ? ["--dry-run"] : []), "--config", file]);
  await runStep(`${worker} deployed`, () => runOrThrow(...command));
  return true;
}

if (import.meta.main) {
  const { values } = readOptions({
    options: {
      env: { type: "string", default: "production" },
      "dry-run": { type: "boolean", default: false },
      "at-once": { type: "boolean", default: false },
      "all-cells": { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      "skip-printer": { type: "boolean", default: false },
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
    "skip-printer": skipsPrinter,
    "all-cells": isOfAll,
    ...others
  } = values;
  const options = process.argv.slice(2).filter((argument) => argument !== "--all-cells");
  const deployed = isOfAll
    ? deployAllCells({ environment, isDry, url: others.url }, options)
    : deployWorkers({ environment, isDry, isAtOnce, isBuilt, skipsPrinter, ...others });
  await deployed.catch(reportFailure);
}

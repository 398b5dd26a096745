import { migrateAll } from "./accounts/account-migrations.ts";
import { targetOf } from "./accounts/target.ts";
import { buildApp } from "./app.ts";
import { dryRun } from "./build.ts";
import { readOptions } from "./command-line.ts";
import { type Finding, findConfigProblems } from "./deployment/configuration.ts";
import { askHealthAt } from "./deployment/health.ts";
import { findRemoteProblems } from "./deployment/remote.ts";
import { rollOutVersions } from "./deployment/rollout.ts";
import { readConfigured, workersOf } from "./deployment/workers.ts";
import { reportFailure, step } from "./steps.ts";
import { checkTypes } from "./typecheck.ts";

// npm run deploy -- --env production [--dry-run]
//   builds, checks, migrates the canary first, deploys gradually, looks after health and takes back what is unhealthy
//   --at-once          deploys whole: where a new class of Durable Objects comes with it, which no version may bring
//   --built            takes pages, types and what wrangler thinks of it as right: after npm run check
//   --canary <account> who is migrated first
//   --url <address>    where it answers, if not at https://<BASE_DOMAIN>
//   MONITOR_KEY        the secret of that name, so that health is asked in depth

export interface Deployment {
  readonly environment: string;
  readonly isDry?: boolean;
  readonly isAtOnce?: boolean;
  readonly isBuilt?: boolean;
  readonly canary?: string | undefined;
  readonly url?: string | undefined;
  readonly pauseMilliseconds?: number;
}

const PAUSE_MILLISECONDS = 5000;

/** A line for each finding, the grave ones first. */
export function linesOf(findings: readonly Finding[]): readonly string[] {
  return findings
    .toSorted((a, b) => Number(b.isGrave) - Number(a.isGrave))
    .map(({ isGrave, what, remedy }) => `  ${isGrave ? "missing" : "advice "}  ${what}: ${remedy}`);
}

function refuseGrave(findings: readonly Finding[]): void {
  if (findings.length > 0) console.log(linesOf(findings).join("\n"));
  if (findings.some(({ isGrave }) => isGrave)) throw new Error("Not deployed: what is missing is said above.");
}

async function buildAndTry(environment: string): Promise<void> {
  await step("Types", checkTypes);
  await step("App built", buildApp);
  await step(
    `Dry run of ${environment}`,
    () => dryRun(environment),
    () => "wrangler would deploy it",
  );
}

/** Builds, checks and tries an environment, migrates its accounts, deploys its Workers, and looks after health. */
export async function deploy({
  environment,
  isDry,
  isAtOnce,
  isBuilt,
  canary,
  url,
  ...options
}: Deployment): Promise<void> {
  const configured = readConfigured(environment);
  const problems = findConfigProblems(configured);
  // Before anything takes its time, and all of it at once.
  if (!isDry)
    refuseGrave([...problems, ...(await step("Cloudflare asked", () => findRemoteProblems(configured, url)))]);
  if (!isBuilt) await buildAndTry(environment);
  if (isDry) {
    if (problems.length > 0) console.log(`Before it can be deployed:\n${linesOf(problems).join("\n")}`);
    return;
  }
  const target = targetOf({ remote: true, env: environment });
  await step("Accounts migrated", () => migrateAll(target, { canary, log: console.log }));
  const monitorKey = process.env["MONITOR_KEY"] || undefined;
  if (monitorKey === undefined) console.log("MONITOR_KEY is not set: health is asked at its surface only.");
  const address = url ?? `https://${configured.front.vars["BASE_DOMAIN"]}`;
  await step(`Deployed to ${environment}`, () =>
    rollOutVersions(
      {
        workers: workersOf(configured),
        ask: askHealthAt(address, monitorKey),
        pauseMilliseconds: options.pauseMilliseconds ?? PAUSE_MILLISECONDS,
        log: console.log,
      },
      isAtOnce === true,
    ),
  );
}

if (import.meta.main) {
  const { values } = readOptions({
    options: {
      env: { type: "string", default: "production" },
      "dry-run": { type: "boolean" },
      "at-once": { type: "boolean" },
      built: { type: "boolean" },
      canary: { type: "string" },
      url: { type: "string" },
      pause: { type: "string" },
    },
  });
  await deploy({
    environment: values.env,
    isDry: values["dry-run"] === true,
    isAtOnce: values["at-once"] === true,
    isBuilt: values.built === true,
    canary: values.canary,
    url: values.url,
    ...(values.pause && { pauseMilliseconds: Number(values.pause) * 1000 }),
  }).catch(reportFailure);
}

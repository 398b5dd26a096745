import { parseArgs } from "node:util";
import { officeEnvironmentOf } from "./accounts/wrangler-config.ts";
import { buildApp } from "./app.ts";
import { dryRun } from "./build.ts";
import { projectRoot, run, wrangler, wranglerForPrinter } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";
import { checkTypes } from "./typecheck.ts";

const { values } = parseArgs({
  options: { env: { type: "string", default: "production" }, "dry-run": { type: "boolean", default: false } },
});

async function runOrFail(command: string, args: readonly string[]): Promise<void> {
  const { exitCode } = await run(command, args);
  if (exitCode !== 0) throw new Error(`Failed: ${command} ${args.join(" ")}`);
}

/** Builds, checks and dry-runs; then migrates every account and deploys. The dry run needs no account at Cloudflare. */
async function deploy({ env, "dry-run": isDry }: typeof values): Promise<void> {
  await step("Types", checkTypes);
  await step("App built", buildApp);
  await step(
    `Dry run of ${env}`,
    () => dryRun(env),
    () => "wrangler would deploy it",
  );
  if (isDry) return;
  const migrate = [`${projectRoot}/scripts/migrate.ts`, "--apply", "--remote", "--env", env];
  await step("Accounts migrated", () => runOrFail(process.execPath, migrate));
  // A Worker cannot be bound to one that is not there: the printer, the office, and then what is bound to both.
  const [printerCommand, printerArgs] = wranglerForPrinter("deploy", "--env", env);
  await step(`Printer deployed to ${env}`, () => runOrFail(printerCommand, printerArgs));
  for (const one of [officeEnvironmentOf(env), env]) {
    const [command, args] = wrangler("deploy", "--env", one);
    await step(`Deployed to ${one}`, () => runOrFail(command, args));
  }
}

try {
  await deploy(values);
} catch (error) {
  reportFailure(error);
}

import { readFile } from "node:fs/promises";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { officeEnvironmentOf } from "./accounts/wrangler-config.ts";
import { buildApp, checkCheckInWeight, checkWidgetWeight } from "./app.ts";
import { bundlePrinter, bundleWorker } from "./local-runtime.ts";
import { projectRoot, runOrThrow, wrangler, wranglerForPrinter } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";
import { areTypesUpToDate } from "./types.ts";

const LARGEST_WORKER_GZIP_KB = 450;
const LARGEST_PRINTER_GZIP_KB = 900;

async function checkEnvironmentTypes(): Promise<void> {
  if (!(await areTypesUpToDate())) {
    throw new Error("worker/env.d.ts does not say what wrangler.toml says. Run: npm run types");
  }
}

async function checkProductionBuild(): Promise<number> {
  const bundle = await bundleWorker({ development: false, folder: `${projectRoot}/.wrangler/production` });
  const kilobytes = Math.ceil(bundle.gzipBytes / 1000);
  if (kilobytes > LARGEST_WORKER_GZIP_KB) {
    throw new Error(`The Worker weighs ${kilobytes} kB gzip; at most ${LARGEST_WORKER_GZIP_KB} kB are allowed.`);
  }
  const scripts = ["index.js", "office/index.js"].map((file) => readFile(`${bundle.folder}/${file}`, "utf8"));
  const script = (await Promise.all(scripts)).join("");
  const passwords = demoAccounts.flatMap(({ users }) => users.map(({ password }) => password));
  if (passwords.some((password) => script.includes(password))) {
    throw new Error("The production build holds the demo accounts' passwords: guard their use by DEVELOPMENT_BUILD.");
  }
  if (script.includes("What the accounts on this machine have sent")) {
    throw new Error("The production build holds the development mailbox: guard its use by DEVELOPMENT_BUILD.");
  }
  if (script.includes("Stand-in gateway")) {
    throw new Error("The production build holds the stand-in gateway: guard its use by DEVELOPMENT_BUILD.");
  }
  return kilobytes;
}

async function checkPrinterBuild(): Promise<number> {
  const kilobytes = Math.ceil((await bundlePrinter(`${projectRoot}/.wrangler/printer`)) / 1000);
  if (kilobytes > LARGEST_PRINTER_GZIP_KB) {
    throw new Error(`The printer weighs ${kilobytes} kB gzip; at most ${LARGEST_PRINTER_GZIP_KB} kB are allowed.`);
  }
  return kilobytes;
}

/**
 * What `wrangler deploy` would refuse of an environment's three Workers, found without an account and without a network:
 * that which answers, that of the office and the clock, and the printer.
 */
export async function dryRun(environment: string): Promise<void> {
  const folder = `${projectRoot}/.wrangler/production-environment`;
  for (const one of [environment, officeEnvironmentOf(environment)])
    await runOrThrow(...wrangler("deploy", "--dry-run", "--env", one, "--outdir", folder), { CI: "true" });
  const printer = ["--env", environment, "--outdir", `${folder}-printer`];
  await runOrThrow(...wranglerForPrinter("deploy", "--dry-run", ...printer), { CI: "true" });
}

/**
 * Builds the pages and the Worker as for production, within their weights and without what development alone may know.
 */
export async function build(): Promise<void> {
  await step("App built", buildApp);
  await step("Widget", checkWidgetWeight, (kilobytes) => `${kilobytes} kB gzip of 45 allowed`);
  await step("Check-in's first load", checkCheckInWeight, (kilobytes) => `${kilobytes} kB gzip of 60 allowed`);
  await step("Types of the bindings", checkEnvironmentTypes);
  await step("Production build", checkProductionBuild, (kilobytes) => {
    return `${kilobytes} kB gzip of ${LARGEST_WORKER_GZIP_KB} allowed`;
  });
  await step("Printer's build", checkPrinterBuild, (kilobytes) => {
    return `${kilobytes} kB gzip of ${LARGEST_PRINTER_GZIP_KB} allowed`;
  });
  await step(
    "Production configuration",
    () => dryRun("production"),
    () => "wrangler would deploy it",
  );
}

if (import.meta.main) await build().catch(reportFailure);

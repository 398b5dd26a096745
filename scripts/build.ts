import { readFile } from "node:fs/promises";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import {
  buildPages,
  checkCheckInGzipSize,
  checkOfficeGzipSize,
  checkWidgetGzipSize,
  MAX_CHECK_IN_GZIP_KB,
  MAX_OFFICE_PAGE_GZIP_KB,
} from "./build-pages.ts";
import { listWorkers, readDeploymentConfig } from "./deployment/workers.ts";
import { bundleWorkers, measureGzipKilobytes, type WorkerBundle } from "./local-runtime.ts";
import { PROJECT_ROOT } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { areTypesUpToDate } from "./types.ts";

const MAX_WORKER_GZIP_KB = 450;
const MAX_PRINTER_GZIP_KB = 700;

/** Texts that only development features contain, by feature. */
const DEVELOPMENT_ONLY = {
  "the development mailbox": ["What the accounts on this machine have sent"],
  "the stand-in gateway": ["Stand-in gateway"],
};

async function checkEnvironmentTypes(): Promise<void> {
  if (!(await areTypesUpToDate())) throw new Error("worker/env.d.ts doesn't match wrangler.toml. Run: npm run types");
}

interface Upload extends WorkerBundle {
  readonly printerKilobytes: number;
}

/** Returns the upload of `wrangler deploy` for the three Workers of an environment. Throws if it would fail. */
export async function dryRunDeployment(environment: string): Promise<Upload> {
  const folder = `${PROJECT_ROOT}/.wrangler/${environment}`;
  const bundled = await bundleWorkers(folder, listWorkers(readDeploymentConfig(environment)));
  return { ...bundled, printerKilobytes: await measureGzipKilobytes(`${folder}/printer`) };
}

/** Throws if an upload is too large or contains development-only code. */
async function checkUpload({ folder, gzipKilobytes: worker, printerKilobytes: printer }: Upload): Promise<void> {
  if (worker > MAX_WORKER_GZIP_KB)
    throw new Error(`The Worker weighs ${worker} kB gzip; at most ${MAX_WORKER_GZIP_KB} kB are allowed.`);
  if (printer > MAX_PRINTER_GZIP_KB)
    throw new Error(`The printer weighs ${printer} kB gzip; at most ${MAX_PRINTER_GZIP_KB} are allowed.`);
  const scripts = ["index.js", "office/index.js"].map((file) => readFile(`${folder}/${file}`, "utf8"));
  const script = (await Promise.all(scripts)).join("");
  const passwords = demoAccounts.flatMap(({ users }) => users.map(({ password }) => password));
  const secrets = { "the demo accounts' passwords": passwords, ...DEVELOPMENT_ONLY };
  for (const [what, texts] of Object.entries(secrets))
    if (texts.some((text) => script.includes(text)))
      throw new Error(`The production build holds ${what}: guard their use by DEVELOPMENT_BUILD.`);
}

function formatUploadSize({ gzipKilobytes: kilobytes, printerKilobytes }: Upload): string {
  const worker = `Worker ${kilobytes} kB gzip of ${MAX_WORKER_GZIP_KB} allowed`;
  return `${worker}, printer ${printerKilobytes} of ${MAX_PRINTER_GZIP_KB}; wrangler would deploy it`;
}

/** Builds pages and Worker for production, and checks sizes and development-only code. */
export async function buildDeployment(): Promise<void> {
  await runStep("App built", buildPages);
  await runStep("Widget", checkWidgetGzipSize, (kilobytes) => `${kilobytes} kB gzip of 45 allowed`);
  await runStep(
    "Check-in's first load",
    checkCheckInGzipSize,
    (is) => `${is} kB gzip of ${MAX_CHECK_IN_GZIP_KB.scripts} allowed`,
  );
  await runStep(
    "The office's heaviest page",
    checkOfficeGzipSize,
    ({ page, kilobytes }) => `${page} ${kilobytes} kB gzip of ${MAX_OFFICE_PAGE_GZIP_KB} allowed`,
  );
  await runStep("Types of the bindings", checkEnvironmentTypes);
  await checkUpload(await runStep("Production build", () => dryRunDeployment("production"), formatUploadSize));
}

if (import.meta.main) await buildDeployment().catch(reportFailure);

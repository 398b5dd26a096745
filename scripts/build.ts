import { readFile } from "node:fs/promises";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import {
  buildPages,
  checkCheckInWeight,
  checkOfficeWeight,
  checkWidgetWeight,
  MAX_CHECK_IN_GZIP_KB,
  MAX_OFFICE_PAGE_GZIP_KB,
} from "./app.ts";
import { listWorkers, readDeploymentConfig } from "./deployment/workers.ts";
import { type Bundle, bundle, measureGzipKilobytes } from "./local-runtime.ts";
import { projectRoot } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";
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

interface Upload extends Bundle {
  readonly printerKilobytes: number;
}

/** Returns the upload of `wrangler deploy` for the three Workers of an environment. Throws if it would fail. */
export async function dryRunDeployment(environment: string): Promise<Upload> {
  const folder = `${projectRoot}/.wrangler/${environment}`;
  const bundled = await bundle(folder, listWorkers(readDeploymentConfig(environment)));
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
export async function build(): Promise<void> {
  await step("App built", buildPages);
  await step("Widget", checkWidgetWeight, (kilobytes) => `${kilobytes} kB gzip of 45 allowed`);
  await step(
    "Check-in's first load",
    checkCheckInWeight,
    (is) => `${is} kB gzip of ${MAX_CHECK_IN_GZIP_KB.scripts} allowed`,
  );
  await step(
    "The office's heaviest page",
    checkOfficeWeight,
    ({ page, kilobytes }) => `${page} ${kilobytes} kB gzip of ${MAX_OFFICE_PAGE_GZIP_KB} allowed`,
  );
  await step("Types of the bindings", checkEnvironmentTypes);
  await checkUpload(await step("Production build", () => dryRunDeployment("production"), formatUploadSize));
}

if (import.meta.main) await build().catch(reportFailure);

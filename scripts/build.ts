import { readFile, rm } from "node:fs/promises";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { buildApp, checkCheckInWeight, checkWidgetWeight } from "./app.ts";
import { gzipKilobytes } from "./local-runtime.ts";
import { projectRoot, runOrThrow, wrangler, wranglerForPrinter } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";
import { areTypesUpToDate } from "./types.ts";
import { officeEnvironmentOf } from "./wrangler-toml.ts";

const LARGEST_WORKER_GZIP_KB = 450;
const LARGEST_PRINTER_GZIP_KB = 900;

/** What only development shows, by a sentence of each. */
const DEVELOPMENT_ONLY = {
  "the development mailbox": ["What the accounts on this machine have sent"],
  "the stand-in gateway": ["Stand-in gateway"],
};

async function checkEnvironmentTypes(): Promise<void> {
  if (!(await areTypesUpToDate())) {
    throw new Error("worker/env.d.ts does not say what wrangler.toml says. Run: npm run types");
  }
}

interface Upload {
  /** What the scripts of the front and the office say. */
  readonly script: string;
  readonly workerKilobytes: number;
  readonly printerKilobytes: number;
}

/**
 * What `wrangler deploy` would upload of an environment's three Workers, or why it would refuse, found without an
 * account and without a network: that which answers, that of the office and the clock, and the printer.
 */
export async function dryRun(environment: string): Promise<Upload> {
  const folder = `${projectRoot}/.wrangler/${environment}`;
  await rm(folder, { recursive: true, force: true });
  const [front, office, printer] = [`${folder}/front`, `${folder}/office`, `${folder}/printer`];
  const to = (env: string, outdir: string) => ["deploy", "--dry-run", "--env", env, "--outdir", outdir];
  const commands = [
    wrangler(...to(environment, front)),
    wrangler(...to(officeEnvironmentOf(environment), office)),
    wranglerForPrinter(...to(environment, printer)),
  ];
  await Promise.all(commands.map((command) => runOrThrow(...command, { CI: "true" })));
  const scripts = [`${front}/front.js`, `${office}/index.js`].map((file) => readFile(file, "utf8"));
  return {
    script: (await Promise.all(scripts)).join(""),
    workerKilobytes: await gzipKilobytes(front),
    printerKilobytes: await gzipKilobytes(printer),
  };
}

/** Throws where an upload is too heavy or holds what development alone may know. */
function checkUpload({ script, workerKilobytes, printerKilobytes }: Upload): void {
  if (workerKilobytes > LARGEST_WORKER_GZIP_KB) {
    throw new Error(`The Worker weighs ${workerKilobytes} kB gzip; at most ${LARGEST_WORKER_GZIP_KB} kB are allowed.`);
  }
  if (printerKilobytes > LARGEST_PRINTER_GZIP_KB) {
    throw new Error(`The printer weighs ${printerKilobytes} kB gzip; at most ${LARGEST_PRINTER_GZIP_KB} are allowed.`);
  }
  const passwords = demoAccounts.flatMap(({ users }) => users.map(({ password }) => password));
  const secrets = { "the demo accounts' passwords": passwords, ...DEVELOPMENT_ONLY };
  for (const [what, texts] of Object.entries(secrets)) {
    if (texts.some((text) => script.includes(text)))
      throw new Error(`The production build holds ${what}: guard their use by DEVELOPMENT_BUILD.`);
  }
}

function uploadInWords({ workerKilobytes, printerKilobytes }: Upload): string {
  const worker = `Worker ${workerKilobytes} kB gzip of ${LARGEST_WORKER_GZIP_KB} allowed`;
  return `${worker}, printer ${printerKilobytes} of ${LARGEST_PRINTER_GZIP_KB}; wrangler would deploy it`;
}

/** Builds pages and Worker as for production, within their weights, without what development alone may know. */
export async function build(): Promise<void> {
  await step("App built", buildApp);
  await step("Widget", checkWidgetWeight, (kilobytes) => `${kilobytes} kB gzip of 45 allowed`);
  await step("Check-in's first load", checkCheckInWeight, (kilobytes) => `${kilobytes} kB gzip of 60 allowed`);
  await step("Types of the bindings", checkEnvironmentTypes);
  const upload = await step("Production build", () => dryRun("production"), uploadInWords);
  checkUpload(upload);
}

if (import.meta.main) await build().catch(reportFailure);

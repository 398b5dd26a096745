import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { build } from "esbuild";
import { defineConfig } from "vitest/config";
import { tellV8 } from "./scripts/v8-flags.ts";
import { BUNDLED_WORKER, bundledWorker, cheapPasswordsInNode } from "./test/support/bundled-worker.ts";
import { wholeSchema } from "./test/support/whole-schema.ts";

/** The tests' master key: 32 bytes in base64, the same in every run. */
const MASTER_KEY = Buffer.alloc(32, "test master key ").toString("base64");
process.env["MASTER_KEY"] = MASTER_KEY;
tellV8();

/** The printer as a module of its own: the tests run it beside the Worker, as a deployment does. */
async function bundlePrinter() {
  const { outputFiles } = await build({
    entryPoints: ["worker/printer/printer.ts"],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".ttf": "binary" },
  });
  return outputFiles[0]?.text ?? "";
}

/** Where others have the machine, a password's hash alone takes seconds; what never comes fails after all. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Tests that take parts of the app's phone away, or begin with nothing on it. */
const PHONES_OF_THEIR_OWN = ["entries", "moves", "work"].map((name) => `test/pwa/${name}.test.ts`);

let printer: ReturnType<typeof bundlePrinter> | undefined;

/** The same for each runtime. */
function bundledPrinter() {
  printer ??= bundlePrinter();
  return printer;
}

export default defineConfig({
  test: {
    passWithNoTests: true,
    maxWorkers: 2,
    // What is logged is shown where a test fails.
    silent: "passed-only",
    // The gate tries a few of many random cases; a release tries all.
    provide: { isThorough: process.env["THOROUGH"] !== undefined },
    projects: [
      {
        test: {
          name: "domain",
          isolate: false,
          include: ["test/{domain,auth,gateways}/**/*.test.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "pwa",
          // A process and its modules cost more than most of these tests.
          isolate: false,
          include: ["test/pwa/**/*.test.ts"],
          exclude: PHONES_OF_THEIR_OWN,
          ...PATIENCE,
        },
      },
      { test: { name: "pwa-alone", include: PHONES_OF_THEIR_OWN, ...PATIENCE } },
      {
        test: {
          name: "browser",
          // As among the scripts: each file has a browser of its own, and needs no process of its own beside it.
          isolate: false,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          sequence: { groupOrder: 2 },
        },
      },
      // Slow proofs of whole lives, for `npm run check:release`.
      {
        test: {
          name: "release",
          include: ["test/release/*.test.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "release-browser",
          include: ["test/release/browser/*.test.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          // A browser and a camera each: one file after the other.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins: [cheapPasswordsInNode()],
        test: {
          name: "scripts",
          // A module is loaded once for all files: what they import weighs more than what they do.
          isolate: false,
          include: ["test/scripts/**/*.test.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      {
        plugins: [
          bundledWorker(),
          cloudflareTest(async () => ({
            // The whole platform in one Worker, its clock and its office too.
            main: "./worker/index.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              modulesRules: [{ type: "ESModule", include: [`**/${BUNDLED_WORKER}`] }],
              serviceBindings: {
                OFFICE: ({ url }: { url: string }) =>
                  new Response("The tests ask the whole Worker.", { status: url.endsWith("/healthz") ? 200 : 501 }),
              },
              // A database that is still to be migrated: no account's.
              d1Databases: ["BEHIND"],
              durableObjects: { SCRATCH_DATABASES: { className: "ScratchDatabase", useSQLite: true } },
              workers: [
                {
                  name: "rental-platform-printer",
                  compatibilityDate: "2026-08-15",
                  modules: [{ type: "ESModule", path: "printer.js", contents: await bundledPrinter() }],
                },
              ],
              bindings: {
                MASTER_KEY,
                SERVER_TIMING: "on",
                WEBHOOKS: "by_the_clock",
                MIGRATIONS: await readD1Migrations("migrations"),
                SCHEMA: wholeSchema(),
              },
            },
          })),
        ],
        // Tests see what development shows: the accounts' page, the mailbox, the Server-Timing of every response.
        define: { DEVELOPMENT_BUILD: "true" },
        test: {
          name: "worker",
          ...PATIENCE,
          include: ["test/{api,store,carts,usecases,tenancy,site,conformance}/**/*.test.ts"],
          setupFiles: [
            "test/support/one-proxy.ts",
            "test/support/apply-migrations.ts",
            "test/support/quiet-log.ts",
            "test/support/d1-limits.ts",
          ],
          // What is logged beside a test, by a Durable Object or by work that goes on, would be kept back until the next
          // message from within it: where a file's last one has gone, the run waits for ever. So logs go straight out.
          disableConsoleIntercept: true,
          // Two runtimes, each with its own storage, take the files in turn: a fresh one per file costs a second more
          // per file, a single one half as much time again. So files share storage, and tests clear what they store.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

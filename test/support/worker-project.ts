import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { build } from "esbuild";
import type { TestProjectInlineConfiguration } from "vitest/config";
import { FONTS, layOutFonts } from "#scripts/printer-fonts.mjs";
import { BUNDLED_WORKER, bundledWorker } from "./bundled-worker.ts";
import { getFullSchema } from "./whole-schema.ts";

/** The printer as a module of its own: the tests run it beside the Worker, as a deployment does. */
async function bundlePrinter() {
  layOutFonts();
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

let printer: ReturnType<typeof bundlePrinter> | undefined;

// Where its files are served, in the place of the assets of a deployment.
const fontAt = async (url: string) => new Response(await readFile(join(FONTS, basename(new URL(url).pathname))));

/** The same for each runtime. */
function bundledPrinter() {
  printer ??= bundlePrinter();
  return printer;
}

/**
 * The tests that run in the runtime, beside the whole Worker. Apart from the configuration, because the runtime's pool
 * takes seconds to load.
 */
export function workerProject(masterKey: string, patience: object): TestProjectInlineConfiguration {
  return {
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
          durableObjects: { SCRATCH_DATABASES: { className: "TempDatabase", useSQLite: true } },
          workers: [
            {
              name: "rental-platform-printer",
              compatibilityDate: "2026-08-15",
              modules: [{ type: "ESModule", path: "printer.js", contents: await bundledPrinter() }],
              serviceBindings: { ASSETS: ({ url }: { url: string }) => fontAt(url) },
            },
          ],
          bindings: {
            MASTER_KEY: masterKey,
            SERVER_TIMING: "on",
            WEBHOOKS: "by_the_clock",
            MIGRATIONS: await readD1Migrations("migrations"),
            SCHEMA: getFullSchema(),
          },
        },
      })),
    ],
    // Tests see what development shows: the accounts' page, the mailbox, the Server-Timing of every response.
    define: { DEVELOPMENT_BUILD: "true" },
    test: {
      name: "worker",
      ...patience,
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
  };
}

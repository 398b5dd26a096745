import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { build } from "esbuild";
import type { TestProjectInlineConfiguration } from "vitest/config";
import { readMigrations } from "#scripts/deployment/migrate-cells.ts";
import { FONTS, layOutFonts } from "#scripts/printer-fonts.mjs";
import { BUNDLED_WORKERS, createBundledWorkerPlugin } from "./bundled-worker.ts";
import { listFullSchemaStatements } from "./full-schema.ts";

/** Bundles the printer as a separate module, run next to the Worker as in a deployment. */
async function bundlePrinter() {
  layOutFonts();
  const { outputFiles } = await build({
    entryPoints: ["worker/entry/printer.ts"],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".ttf": "binary" },
  });
  return outputFiles[0]?.text ?? "";
}

let printer: ReturnType<typeof bundlePrinter> | undefined;

// Serves its files instead of a deployment's assets.
const fontAt = async (url: string) => new Response(await readFile(join(FONTS, basename(new URL(url).pathname))));

/** Bundles only once for all runtimes. */
function bundledPrinter() {
  printer ??= bundlePrinter();
  return printer;
}

/** Reads migrations as the pool's function does, which takes half a second longer. */
async function readD1Migrations(folder: string) {
  const migrations = await readMigrations(folder);
  return migrations.map(({ name, statements }) => ({ name, queries: [...statements] }));
}

interface RuntimeTests {
  readonly name: string;
  readonly include: string[];
  readonly masterKey: string;
  /** Time limits of the tests and hooks. */
  readonly patience: object;
}

/**
 * Tests that run in the runtime, with the whole Worker. Separate from the configuration, because the runtime's pool
 * takes seconds to load.
 */
export function createWorkerProject({
  name,
  include,
  masterKey,
  patience,
}: RuntimeTests): TestProjectInlineConfiguration {
  return {
    plugins: [
      createBundledWorkerPlugin(),
      cloudflareTest(async () => ({
        // Whole platform in one Worker, including cron and office.
        main: "./worker/entry/office.ts",
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          modulesRules: [{ type: "ESModule", include: [`**/${BUNDLED_WORKERS}`] }],
          serviceBindings: {
            OFFICE: ({ url }: { url: string }) =>
              new Response("The tests ask the whole Worker.", { status: url.endsWith("/healthz") ? 200 : 501 }),
          },
          // A database for migration tests, without an account.
          // And a directory, for tests of cells.
          d1Databases: ["BEHIND", "CELL_DIRECTORY"],
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
            DIRECTORY_MIGRATIONS: await readD1Migrations("directory"),
            SCHEMA: listFullSchemaStatements(),
          },
        },
      })),
    ],
    // Tests use development features: the accounts page, the mailbox and the Server-Timing header.
    define: { DEVELOPMENT_BUILD: "true" },
    test: {
      name,
      ...patience,
      include,
      setupFiles: [
        "test/support/one-proxy.ts",
        "test/support/apply-migrations.ts",
        "test/support/silence-log.ts",
        "test/support/d1-limits.ts",
        "test/support/compare-bytes.ts",
      ],
      // Intercepted logs of Durable Objects or background work are held until the next message, so after a file's last
      // message the run would wait forever. Therefore print logs directly.
      disableConsoleIntercept: true,
      // Three runtimes with separate storage share the files, so that two cores are busy although one runtime is
      // loading modules. A new one per file takes a second more per file. So files share storage, and tests clean it.
      isolate: false,
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
    },
  };
}

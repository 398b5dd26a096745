import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleWorker, getPagesFolder, startLocalServer } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { installBrowsers } from "#support/browser.ts";
import { findFreePort } from "#support/free-port.ts";
import { serveFiles } from "#support/serve-files.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Port of the platform with the demo companies. */
    readonly port: number;
    /** Port of a website on another origin with the demo booking page. */
    readonly shopPort: number;
  }
}

/** Serves the platform with demo companies, and the booking page on another origin, for browser tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  installBrowsers();
  const stateDir = await mkdtemp(join(tmpdir(), "browser-tests-"));
  const secrets = await readOrCreateDevelopmentSecrets(stateDir);
  const prepare = () => migrateLocalDatabases(stateDir).then(() => fillDemoAccounts(stateDir, secrets));
  const bundling = bundleWorker({ development: true, folder: join(stateDir, "bundle") });
  const [bundle] = await Promise.all([bundling, prepare()]);
  // The port must be known early, because payment pages link back to it.
  const port = await findFreePort();
  const bindings = { ...secrets, SERVER_TIMING: "on", LOG_LEVEL: "error", DEVELOPMENT_PORT: String(port) };
  const server = await startLocalServer({ stateDir, bundle, bindings, port });
  const shop = await serveFiles(getPagesFolder(bundle.folder));
  project.provide("port", server.port);
  project.provide("shopPort", (shop.address() as AddressInfo).port);
  return async () => {
    shop.close();
    // After all browser tests, the ledger still matches the contracts.
    const ledgers = await Promise.all(
      [...(await server.openDatabases()).values()].map((db) => checkOrRepairLedger(db, false)),
    );
    await server.dispose();
    await rm(stateDir, { recursive: true, force: true });
    if (ledgers.some(({ different, wrongSums }) => different.length > 0 || wrongSums > 0)) {
      throw new Error(`the ledger differs from the contracts: ${JSON.stringify(ledgers)}`);
    }
  };
}

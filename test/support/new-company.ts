import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { bundleWorker, startLocalServer } from "#scripts/local-runtime.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { findFreePort } from "./free-port.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/** Creates an empty company with the command, and serves it. */
export async function createAndServeCompany(name: string, company: string) {
  const folder = await mkdtemp(join(tmpdir(), "new-company-"));
  const config = join(root, `.wrangler.test-${name}-${process.pid}.toml`);
  const stateDir = join(folder, "state");
  await copyFile(join(root, "wrangler.toml"), config);
  // Used by the commands and the runtime of this process.
  Object.assign(process.env, { WRANGLER_CONFIG: config, STATE_DIR: stateDir });
  const terms = ["--country", "ES", "--currency", "EUR", "--timezone", "Europe/Madrid", "--languages", "es,en"];
  const args = ["account", "add", name, "--company", company, ...terms, "--email", `boss@${name}.example`];
  const { stdout } = await run(process.execPath, ["scripts/run.mjs", ...args], { cwd: root, timeout: 120_000 });
  const [, username = "", password = ""] = /administrator\s+(\S+) \/ (\S+)/.exec(stdout) ?? [];
  const bundle = await bundleWorker({ development: true, folder: join(folder, "bundle") });
  const port = await findFreePort();
  const bindings = {
    ...(await readOrCreateDevelopmentSecrets(stateDir)),
    LOG_LEVEL: "error",
    DEVELOPMENT_PORT: String(port),
  };
  const server = await startLocalServer({ stateDir, bundle, bindings, port });
  return {
    address: `http://${name}.localhost:${port}`,
    username,
    password,
    close: async () => {
      await server.dispose();
      delete process.env["WRANGLER_CONFIG"];
      delete process.env["STATE_DIR"];
      await rm(config, { force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

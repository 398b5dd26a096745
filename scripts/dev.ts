import { prepareDatabases } from "./prepare.ts";
import { PRINTER_CONFIG, runCommand, toWranglerCommand } from "./processes.ts";
import { getStateFolder, readOrCreateDevelopmentSecrets } from "./state-folder.ts";
import { getConfigPath } from "./wrangler-toml.ts";

const stateDir = getStateFolder();
const secrets = await readOrCreateDevelopmentSecrets(stateDir);
await prepareDatabases(stateDir, secrets);

const port = process.env["PORT"] || "8787";
const variables = ["--var", "SERVER_TIMING:on", "--var", `DEVELOPMENT_PORT:${port}`];
const settings = ["--port", port, "--persist-to", stateDir, "--define", "DEVELOPMENT_BUILD:true", ...variables];
// The first configuration is the requested Worker, the others are its bindings.
const configs = ["--config", getConfigPath(), "--config", PRINTER_CONFIG];
// Runs the whole platform in one Worker, including cron and office.
const [command, args] = toWranglerCommand([
  "dev",
  "worker/entry/office.ts",
  ...configs,
  ...settings,
  ...process.argv.slice(2),
]);
const { exitCode } = await runCommand(command, args, { environment: { ...secrets } });
process.exitCode = exitCode;

import { prepareDatabases } from "./prepare.ts";
import { run, wrangler } from "./processes.ts";
import { developmentSecrets, stateFolder } from "./state-folder.ts";

const stateDir = stateFolder();
const secrets = await developmentSecrets(stateDir);
await prepareDatabases(stateDir, secrets);

const port = process.env["PORT"] || "8787";
const settings = [
  "--port",
  port,
  "--persist-to",
  stateDir,
  "--define",
  "DEVELOPMENT_BUILD:true",
  "--var",
  "SERVER_TIMING:on",
  "--var",
  `DEVELOPMENT_PORT:${port}`,
];
const [command, args] = wrangler("dev", ...settings, ...process.argv.slice(2));
const { exitCode } = await run(command, args, { environment: { ...secrets } });
process.exitCode = exitCode;

// Entry point of all npm scripts. Plain JavaScript that an older Node runs without installed packages. Installs what is
// missing, then runs scripts/<command>.ts or a tool of test/tools with the project's Node.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(ROOT, "node_modules", ".bin");
const NODE = join(BIN, "node");
const OLDEST_NODE = 22;

const environment = {
  // Keep wrangler quiet, without prompts or requests that the project doesn't need.
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env.PATH ?? ""}`,
};

function fail(message) {
  console.error(message);
  process.exit(1);
}

function readJson(...path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, ...path), "utf8"));
  } catch {
    return undefined;
  }
}

/** npm copies the lockfile to node_modules after a complete installation. */
function packagesMatchLockfile() {
  const lockedPackages = readJson("package-lock.json")?.packages ?? {};
  const installed = readJson("node_modules", ".package-lock.json")?.packages;
  if (installed === undefined) return false;
  return Object.entries(lockedPackages).every(
    ([path, { version, integrity, optional }]) =>
      path === "" ||
      (installed[path]?.version === version && installed[path]?.integrity === integrity) ||
      (optional && installed[path] === undefined),
  );
}

function npm(...args) {
  const own = process.env.npm_execpath;
  const command = own?.endsWith(".js") ? [process.execPath, own] : ["npm"];
  const { status } = spawnSync(command[0], [...command.slice(1), ...args], { cwd: ROOT, stdio: "inherit" });
  return status === 0;
}

function hasOwnNode() {
  if (!existsSync(NODE)) return false;
  const { stdout } = spawnSync(NODE, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)/.exec(stdout ?? "")?.[1] ?? 0) >= OLDEST_NODE;
}

function installWhatIsMissing() {
  if (!packagesMatchLockfile()) {
    console.log("Installing the packages of package-lock.json (once, and when it changes) …");
    if (!npm("ci", "--no-audit", "--no-fund", "--loglevel=error")) {
      fail("The packages could not be installed: see npm's message above.");
    }
  }
  if (!hasOwnNode() && !(npm("rebuild", "node", "--loglevel=error") && hasOwnNode())) {
    fail(`The project's own Node (npm package "node", ${OLDEST_NODE} or newer) could not be installed. Try: npm ci`);
  }
}

/** If npm itself is killed, it can't forward signals, so end the command too. */
function endWithNpm(child) {
  const npmProcess = process.ppid;
  const watch = () => process.ppid !== npmProcess && child.kill("SIGTERM");
  return process.env.npm_lifecycle_event === undefined ? undefined : setInterval(watch, 500);
}

function findScript(name) {
  const places = [`scripts/${name}.ts`, `test/tools/${name}.ts`, `test/tools/${name}/main.ts`];
  return places.map((path) => join(ROOT, path)).find((path) => existsSync(path));
}

function runCommand(name, args) {
  const script = findScript(name);
  const commands = Object.values(readJson("package.json")?.scripts ?? {});
  if (!commands.includes(`exec node scripts/run.mjs ${name}`) || script === undefined) {
    fail(`There is no command "${name}".`);
  }
  installWhatIsMissing();
  const child = spawn(NODE, [script, ...args], { cwd: ROOT, env: environment, stdio: "inherit" });
  const watch = endWithNpm(child);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => fail(`${name} could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

const [command = "", ...args] = process.argv.slice(2);
runCommand(command, args);

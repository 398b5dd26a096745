import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { endWithProcess } from "#scripts/processes.ts";
import type { Peer, Shop } from "./compare.ts";

/** The release that is compared with. */
const MEDUSA = "2";
const ADDRESS = "http://127.0.0.1:9000";
const LONGEST_START_SECONDS = 180;

// What a visitor needs to begin: the shop's key, a region, something to buy.
const FIRST_OFFER = `
export default async function ({ container }) {
  const query = container.resolve("query");
  const one = async (entity, fields, filters) => (await query.graph({ entity, fields, filters })).data[0];
  const key = await one("api_key", ["token"], { type: "publishable" });
  const region = await one("region", ["id"]);
  const variant = await one("product_variant", ["id"]);
  console.log("BENCH " + JSON.stringify({ key: key.token, region: region.id, variant: variant.id }));
}
`;

interface Offer {
  readonly key: string;
  readonly region: string;
  readonly variant: string;
}

/**
 * Medusa 2 with its own demo data, from npm, in a folder of its own. It wants a PostgreSQL: the variable
 * PEER_DATABASE_URL names an empty database that may be filled.
 */
export function medusa(folder: string): Peer {
  return { name: `Medusa ${MEDUSA}`, prepare: () => prepare(folder) };
}

async function prepare(folder: string): Promise<Shop> {
  const url = process.env["PEER_DATABASE_URL"];
  if (!url) throw new Error("PEER_DATABASE_URL names no PostgreSQL database for it");
  await mkdir(dirname(folder), { recursive: true });
  const create = ["--yes", `create-medusa-app@${MEDUSA}`, "shop", "--db-url", url, "--no-browser", "--seed"];
  await command(dirname(folder), "npx", [...create, "--directory-path", dirname(folder)]);
  const shop = join(dirname(folder), "shop");
  await writeFile(join(shop, "src", "scripts", "first-offer.ts"), FIRST_OFFER);
  const said = await command(shop, "npx", ["medusa", "exec", "./src/scripts/first-offer.ts"]);
  const found = /BENCH (\{.*\})/.exec(said)?.[1];
  if (!found) throw new Error("its demo data has nothing to buy");
  await command(shop, "npx", ["medusa", "build"]);
  const child = spawn("npx", ["medusa", "start"], { cwd: shop, stdio: "ignore", detached: true });
  const dispose = async () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  };
  const forget = endWithProcess(dispose);
  await untilHealthy();
  const offer: Offer = JSON.parse(found);
  return {
    fillCart: () => fillCart(offer),
    dispose: async () => {
      forget();
      await dispose();
    },
  };
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

async function untilHealthy(): Promise<void> {
  for (let second = 0; second < LONGEST_START_SECONDS; second++) {
    const answer = await fetch(`${ADDRESS}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(1000);
  }
  throw new Error(`it does not serve after ${LONGEST_START_SECONDS} s`);
}

/** Runs a command of the peer's to its end, in its folder; throws the last line it printed where it fails. */
function command(cwd: string, program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CI: "true" } });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const output = Buffer.concat(printed).toString();
      const last = output.trim().split("\n").at(-1) ?? "";
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.slice(0, 3).join(" ")} ended with ${code}: ${last}`));
    });
  });
}

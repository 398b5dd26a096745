import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleWorker, startLocalServer } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import {
  type Call,
  createClient,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import { getOpenDayAfter } from "#tools/platform/days.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { comparePeerSpeeds, type ShopPeer } from "./compare.ts";
import { createMedusaPeer } from "./medusa.ts";

const STATE = join(PROJECT_ROOT, ".wrangler/bench-peers");
const SECONDS = Number(process.env["BENCH_SECONDS"] || 10);
const ENGINE = "/api/booking/frontend";

/** Comparable products, and what prevents their automatic installation. */
const ABSENT: readonly ShopPeer[] = [
  { name: "BookCars", prepare: rejectAsAbsent("it comes as sources with a MongoDB of its own, not as a package") },
  { name: "Odoo rental", prepare: rejectAsAbsent("its rental application is no part of the free edition") },
];

function rejectAsAbsent(reason: string): ShopPeer["prepare"] {
  return () => Promise.reject(new Error(reason));
}

/**
 * `npm run bench -- --peers`: measures a visitor's cart on the platform and on other shops in turn. Those that can't be
 * installed are listed as not measured. Returns the exit code, 1 if there was none to compare with.
 */
export async function comparePeers(): Promise<number> {
  await rm(STATE, { recursive: true, force: true });
  const platformPeer: ShopPeer = { name: "this platform, demo company", prepare: platform };
  const { table, hasPeer } = await comparePeerSpeeds(
    platformPeer,
    [createMedusaPeer(join(STATE, "medusa")), ...ABSENT],
    SECONDS,
  );
  console.log(table);
  if (!hasPeer) console.error("Compared with no other product, because none could be installed. See the table.");
  return hasPeer ? 0 : 1;
}

async function platform() {
  const secrets = await readOrCreateDevelopmentSecrets(STATE);
  await migrateLocalDatabases(STATE);
  await fillDemoAccounts(STATE, secrets);
  const bundle = await bundleWorker({ development: false, folder: join(STATE, "worker") });
  const server = await startLocalServer({ stateDir: STATE, bundle, bindings: { ...secrets, LOG_LEVEL: "error" } });
  const client = createClient(server.port);
  const ask = async (call: Call) => {
    const answer = await client.send(call);
    if (answer.status !== 200 && answer.status !== 201) throw createUnexpectedAnswerError(call, answer);
    return parseJson(answer);
  };
  const post = (path: string, content: unknown) =>
    ask(createJsonCall({ account: "acme", method: "POST", path: ENGINE + path }, content));
  let turn = 0;
  const fillCart = async () => {
    const from = 30 + (turn++ % 200);
    const formDay = (days: number) => getOpenDayAfter(days).split("-").reverse().join("/");
    const search = { date_from: formDay(from), time_from: "10:00", date_to: formDay(from + 2), time_to: "10:00" };
    const startedCart = await post("/shopping-cart", { ...search, pickup_place: "1" });
    const path = `/shopping-cart/${startedCart.shopping_cart.free_access_id}`;
    await post(`${path}/set-product`, { product: "ECON" });
    await ask({ account: "acme", method: "GET", path: ENGINE + path });
  };
  return { version: packageJson.version, fillCart, dispose: server.dispose };
}

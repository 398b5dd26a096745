import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { get, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAccountData } from "#scripts/data/export.ts";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { bundleWorker, type LocalServer, startLocalServer } from "#scripts/local-runtime.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { DEMO_MASTER_KEY } from "#support/demo-data.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const config = join(root, `.wrangler.test-life-${process.pid}.toml`);
let folder: string;
let stateDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "account-life-"));
  stateDir = join(folder, "state");
  await copyFile(join(root, "wrangler.toml"), config);
  process.env["WRANGLER_CONFIG"] = config;
  process.env["STATE_DIR"] = stateDir;
});

afterAll(async () => {
  delete process.env["WRANGLER_CONFIG"];
  delete process.env["STATE_DIR"];
  await rm(config, { force: true });
  await rm(folder, { recursive: true, force: true });
});

async function command(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ["scripts/run.mjs", ...args], { cwd: root, timeout: 120_000 });
  return stdout;
}

interface Key {
  readonly apiKey: string;
  readonly secret: string;
}

async function keyFor(account: string, ...options: readonly string[]): Promise<Key> {
  const [, apiKey = "", secret = ""] =
    /^(\S+) : (\S+)/m.exec(await command("account", "credentials", account, ...options)) ?? [];
  return { apiKey, secret };
}

async function addAccount(name: string): Promise<void> {
  await command(
    "account",
    "add",
    name,
    "--company",
    "Vans",
    "--country",
    "US",
    "--currency",
    "USD",
    "--timezone",
    "America/New_York",
    "--languages",
    "en",
    "--email",
    `boss@${name}.example`,
  );
}

/** Sends a signed request to an account of the running platform. */
function call(
  server: LocalServer,
  account: string,
  { apiKey, secret }: Key,
  path: string,
  body = "",
): Promise<{ status: number; text: string }> {
  const signature = createHmac("sha1", secret)
    .update(path + body)
    .digest("hex");
  const options = {
    host: "127.0.0.1",
    port: server.port,
    path,
    method: body ? "POST" : "GET",
    headers: {
      Host: `${account}.localhost`,
      Authorization: `${apiKey}:${signature}`,
      "Content-Type": "application/json",
    },
  };
  return new Promise((resolve, reject) => {
    const clientRequest = (body ? request : get)(options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    clientRequest.on("error", reject);
    clientRequest.end(body);
  });
}

async function withServer<T>(work: (server: LocalServer) => Promise<T>): Promise<T> {
  const bundle = await bundleWorker({ development: true, folder: join(folder, "bundle") });
  const bindings = { ...(await readOrCreateDevelopmentSecrets(stateDir)), LOG_LEVEL: "error" };
  const server = await startLocalServer({ stateDir, bundle, bindings });
  try {
    return await work(server);
  } finally {
    await server.dispose();
  }
}

const year = new Date().getFullYear();
const READ = [
  "/api/v1/integration/reservations?page_size=500",
  "/api/v1/integration/rental-storages",
  "/api/v1/integration/rental-locations",
  "/api/v1/integration/pickup-places",
  "/api/v1/integration/booking-categories",
  "/api/v1/integration/booking-items",
  "/api/v1/integration/customers?page_size=500",
  "/api/v1/integration/invoices?page_size=500",
  "/api/v1/integration/internal-bonds?page_size=500",
  "/api/v1/integration/charges?page_size=500",
  `/api/booking/analysis/products-billing?year=${year}&report_type=monthly_billing_report`,
  `/api/booking/analysis/products-billing?year=${year}&report_type=monthly_occupation_report`,
  `/api/booking/analysis/extras-billing?year=${year}&report_type=extras_with_taxes`,
  `/api/booking/analysis/supplements-billing?year=${year}&report_type=supplements_without_taxes`,
  `/api/booking/booking-item/expenses?year=${year}&page_size=500`,
];

test("returns the same data from every interface after a company is exported and restored into a new account", async () => {
  // A company in another system with its spreadsheets.
  const otherDatabase = createSqliteD1();
  await seedIfEmpty("globex", otherDatabase.db, { now: new Date(), masterKey: DEMO_MASTER_KEY, log: () => undefined });
  await exportAccountData(otherDatabase.db, join(folder, "sheets"), "csv", () => undefined);

  await addAccount("vans");
  expect(await command("import", "vans", join(folder, "sheets"), "--dry-run")).toContain("can be taken");
  expect(await command("import", "vans", join(folder, "sheets"))).toContain("rows added");
  const agencyName =
    otherDatabase.rows<{ name: string }>("SELECT name FROM agencies ORDER BY id LIMIT 1")[0]?.name ?? "";
  const agency = await keyFor("vans", "--scopes", "ota", "--agency", agencyName);
  const erp = await keyFor("vans", "--scopes", "integration,analytics");

  const place = otherDatabase.rows<{ id: number }>(
    "SELECT id FROM pickup_places WHERE web_public = 1 AND is_pickup = 1 LIMIT 1",
  )[0]?.id;
  const code = otherDatabase.rows<{ code: string }>("SELECT code FROM categories WHERE web_public = 1 LIMIT 1")[0]
    ?.code;
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  // The branch is closed on Sundays, so use a Tuesday to a Friday.
  const tuesday = 200 + ((9 - new Date(day(200)).getUTCDay()) % 7);
  const period = {
    date_from: day(tuesday),
    time_from: "10:00",
    date_to: day(tuesday + 3),
    time_to: "10:00",
    pickup_place: place,
    return_place: place,
  };
  const body = JSON.stringify({
    reservation: {
      ...period,
      customer_name: "Ana",
      customer_surname: "Ruiz",
      agency_reservation_id: "LIFE-1",
      products: [{ code }],
    },
  });
  const search = `/api/booking/ota/availability?${new URLSearchParams({ "date-from": day(tuesday), "time-from": "10:00", "date-to": day(tuesday + 3), "time-to": "10:00", "pickup-place": String(place), "return-place": String(place) })}`;
  const readAll = async (server: LocalServer, account: string, keys: { readonly agency: Key; readonly erp: Key }) => {
    const answers = new Map<string, string>();
    for (const path of READ) answers.set(path, (await call(server, account, keys.erp, path)).text);
    for (const path of [
      search,
      "/api/booking/ota/location-list",
      "/api/booking/ota/booking?agency-reservation-id=LIFE-1",
    ]) {
      answers.set(
        path,
        (await call(server, account, keys.agency, path)).text.replaceAll(`${account}.localhost`, "host"),
      );
    }
    return answers;
  };
  const before = await withServer(async (server) => {
    const booked = await call(server, "vans", agency, "/api/booking/ota/booking", body);
    expect(booked.status).toBe(200);
    return readAll(server, "vans", { agency, erp });
  });
  expect([...before.values()].every((text) => !text.includes('"error"'))).toBe(true);
  expect(before.get(READ[0] ?? "")).toContain("LIFE-1");

  await command("export", "vans", join(folder, "saved"));
  await addAccount("vans-again");
  expect(await command("import", "vans-again", join(folder, "saved"))).toContain("rows added");
  const keys = {
    agency: await keyFor("vans-again", "--scopes", "ota", "--agency", agencyName),
    erp: await keyFor("vans-again", "--scopes", "integration,analytics"),
  };
  const after = await withServer((server) => readAll(server, "vans-again", keys));
  for (const [path, answer] of before) expect([path, after.get(path)]).toEqual([path, answer]);

  // The data is also equal after a backup is restored into another account's database.
  const file = join(folder, new Date().toISOString().slice(0, 10).concat(".ndjson.gz"));
  expect(await command("backup", "vans", "--to", folder)).toContain(`rows are in ${file}`);
  expect(await command("restore", "vans", "--file", file)).toContain("every table whole, 0 broken references");
  expect(await command("account", "add", "vans-restored", "--empty")).toContain("vans-restored is there, and empty");
  expect(await command("restore", "vans", "--file", file, "--into", "vans-restored")).toContain(
    "vans-restored contains the backup of vans",
  );
  await expect(command("restore", "vans", "--file", file, "--into", "vans-restored")).rejects.toThrow("has data");
  // Partners continue with their existing secrets.
  const last = await withServer((server) => readAll(server, "vans-restored", { agency, erp }));
  for (const [path, answer] of before) expect([path, last.get(path)]).toEqual([path, answer]);
}, 1_200_000);

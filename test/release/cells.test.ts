import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { generateCellConfigs } from "#support/cell-configs.ts";
import { CELL_KEYS, type RunningCells, runCells, serveRouterBaseDomain } from "#support/cells.ts";
import { HEALTHY_STATUS, type SimulatedCloudflare, startCloudflare } from "#support/cloudflare.ts";

// The commands that prepare cells, against the simulator of Cloudflare.

let cloud: SimulatedCloudflare;
const FILES = ["cell-02.wrangler.toml", "router.wrangler.toml", "carts.wrangler.toml"].map((file) =>
  join(PROJECT_ROOT, file),
);
const cells = (...args: readonly string[]) => cloud.command("cells", ...args, "--env", "production");
const countBindings = async (name: string) =>
  (await readFile(cloud.config, "utf8")).match(new RegExp(`binding = "${name}"`, "g"))?.length ?? 0;

beforeAll(async () => {
  // The commands write these files next to wrangler.toml, so none may exist before.
  expect(FILES.filter((file) => existsSync(file))).toEqual([]);
  cloud = await startCloudflare("cells", { hasDirectory: true });
}, 60_000);
afterAll(async () => {
  await Promise.all(FILES.map((file) => rm(file, { force: true })));
  await cloud.close();
});

test("names the command that creates the missing databases of a fresh clone in the deployment check", async () => {
  const { output } = await cloud.command("doctor", "--env", "production", "--url", cloud.url);
  expect(output).toContain(
    "missing  the directory is an example without a database: npm run cells -- spare 5 --env production",
  );
}, 900_000);

test("creates and binds the directory and spare databases once, also after an interruption", async () => {
  await cloud.change({ fails: "d1 create rental-production-01-0002" });
  expect((await cells("spare", "2")).exitCode).toBe(1);
  await cloud.change({ fails: null });
  const { exitCode, output } = await cells("spare", "1");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("Next: npm run deploy -- --env production")]);
  expect(await cloud.commands()).toEqual([
    "d1 create rental-production-directory",
    "d1 migrations apply rental-production-directory · production",
    "d1 create rental-production-01-0001",
    "d1 create rental-production-01-0002",
    "d1 migrations apply rental-production-directory · production",
    "d1 create rental-production-01-0002",
  ]);
  for (const name of ["DB_0001", "DB_0002"]) expect(await countBindings(name)).toBe(2);
  const directory = (await cloud.read()).databases["rental-production-directory"];
  expect((await readFile(cloud.config, "utf8")).split(String(directory)).length - 1).toBe(2);
  expect((await cloud.command("doctor", "--env", "production", "--url", cloud.url)).exitCode).toBe(0);
}, 900_000);

test("checks only databases that the directory doesn't list, however many the Cloudflare account has", async () => {
  const { databases } = await cloud.read();
  const others = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`other-${index}`, `id-${index}`]));
  const check = async (existing: Record<string, string>) => {
    await cloud.change({ databases: { ...existing, ...others } });
    const calls = await cloud.apiCalls();
    const { output } = await cloud.command("doctor", "--env", "production", "--url", cloud.url);
    expect((await cloud.apiCalls()) - calls).toBeLessThan(30);
    return output;
  };
  expect(await check(databases)).toContain("Nothing is wrong with production.");
  const { "rental-production-01-0002": deleted, ...existing } = databases;
  expect(deleted).toBeDefined();
  expect(await check(existing)).toContain("there is no database rental-production-01-0002: npm run cells -- spare");
  await cloud.change({ databases });
}, 900_000);

test("creates a spare database at the named location, and rejects an unknown jurisdiction", async () => {
  expect((await cells("spare", "1", "--jurisdiction", "mars")).output).toContain(
    "--jurisdiction must be one of eu, us",
  );
  const { output } = await cells("spare", "1", "--location", "weur");
  expect(output).toContain("Next:");
  expect((await cloud.read()).places["rental-production-01-0003"]).toEqual({ location: "weur" });
}, 900_000);

test("finds no database of an interrupted command for another region", async () => {
  await cloud.change({ kills: "d1 create rental-production-01-0004" });
  expect((await cells("spare", "1")).exitCode).not.toBe(0);
  await cloud.change({ kills: null });
  const buckets = [
    { env: "production", name: "FILES", bucket: "eu-files" },
    { env: "production-office", name: "FILES", bucket: "eu-files" },
    { env: "production-office", name: "BACKUPS", bucket: "eu-backups" },
  ].map(
    ({ env, name, bucket }) =>
      `\n[[env.${env}.r2_buckets]]\nbinding = "${name}_EU"\nbucket_name = "${bucket}"\njurisdiction = "eu"\n`,
  );
  await appendFile(cloud.config, buckets.join(""));
  for (const name of ["eu-files", "eu-backups"])
    await cloud.wrangler("r2", "bucket", "create", name, "--jurisdiction", "eu");
  expect((await cells("spare", "1", "--jurisdiction", "eu")).output).toContain("Next:");
  expect((await cloud.read()).places["rental-production-01-0004_eu"]).toEqual({ jurisdiction: "eu" });
  expect(await countBindings("EU_DB_0004")).toBe(2);
  // Created by hand, without the region of its name.
  await cloud.wrangler("d1", "create", "rental-production-01-0005_eu");
  const { exitCode, output } = await cells("spare", "1", "--jurisdiction", "eu");
  expect([exitCode, output]).toEqual([
    1,
    expect.stringContaining("exists in the jurisdiction none, not in eu. Delete"),
  ]);
  expect(await countBindings("EU_DB_0005")).toBe(0);
}, 900_000);

describe("a deployment with companies", () => {
  const directory = (sql: string) =>
    cloud.wrangler("d1", "execute", "rental-production-directory", "--remote", "--json", "--yes", "--command", sql);
  const deploy = (...args: readonly string[]) =>
    cloud.command("deploy", "--env", "production", "--built", "--url", cloud.url, "--pause", "0.01", ...args);
  const listUploads = async () => (await cloud.commands()).filter((line) => /^(deploy|versions)/.test(line));

  beforeAll(async () => {
    expect((await deploy()).output).toContain("Cell 01 is new: after this deployment, npm run cells -- migrate");
    await directory("INSERT INTO cells (name) VALUES ('01')");
    await directory("INSERT INTO slots (cell, slot, state, schema_version) VALUES ('01', 1, 'used', '0001_old.sql')");
    await cloud.commands();
  }, 900_000);

  test("deploys nothing without the operator's key while companies wait for a migration", async () => {
    const { exitCode, output } = await deploy();
    expect([exitCode, output]).toEqual([1, expect.stringContaining("1 companies wait for a migration")]);
    expect(await listUploads()).toEqual([]);
    await directory("UPDATE slots SET schema_version = '9999_new.sql'");
    expect((await deploy()).output).toContain("100 % of the requests: well");
  }, 900_000);

  test("deploys nothing if health can't be read, and if a company's database isn't bound", async () => {
    await cloud.commands();
    cloud.health = () => ({ status: 401, body: {} });
    expect((await deploy()).output).toContain("refuses MONITOR_KEY: it isn't the secret of that name");
    cloud.health = () => undefined;
    expect((await deploy()).output).toContain("Versions serve, but /healthz doesn't answer");
    cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
    await directory("INSERT INTO slots (cell, slot, state) VALUES ('01', 77, 'used')");
    expect((await deploy()).output).toContain("companies have the databases 77, which aren't bound: git pull");
    await directory("DELETE FROM slots WHERE slot = 77");
    expect(await listUploads()).toEqual([]);
  }, 900_000);
});

describe("a machine that has only the operator's key and the address of two cells", () => {
  let running: RunningCells;
  let operator: Awaited<ReturnType<typeof serveRouterBaseDomain>>;
  const run = async (...args: readonly string[]) => {
    const { exitCode, output } = await cloud.command(...args, "--env", "production");
    expect(exitCode, `${args.join(" ")}: ${output}`).toBe(0);
    return output;
  };
  const terms = ["--country", "ES", "--currency", "EUR", "--timezone", "Europe/Madrid", "--languages", "es,en"];

  beforeAll(async () => {
    running = await runCells(await generateCellConfigs(["01", "02"], 3));
    operator = await serveRouterBaseDomain(running);
    cloud.variables = { OPERATOR_KEY: CELL_KEYS.OPERATOR_KEY, OPERATOR_URL: operator.url };
    await cloud.commands();
  }, 900_000);
  afterAll(async () => {
    cloud.variables = {};
    operator.close();
    await running.dispose();
  });

  test("migrates the cells, and adds and fills a company, without a call of Cloudflare's API", async () => {
    expect(await run("cells", "migrate", "--cell", "01")).toContain("cell 01: 1 databases migrated, 2 wait");
    await run("cells", "migrate", "--cell", "02");
    expect(await run("cells", "list")).toMatch(/cell 01: 0 used, 3 spare.*\n.*cell 02: 0 used, 3 spare/);
    const add = ["account", "add", "blue-boats", "--company", "Blue Boats", ...terms, "--email", "boss@blue.test"];
    expect(await run(...add, "--remote")).toMatch(/database 1 of cell 0[12][\s\S]*administrator {2}boss@blue\.test/);
    const folder = join(cloud.folder, "import");
    await mkdir(folder);
    await writeFile(join(folder, "seasons.csv"), "name\nSummer\n");
    expect(await run("import", "blue-boats", folder, "--remote")).toContain("blue-boats: 1 rows added");
    expect((await running.openDatabase("blue-boats").prepare("SELECT name FROM seasons").all()).results).toEqual([
      { name: "Summer" },
    ]);
    expect(await cloud.commands()).toEqual([]);
  }, 900_000);
});

test("names the missing operator key in commands that need it", async () => {
  for (const args of [["list"], ["migrate"], ["pause", "acme"], ["move", "acme", "--to", "02"]])
    expect((await cells(...args)).output).toContain("Set the variable OPERATOR_KEY");
  expect((await cells("delete", "acme")).output).toContain("Add --yes to delete acme");
  expect((await cells("nothing")).output).toContain("npm run cells -- <command>");
}, 900_000);

test("writes the configuration of a second cell with its own databases", async () => {
  expect((await cells("generate", "1")).output).toContain("two digits from 02 on");
  const { exitCode, output } = await cells("generate", "02");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("cell-02.wrangler.toml, router.wrangler.toml")]);
  expect(FILES.map((file) => existsSync(file))).toEqual([true, true, true]);
  expect((await cells("generate", "02")).output).toContain("cell-02.wrangler.toml exists");
  cloud.variables = { WRANGLER_CONFIG: String(FILES[0]) };
  expect((await cells("spare", "1")).exitCode).toBe(0);
  expect((await cloud.read()).databases).toHaveProperty("rental-production-02-0001");
  expect((await readFile(String(FILES[0]), "utf8")).match(/binding = "DB_\d+"/g)).toEqual(
    Array(2).fill('binding = "DB_0001"'),
  );
}, 900_000);

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import {
  addRoutes,
  addSpareDatabases,
  createCartsConfig,
  createRouterConfig,
  setDirectoryDatabaseId,
  toFurtherCellConfig,
  toRoutedCellConfig,
} from "#scripts/deployment/cell-config.ts";
import { findConfigProblems } from "#scripts/deployment/configuration.ts";
import type { WranglerConfig } from "#scripts/wrangler-toml.ts";

const ID = "1a000000-0000-4000-8000-000000000000";
let folder: string;
let toml: string;
let number = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cell-config-"));
  toml = (await readFile("wrangler.toml", "utf8")).replaceAll("example.com", "rentals.test");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads a configuration as wrangler does. */
async function parse(text: string, env?: string): Promise<WranglerConfig> {
  const file = join(folder, `${++number}.toml`);
  await writeFile(file, text);
  return unstable_readConfig({ config: file, ...(env && { env }) }, { hideWarnings: true });
}

const createSpareSlot = (slot: number, jurisdiction?: "eu") => ({
  slot,
  databaseName: `rental-production-01-000${slot}`,
  databaseId: `${slot}a`,
  jurisdiction,
});
const bindings = ({ d1_databases }: WranglerConfig) =>
  d1_databases.map(({ binding, database_id }) => `${binding} ${database_id}`);

test("binds no company in the project's own deployment configuration", async () => {
  for (const env of ["production", "production-office", "staging", "staging-office"])
    expect((await parse(toml, env)).d1_databases.map(({ binding }) => binding)).toEqual(["DIRECTORY"]);
});

test("binds spare databases by number in both Workers, and enters the directory database's id", async () => {
  const changed = addSpareDatabases(setDirectoryDatabaseId(toml, "production", ID), "production", [
    createSpareSlot(1),
    createSpareSlot(2, "eu"),
  ]);
  const expected = [`DIRECTORY ${ID}`, "DB_0001 1a", "EU_DB_0002 2a"];
  for (const env of ["production", "production-office"]) expect(bindings(await parse(changed, env))).toEqual(expected);
  expect(bindings(await parse(changed, "staging"))).toEqual(["DIRECTORY 00000000-0000-0000-0000-000000000000"]);
});

describe("a further cell", () => {
  const first = () =>
    addSpareDatabases(setDirectoryDatabaseId(toml, "production", ID), "production", [createSpareSlot(1)]);

  test("configures a further cell with its own Workers, databases and queues, and with shared directory and carts", async () => {
    const text = addSpareDatabases(toFurtherCellConfig(first(), "production", "02"), "production", [
      createSpareSlot(1),
    ]);
    const [front, office] = [await parse(text, "production"), await parse(text, "production-office")];
    expect([front.name, office.name]).toEqual([
      "rental-platform-production-02",
      "rental-platform-production-02-office",
    ]);
    expect([front.vars["CELL"], office.vars["CELL"], front.routes]).toEqual(["02", "02", undefined]);
    expect(front.workers_dev).toBe(false);
    expect(front.durable_objects.bindings).toEqual([
      { name: "SHOPPING_CARTS", class_name: "ShoppingCart", script_name: "rental-platform-carts-production" },
    ]);
    expect(Object.fromEntries((front.services ?? []).map(({ binding, service }) => [binding, service]))).toEqual({
      PRINTER: "rental-platform-printer-production",
      OFFICE: "rental-platform-production-02-office",
    });
    expect(front.r2_buckets).toEqual((await parse(first(), "production")).r2_buckets);
    expect(bindings(front)).toEqual([`DIRECTORY ${ID}`, "DB_0001 1a"]);
    expect(office.queues.producers).toEqual([{ binding: "JOBS", queue: "rental-production-02-jobs" }]);
    expect(office.queues.consumers).toMatchObject([
      { queue: "rental-production-02-jobs", max_retries: 3, dead_letter_queue: "rental-production-02-jobs-dead" },
      { queue: "rental-production-02-jobs-dead" },
    ]);
    const printer = await parse(await readFile("printer.wrangler.toml", "utf8"), "production");
    expect(findConfigProblems({ environment: "production", front, office, printer })).toEqual([]);
  });

  test("changes only routes and carts of the first cell when a further cell is added", async () => {
    const [before, after] = [
      await parse(first(), "production"),
      await parse(toRoutedCellConfig(first(), "production"), "production"),
    ];
    expect([before.routes?.length, after.routes]).toEqual([3, undefined]);
    expect(after.durable_objects.bindings[0]).toMatchObject({ script_name: "rental-platform-carts-production" });
    const rest = ({ routes: _, durable_objects: __, ...others }: WranglerConfig) =>
      JSON.stringify({ ...others, configPath: "", userConfigPath: "" });
    expect(rest(after)).toEqual(rest(before));
    const once = toRoutedCellConfig(first(), "production");
    const office = await parse(once, "production-office");
    const printer = await parse(await readFile("printer.wrangler.toml", "utf8"), "production");
    expect(findConfigProblems({ environment: "production", front: after, office, printer })).toEqual([]);
    expect((await parse(once, "staging")).routes).toHaveLength(3);
    expect(toRoutedCellConfig(once, "production")).toBe(once);
  });

  test("configures a router with the domain's routes and a service binding for each cell", async () => {
    const domain = { baseDomain: "rentals.test", zone: "rentals.test" };
    const terms = { environment: "production", ...domain, directoryId: ID, cells: ["01", "02"] };
    const withoutRoutes = createRouterConfig({ ...terms, hasRoutes: false });
    expect((await parse(withoutRoutes)).routes).toBeUndefined();
    const router = await parse(addRoutes(withoutRoutes, "rentals.test", "rentals.test"));
    expect(createRouterConfig({ ...terms, hasRoutes: true })).toBe(
      addRoutes(addRoutes(withoutRoutes, "rentals.test", "rentals.test"), "rentals.test", "rentals.test"),
    );
    expect(router.services).toEqual([
      { binding: "CELL_01", service: "rental-platform-production" },
      { binding: "CELL_02", service: "rental-platform-production-02" },
    ]);
    expect(router.routes).toEqual((await parse(first(), "production")).routes);
    expect(bindings(router)).toEqual([`DIRECTORY ${ID}`]);
  });

  test("configures a Worker for carts that takes over those of the first cell", async () => {
    const carts = await parse(createCartsConfig("production"));
    expect([carts.name, carts.migrations]).toMatchObject([
      "rental-platform-carts-production",
      [
        {
          transferred_classes: [
            { from: "ShoppingCart", from_script: "rental-platform-production", to: "ShoppingCart" },
          ],
        },
      ],
    ]);
  });
});

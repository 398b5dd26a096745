import { appendFile, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { HEALTHY_STATUS, type SimulatedCloudflare, startCloudflare } from "#support/cloudflare.ts";

let cloud: SimulatedCloudflare;
const OLD = { production: "old-front", "production-office": "old-office", "printer-production": "old-printer" };
const createServingVersions = () =>
  Object.fromEntries(Object.entries(OLD).map(([worker, version_id]) => [worker, [{ version_id, percentage: 100 }]]));
const deploy = (...args: readonly string[]) =>
  cloud.command("deploy", "--env", "production", "--url", cloud.url, "--pause", "0.01", "--built", ...args);

beforeAll(async () => {
  cloud = await startCloudflare("deploy");
}, 60_000);
afterAll(() => cloud.close());

/** More buckets than a page, before those of the deployment. */
const OTHER_BUCKETS = Array.from({ length: 25 }, (_, index) => `another-${index}`);

const COMPANY = ["--country", "ES", "--currency", "EUR", "--timezone", "Europe/Madrid", "--languages", "es,en"];

describe("a first deployment", () => {
  // Proves "security, privacy and operation": A deployment is refused with all that is missing, before anything is
  //   changed
  test("lists everything that a first deployment lacks before building or changing anything", async () => {
    await cloud.change({ secrets: [], buckets: [] });
    await cloud.change({ accounts: 2 });
    expect((await deploy()).output).toContain(
      "wrangler is signed in to 2 accounts: export CLOUDFLARE_ACCOUNT_ID=<one of id-0 (Account 0), id-1 (Account 1)>",
    );
    await cloud.change({ accounts: 1 });
    const { exitCode, output } = await deploy();
    expect(exitCode).toBe(1);
    for (const missing of [
      "rental-platform-production-office has no MASTER_KEY: npx wrangler secret put MASTER_KEY --env production-office",
      "npx wrangler r2 bucket create rental-production-backups",
    ])
      expect(output).toContain(missing);
    await cloud.change({ isSignedIn: false });
    expect((await deploy()).output).toContain("wrangler is signed in nowhere");
    expect(await cloud.commands()).toEqual([]);
    await cloud.change({
      isSignedIn: true,
      secrets: ["MASTER_KEY", "MONITOR_KEY"],
      buckets: [...OTHER_BUCKETS, "rental-production-files", "rental-production-backups"],
    });
  }, 900_000);

  test("creates the first company's database, binding, migrations and user, and deploys the three Workers", async () => {
    cloud.health = (workers) => (Object.keys(workers).length === 3 ? { status: 200, body: HEALTHY_STATUS } : undefined);
    const add = ["account", "add", "blue-boats", "--company", "Blue Boats", ...COMPANY, "--email", "boss@blue.test"];
    const { exitCode, output } = await cloud.command(
      ...add,
      "--remote",
      "--env",
      "production",
      "--url",
      cloud.url,
      "--pause",
      "0.01",
      "--built",
    );
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/administrator {2}boss@blue\.test \/ \S{16}/)]);
    expect(output).toContain("nothing serves yet: deployed at once");
    expect(await cloud.commands()).toEqual([
      "d1 create rental-production-blue-boats",
      "d1 migrations apply rental-production-blue-boats · production",
      "queues create rental-production-jobs · production-office",
      "queues create rental-production-jobs-dead · production-office",
      "deploy · printer-production",
      "deploy · production-office",
      "deploy · production",
    ]);
    const toml = await readFile(cloud.config, "utf8");
    expect(toml.match(/binding = "TENANT_BLUE_BOATS"/g)).toHaveLength(2);
    expect((await cloud.command("doctor", "--env", "production", "--url", cloud.url)).output).toContain(
      "Nothing is wrong with production.",
    );
  }, 900_000);
});

describe("a later deployment", () => {
  // Proves "security, privacy and operation": A deployment is gradual, its new versions asked by name first
  test("shifts traffic to a new version in steps of 0, 10, 50 and 100%, and adds routes and cron at the end", async () => {
    await cloud.change({ workers: createServingVersions() });
    const wranglerCommands: string[] = [];
    cloud.health = (workers, by) => {
      wranglerCommands.push(by);
      const version = /rental-platform-production="([^"]+)"/.exec(by)?.[1] ?? workers["production"]?.[0]?.version_id;
      return { status: 200, body: { ...HEALTHY_STATUS, version } };
    };
    const { exitCode, output } = await deploy();
    expect([exitCode, output]).toEqual([0, expect.stringContaining("100 % of the requests: well")]);
    const commands = await cloud.commands();
    expect(commands.slice(0, 3)).toEqual([
      "versions upload · printer-production",
      "versions upload · production-office",
      "versions upload · production",
    ]);
    const front = commands.filter((line) => /^versions deploy .* · production$/.test(line));
    const after = /deploy (\S+)@0%/.exec(front[0] ?? "")?.[1];
    expect(front.map((line) => line.split(" ").slice(2, -2))).toEqual([
      [`${after}@0%`, "old-front@100%"],
      [`${after}@10%`, "old-front@90%"],
      [`${after}@50%`, "old-front@50%"],
      [`${after}@100%`],
    ]);
    expect(commands.slice(-2)).toEqual(["triggers deploy · production-office", "triggers deploy · production"]);
    expect(wranglerCommands.find((by) => by !== "")).toContain(`rental-platform-production="${after}"`);
    expect((await cloud.read()).workers["production"]).toEqual([{ version_id: after, percentage: 100 }]);
  }, 900_000);

  // Proves "security, privacy and operation": A deployment that is unhealthy is taken back
  test.each([
    ["when requested by its version", 0],
    ["with a tenth of the requests", 10],
    ["with all requests", 100],
  ])(
    "rolls back all three Workers if unhealthy %s",
    async (_, share) => {
      await cloud.change({ workers: createServingVersions() });
      await cloud.commands();
      cloud.health = (workers, by) => {
        const deployedShare = workers["production"]?.find(
          ({ version_id }) => !version_id.startsWith("old"),
        )?.percentage;
        const isIll = share === 0 ? by !== "" : deployedShare === share;
        return isIll
          ? { status: 503, body: { ...HEALTHY_STATUS, status: "degraded", office: "unreachable" } }
          : { status: 200, body: HEALTHY_STATUS };
      };
      const { exitCode, output } = await deploy();
      expect(exitCode).toBe(1);
      expect(output).toContain(`With ${share} % of the requests: office: unreachable.`);
      expect(output).toContain("Taken back: every request has the versions from before; it is as well as before");
      expect((await cloud.read()).workers).toEqual(createServingVersions());
      expect(await cloud.commands()).not.toContain("triggers deploy · production");
    },
    900_000,
  );

  test("leaves the current version if a Worker's upload or traffic change fails", async () => {
    cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
    for (const fails of ["versions upload · production$", "versions deploy .*@50% .* · production-office"]) {
      await cloud.change({ workers: createServingVersions(), fails });
      expect((await deploy()).exitCode).toBe(1);
      expect((await cloud.read()).workers).toEqual(createServingVersions());
    }
    await cloud.change({ fails: null });
  }, 900_000);

  test.each([
    "versions upload · production-office$",
    "versions deploy .*@10% .* · production-office",
    "triggers deploy · production-office",
  ])(
    "completes a repeated deployment after the first was killed at %s",
    async (kills) => {
      cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
      await cloud.change({ workers: createServingVersions(), kills });
      expect((await deploy()).exitCode).not.toBe(0);
      for (const versions of Object.values((await cloud.read()).workers))
        expect(versions.reduce((sum, { percentage }) => sum + percentage, 0)).toBe(100);
      await cloud.change({ kills: null });
      expect((await deploy()).exitCode).toBe(0);
      for (const versions of Object.values((await cloud.read()).workers))
        expect(versions).toEqual([{ version_id: expect.stringMatching(/^v\d+-/), percentage: 100 }]);
    },
    900_000,
  );

  test("rolls back to the version that served before a deployment that was killed at half of the traffic", async () => {
    cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
    await cloud.change({ workers: createServingVersions(), kills: "versions deploy .*@50% .* · production$" });
    expect((await deploy()).exitCode).not.toBe(0);
    await expect
      .poll(async () => (await cloud.read()).workers["production"]?.map(({ percentage }) => percentage))
      .toEqual([50, 50]);
    await cloud.change({ kills: null });
    cloud.health = (_, by) =>
      by === ""
        ? { status: 200, body: HEALTHY_STATUS }
        : { status: 503, body: { ...HEALTHY_STATUS, status: "degraded", files: "unreachable" } };
    expect((await deploy()).output).toContain("Taken back");
    expect((await cloud.read()).workers).toEqual(createServingVersions());
  }, 900_000);

  test("doesn't start a deployment if an account can't be migrated", async () => {
    await cloud.change({ workers: createServingVersions(), fails: "d1 execute rental-production-blue-boats" });
    await cloud.commands();
    expect((await deploy()).exitCode).toBe(1);
    expect(await cloud.commands()).toEqual([]);
    await cloud.change({ fails: null });
  }, 900_000);

  test("continues a deployment although accounts were unhealthy before, if the health gets no worse", async () => {
    const unhealthy = { ...HEALTHY_STATUS, status: "degraded", accounts: { ok: 0, no_settings: 1, unreachable: 0 } };
    cloud.health = () => ({ status: 503, body: unhealthy });
    expect((await deploy()).exitCode).toBe(0);
  }, 900_000);
});

describe("a company whose data must stay in a region", () => {
  const add = ["account", "add", "eu-vans", "--company", "EU Vans", ...COMPANY, "--email", "boss@eu.test"];
  const remote = ["--remote", "--env", "production", "--no-deploy"];

  test("refuses to add a company to a region without buckets", async () => {
    const before = (await cloud.read()).databases;
    const { exitCode, output } = await cloud.command(...add, "--jurisdiction", "eu", ...remote);
    expect(exitCode).toBe(1);
    for (const missing of [
      '--jurisdiction eu: add [[env.production.r2_buckets]] with binding = "FILES_EU"',
      '--jurisdiction eu: add [[env.production-office.r2_buckets]] with binding = "BACKUPS_EU"',
    ])
      expect(output).toContain(missing);
    const both = await cloud.command(...add, "--jurisdiction", "eu", "--location", "weur", ...remote);
    expect(both.output).toContain("--location has no effect in a jurisdiction");
    const unknown = await cloud.command(...add, "--jurisdiction", "mars", "--location", "moon", ...remote);
    expect(unknown.output).toContain("--jurisdiction must be one of eu, us, none\n--location must be one of weur");
    const local = await cloud.command(...add, "--jurisdiction", "eu");
    expect(local.output).toContain("--jurisdiction and --location are for --remote");
    expect((await cloud.read()).databases).toEqual(before);
  }, 900_000);

  test("creates a company's database in its region, with a binding named after the region", async () => {
    const bucket = (env: string, name: string) =>
      `\n[[env.${env}.r2_buckets]]\nbinding = "${name}_EU"\nbucket_name = "eu-${name.toLowerCase()}"\njurisdiction = "eu"\n`;
    cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
    const buckets = [
      bucket("production", "FILES"),
      bucket("production-office", "FILES"),
      bucket("production-office", "BACKUPS"),
    ];
    await appendFile(cloud.config, buckets.join(""));
    expect((await cloud.command("doctor", "--env", "production", "--url", cloud.url)).output).toContain(
      "npx wrangler r2 bucket create eu-backups --jurisdiction eu",
    );
    for (const name of ["eu-files", "eu-backups"])
      await cloud.wrangler("r2", "bucket", "create", name, "--jurisdiction", "eu");
    const { exitCode, output } = await cloud.command(...add, "--jurisdiction", "eu", ...remote);
    expect([exitCode, output]).toEqual([0, expect.stringContaining("eu-vans is there.")]);
    const { places } = await cloud.read();
    expect(places["rental-production-eu-vans_eu"]).toEqual({ jurisdiction: "eu" });
    expect((await readFile(cloud.config, "utf8")).match(/binding = "EU_TENANT_EU_VANS"/g)).toHaveLength(2);
    const moveResult = await cloud.command(...add, "--jurisdiction", "us", ...remote);
    expect(moveResult.output).toContain("--jurisdiction: eu-vans is in eu, and a database can't move");
    expect((await cloud.command("doctor", "--env", "production", "--url", cloud.url)).exitCode).toBe(0);
    await cloud.command("account", "remove", "eu-vans", "--yes", "--env", "production");
    expect(await readFile(cloud.config, "utf8")).not.toContain("TENANT_EU_VANS");
  }, 900_000);

  test("creates a company's database near its users by a hint, or else in the default location", async () => {
    const hinted = ["account", "add", "apac-vans", ...add.slice(3), "--location", "apac", ...remote];
    expect((await cloud.command(...hinted)).exitCode).toBe(0);
    const toml = await readFile(cloud.config, "utf8");
    await writeFile(cloud.config, toml.replace('DATA_LOCATION = ""', 'DATA_LOCATION = "weur"'));
    expect((await cloud.command("account", "add", "weur-vans", ...add.slice(3), ...remote)).exitCode).toBe(0);
    const { places } = await cloud.read();
    expect(places["rental-production-apac-vans"]).toEqual({ location: "apac" });
    expect(places["rental-production-weur-vans"]).toEqual({ location: "weur" });
    for (const name of ["apac-vans", "weur-vans"])
      await cloud.command("account", "remove", name, "--yes", "--env", "production");
  }, 900_000);
});

test("names the command that sets a missing secret, which works even after a rollback", async () => {
  await cloud.change({ secrets: ["MASTER_KEY"] });
  const { output } = await cloud.command("doctor", "--env", "production", "--url", cloud.url);
  expect(output).toContain("npx wrangler versions secret put MONITOR_KEY --env production");
  expect(output).toContain("npx wrangler versions secret put OPERATOR_KEY --env production-office");
  await cloud.change({ secrets: ["MASTER_KEY", "MONITOR_KEY"] });
}, 900_000);

describe("a hundred companies", () => {
  const many = inject("isThorough") ? 100 : 5;
  const names = Array.from({ length: many }, (_, index) => `company-${index}`);

  // Proves "security, privacy and operation": A hundred companies take one command and one deployment
  test("adds a hundred companies with one command and one deployment, and removes one with one command", async () => {
    cloud.health = () => ({ status: 200, body: HEALTHY_STATUS });
    await cloud.commands();
    const lines = names.map((name) => `${name};${name} S.L.;ES;EUR;Europe/Madrid;es en;boss@${name}.test`);
    const file = join(tmpdir(), `companies-${process.pid}.csv`);
    await writeFile(file, ["account;company;country;currency;timezone;languages;email", ...lines].join("\n"));
    const flags = ["--remote", "--env", "production", "--url", cloud.url, "--pause", "0.01", "--built"];
    await cloud.change({ fails: "d1 migrations apply rental-production-company-2 " });
    const cut = await cloud.command("account", "add", "--from", file, ...flags);
    expect(cut.exitCode).toBe(1);
    await cloud.change({ fails: null });
    const { exitCode, output } = await cloud.command("account", "add", "--from", file, ...flags);
    expect([exitCode, output]).toEqual([0, expect.stringContaining(`${names.at(-1)} is there.`)]);
    const commands = await cloud.commands();
    expect(commands.filter((line) => line.startsWith("d1 create"))).toHaveLength(many);
    expect(commands.filter((line) => line.startsWith("versions upload"))).toHaveLength(3);
    const toml = await readFile(cloud.config, "utf8");
    expect(toml.match(/binding = "TENANT_COMPANY_\d+"/g)).toHaveLength(2 * many);

    const remove = ["account", "remove", "company-3", "--yes", "--delete-data", ...flags];
    expect((await cloud.command(...remove)).exitCode).toBe(0);
    const removal = await cloud.commands();
    expect(removal.at(-1)).toBe("d1 delete rental-production-company-3");
    expect(removal.filter((line) => line.startsWith("versions upload"))).toHaveLength(3);
    expect((await readFile(cloud.config, "utf8")).includes('"TENANT_COMPANY_3"')).toBe(false);
    expect((await cloud.read()).databases).not.toHaveProperty("rental-production-company-3");
  }, 900_000);
});

test("runs a dry run through wrangler for all three Workers, and lists what a fresh clone lacks", async () => {
  const { exitCode, output } = await cloud.command("deploy", "--env", "staging", "--dry-run");
  expect([exitCode, output]).toEqual([0, expect.stringContaining("Dry run of staging: wrangler would deploy it")]);
  expect(output).toContain("advice   no company is bound");
}, 900_000);

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { orderFailedAccountsLast, toRolloutWaves } from "#scripts/accounts/account-migrations.ts";
import { addPartnerKey, createPassword } from "#scripts/accounts/credentials.ts";
import { inlineSqlValues } from "#scripts/accounts/wrangler-d1.ts";
import { addDatabaseBinding, removeDatabaseBinding } from "#scripts/wrangler-toml.ts";
import { type AnalyticsPoint, startAnalyticsEngine } from "#support/analytics-engine.ts";
import { DEMO_MASTER_KEY } from "#support/demo-data.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
let folder: string;
let config: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accounts-"));
  // Next to the project's own configuration, because its paths are relative.
  config = join(root, `.wrangler.test-${process.pid}.toml`);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(config, { force: true });
});

async function command(...args: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
  return commandWith({}, ...args);
}

async function commandWith(
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const env = { ...process.env, ...variables, WRANGLER_CONFIG: config, STATE_DIR: join(folder, "state") };
  const script = ["scripts/run.mjs", ...args];
  return run(process.execPath, script, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      exitCode: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

/** Lists accounts recorded as restored from another account's backup. */
async function readOriginNotes(): Promise<readonly string[]> {
  const buckets = join(folder, "state", "v3", "r2", "miniflare-R2BucketObject");
  const files = (await readdir(buckets)).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file));
  return files.flatMap((file) => {
    const objects = new DatabaseSync(join(buckets, file)).prepare("SELECT key FROM _mf_objects").all();
    return objects.flatMap(({ key }) => /^erasures\/(.+)\/from-/.exec(String(key))?.[1] ?? []);
  });
}

describe("a company that is added with one command", () => {
  const add = [
    "account",
    "add",
    "blue-boats",
    "--company",
    "Blue Boats",
    "--country",
    "ES",
    "--currency",
    "EUR",
    "--timezone",
    "Europe/Madrid",
    "--languages",
    "es,en",
    "--email",
    "boss@blue.example",
  ];

  test("shows the plan for a new company first, then creates the company, and changes nothing on a second run", async () => {
    const before = await readFile(join(root, "wrangler.toml"), "utf8");
    await writeFile(config, before);
    const planned = await command(...add, "--dry-run");
    expect(planned.output).toContain("bind it as TENANT_BLUE_BOATS");
    expect(await readFile(config, "utf8")).toBe(before);

    const addResult = await command(...add);
    expect(addResult.output).toMatch(/administrator {2}boss@blue\.example \/ \S{16}/);
    expect(addResult.output).toMatch(/partner key {4}blue-boats-[0-9a-f]{12} : \S{32}/);
    const after = await readFile(config, "utf8");
    expect(removeDatabaseBinding(after, "blue-boats", undefined)).toBe(before);

    const again = await command(...add);
    expect(again.exitCode).toBe(0);
    expect(again.output).not.toContain("partner key");
    expect(again.output).toContain(
      "was there already, as Blue Boats (ES, EUR, Europe/Madrid): nothing of it was changed",
    );
    expect(await readFile(config, "utf8")).toBe(after);
    expect((await command("account", "list")).output).toMatch(
      /blue-boats .* Blue Boats: 0 vehicles, 0 bookings, 1 members of staff/,
    );
    expect((await command("account", "secrets")).output).toMatch(
      /blue-boats +1 under MASTER_KEY, 0 under PREVIOUS_MASTER_KEY, 0 under neither/,
    );
  }, 120_000);

  test("rejects duplicate names in a list of companies, and doesn't claim to delete local data", async () => {
    const file = join(folder, "companies.csv");
    const lines = [
      "vans;Vans;ES;EUR;Europe/Madrid;es;a@vans.example",
      ";;;;;;",
      "vans;Other;ES;EUR;Europe/Madrid;es;b@x.example",
    ];
    await writeFile(file, `account;company;country;currency;timezone;languages;email\n${lines.join("\n")}\n`);
    expect(await command("account", "add", "--from", file, "--dry-run")).toMatchObject({
      exitCode: 1,
      output: "vans: another line has the same name\n",
    });
    const removed = await command("account", "remove", "blue-boats", "--yes", "--delete-data");
    expect([removed.exitCode, removed.output]).toEqual([1, expect.stringContaining("--delete-data is for --remote")]);
    const migrated = await command("migrate", "--apply", "--canary", "blue-boat");
    expect([migrated.exitCode, migrated.output]).toEqual([1, expect.stringContaining('no account "blue-boat"')]);
    const conflictingActions = await command(
      "account",
      "user",
      "blue-boats",
      "--email",
      "a@x.example",
      "--reset",
      "--disable",
    );
    expect([conflictingActions.exitCode, conflictingActions.output]).toEqual([
      1,
      expect.stringContaining("Say one of --reset and --disable"),
    ]);
  }, 120_000);

  test("restores another company's backup into an empty company, but not into one that has data", async () => {
    await command("account", "add", "red-boats", "--empty");
    await command("backup", "blue-boats");
    const restoreResult = await command("restore", "blue-boats", "--into", "red-boats");
    expect(restoreResult.output).toContain("blue-boats is served, too. From now on each of them mails its customers");
    expect(await readOriginNotes()).toEqual(["red-boats"]);
    await command("backup", "red-boats");
    const refused = await command("restore", "red-boats", "--into", "blue-boats");
    expect([refused.exitCode, refused.output]).toEqual([1, expect.stringContaining("the account has data")]);
    expect(await readOriginNotes()).toEqual(["red-boats"]);
    await command("account", "remove", "red-boats", "--yes");
  }, 240_000);

  test("migrates, lists and checks other companies if one is broken", async () => {
    await command("account", "add", "grey-vans", "--empty");
    const databases = join(folder, "state", "v3", "d1", "miniflare-D1DatabaseObject");
    const { openDatabases } = await import("#scripts/local-runtime.ts");
    process.env["WRANGLER_CONFIG"] = config;
    const opened = await openDatabases(join(folder, "state"));
    await opened.databases.get("grey-vans")?.prepare("CREATE TABLE of_grey_vans (id INTEGER)").run();
    await opened.dispose();
    delete process.env["WRANGLER_CONFIG"];
    const files = (await readdir(databases)).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file));
    const isOwn = (file: string) => {
      const database = new DatabaseSync(join(databases, file));
      const markerTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'of_grey_vans'").get();
      database.close();
      return markerTable !== undefined;
    };
    const own = files.find(isOwn) ?? "";
    await writeFile(join(databases, own), "no database at all ".repeat(1000));
    for (const suffix of ["-wal", "-shm"]) await rm(join(databases, `${own}${suffix}`), { force: true });

    const migrated = await command("migrate", "--apply");
    expect(migrated.exitCode).toBe(1);
    expect(migrated.output).toMatch(/globex: \d+ applied \(2 of 2\)/);
    expect(migrated.output).toContain("grey-vans is left out: it cannot be read");
    const migrateResult = await command("migrate");
    expect([migrateResult.exitCode, migrateResult.output]).toEqual([1, expect.stringMatching(/globex +up to date/)]);
    expect(migrateResult.output).toMatch(/grey-vans +cannot be read/);
    expect((await command("account", "list")).output).toMatch(/grey-vans .* cannot be read/);
    const compared = await command("ledger");
    expect(compared.exitCode).toBe(1);
    expect(compared.output).toContain("blue-boats: 0 contracts, no difference");
    expect(compared.output).toContain("grey-vans: cannot be read");
    await command("account", "remove", "grey-vans", "--yes");
  }, 600_000);

  test("prints each command's usage, and does nothing with an extra argument", async () => {
    for (const name of [
      "account",
      "backup",
      "export",
      "import",
      "migrate",
      "operations",
      "restore",
      "doctor",
      "start",
    ]) {
      const helpOutput = await command(name, "--help");
      expect([name, helpOutput.exitCode, helpOutput.output.startsWith(`npm run ${name}`)]).toEqual([name, 0, true]);
    }
    const reset = await command("reset", "--help");
    expect([reset.exitCode, reset.output]).toEqual([0, expect.stringContaining("deletes all local databases")]);
    const usageFailure = await command("reset", "all");
    expect([usageFailure.exitCode, usageFailure.output]).toEqual([
      1,
      expect.stringContaining("Unexpected argument 'all'"),
    ]);
    expect((await command("migrate", "--aply")).output).toBe("Unknown option '--aply'. See --help.\n");
    const surplus = await command("account", "add", "white", "boats", "--empty", "--dry-run");
    expect([surplus.exitCode, surplus.output]).toEqual([1, expect.stringContaining('"boats" is a word too many')]);
    const known = await command("account", "add", "acme", "--empty", "--dry-run");
    expect(known.output).toContain("find acme in wrangler.toml, where it is already");
    expect(await readdir(join(folder, "state"))).toContain("v3");
  }, 240_000);

  test("reaches a local company through wrangler like a remote one", async () => {
    const { openDatabaseOverWrangler: wranglerD1 } = await import("#scripts/accounts/wrangler-d1.ts");
    process.env["WRANGLER_CONFIG"] = config;
    try {
      const db = wranglerD1("rental-blue-boats", ["--local", "--persist-to", join(folder, "state")]);
      expect(await db.prepare("SELECT account_name FROM settings WHERE id = ?").bind(1).first("account_name")).toBe(
        "Blue Boats",
      );
      await db.batch([
        db.prepare("UPDATE settings SET account_name = ?").bind("Blue 'n' Boats"),
        db.prepare("SELECT 1"),
      ]);
      expect(await db.prepare("SELECT account_name FROM settings").first()).toEqual({ account_name: "Blue 'n' Boats" });
    } finally {
      delete process.env["WRANGLER_CONFIG"];
    }
  }, 60_000);

  test("shows pending tasks, requests, errors and response times of a company with one command", async () => {
    const toml = await readFile(config, "utf8");
    const without = await command("operations", "blue-boats");
    expect(without.output).toContain("no dataset of Analytics Engine is bound");
    expect(without.output).toMatch(/blue-boats +nothing waits/);

    const { openDatabases } = await import("#scripts/local-runtime.ts");
    process.env["WRANGLER_CONFIG"] = config;
    const { databases, dispose } = await openDatabases(join(folder, "state"));
    const db = databases.get("blue-boats");
    await db
      ?.prepare(
        "INSERT INTO outgoing_mails (sealed, subject, next_at, expires_at, attempts, last_error, created_at) VALUES ('x', 'New password', 1, 2, 3, 'Refused', 1)",
      )
      .run();
    await dispose();
    delete process.env["WRANGLER_CONFIG"];

    await writeFile(
      config,
      `${toml}\n[[analytics_engine_datasets]]\nbinding = "REQUESTS"\ndataset = "rental_requests"\n`,
    );
    const createPoint = (
      account: string,
      route: string,
      status: number,
      milliseconds: number,
      more: Partial<AnalyticsPoint> = {},
    ) => ({
      at: Date.now() - 3_600_000,
      indexes: [account],
      blobs: [account, "GET", route, String(status)],
      doubles: [milliseconds, 1, 200],
      ...more,
    });
    const engine = await startAnalyticsEngine("rental_requests", [
      ...Array.from({ length: 97 }, () => createPoint("blue-boats", "/search", 200, 4)),
      createPoint("blue-boats", "/search", 404, 6),
      createPoint("blue-boats", "/search", 503, 900),
      createPoint("blue-boats", "/places", 200, 2, { sampleInterval: 101 }),
      createPoint("blue-boats", "/places", 500, 1, { at: Date.now() - 30 * 3_600_000 }),
      createPoint("red-vans", "/search", 500, 1),
    ]);
    const access = {
      CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
      CLOUDFLARE_API_TOKEN: "a-token",
      CLOUDFLARE_API_BASE_URL: engine.url,
    };
    try {
      const { output } = await commandWith(access, "operations", "blue-boats");
      expect(output).toMatch(/blue-boats +1 mails unsent/);
      expect(output).toContain('mail "New password", tried 3 times: Refused');
      expect(output).toContain(
        "200 requests, 1 (0.50 %) failed, 1 (0.50 %) refused, p50 2 ms, p95 4 ms, p99 6 ms, 1.00 database calls and 200 rows each",
      );
      expect(output.indexOf("GET /search")).toBeLessThan(output.indexOf("GET /places"));
      expect(output).toContain("99 requests, 1 (1.01 %) failed, 1 (1.01 %) refused, p50 4 ms, p95 4 ms, p99 900 ms");
      expect(output).not.toContain("a-token");
      expect(engine.authorizations[0]).toBe("Bearer a-token");
      const all = await commandWith(access, "operations", "--hours", "48");
      expect(all.output).toContain("201 requests, 2 (1.00 %) failed");
      expect((await commandWith(access, "operations", "--hours", "x")).output).toContain("--hours must be");
      expect((await command("operations", "blue-boats")).output).toContain("set CLOUDFLARE_ACCOUNT_ID");
    } finally {
      await engine.close();
      await writeFile(config, toml);
    }
  }, 120_000);

  test("names every wrong option of the command that adds an account", async () => {
    const { exitCode, output } = await command(
      "account",
      "add",
      "X",
      "--country",
      "Spain",
      "--currency",
      "euro",
      "--timezone",
      "Mars",
    );
    expect(exitCode).toBe(1);
    for (const option of ["the name", "--company", "--country", "--currency", "--timezone", "--languages", "--email"])
      expect(output).toContain(option);
    expect(output).not.toContain("    at ");
  });

  test("restores wrangler.toml when a company is removed", async () => {
    expect((await command("account", "remove", "blue-boats")).exitCode).toBe(1);
    expect((await command("account", "remove", "blue-boats", "--yes")).exitCode).toBe(0);
    expect(await readFile(config, "utf8")).toBe(await readFile(join(root, "wrangler.toml"), "utf8"));
  });
});

describe("migrations of five accounts of which the third fails", () => {
  test("stops migrations at a failed account, keeps the first two, and continues at the next run", async () => {
    const migrations = join(folder, "migrations");
    await mkdir(migrations);
    await writeFile(join(migrations, "0001_first.sql"), "CREATE TABLE first (id INTEGER PRIMARY KEY);");
    const accounts = ["one", "two", "three", "four", "five"].map((name) => `account-${name}`);
    const databases = accounts.map((name, index) =>
      [
        "[[d1_databases]]",
        `binding = "TENANT_${name.toUpperCase().replaceAll("-", "_")}"`,
        `database_name = "rental-${name}"`,
        `database_id = "00000000-0000-0000-0000-00000000000${index}"`,
        `migrations_dir = "${relative(root, migrations)}"`,
      ].join("\n"),
    );
    await writeFile(config, ['name = "fleet"', 'compatibility_date = "2026-08-15"', ...databases].join("\n"));
    expect((await command("migrate", "--apply")).exitCode).toBe(0);

    await writeFile(join(migrations, "0002_second.sql"), "CREATE TABLE second (id INTEGER PRIMARY KEY);");
    const { withDatabase } = await import("#scripts/accounts/target.ts");
    process.env["WRANGLER_CONFIG"] = config;
    const target = { isRemote: false, environment: undefined, stateDir: join(folder, "state") };
    const third = { name: "account-three", databaseName: "rental-account-three" };
    const tables = (name: string) =>
      withDatabase({ name, databaseName: `rental-${name}` }, target, async (db) =>
        (
          await db
            .prepare("SELECT name FROM sqlite_master WHERE name IN ('first', 'second') ORDER BY name")
            .all<{ name: string }>()
        ).results.map((row) => row.name),
      );
    try {
      await withDatabase(third, target, (db) => db.prepare("CREATE TABLE second (other TEXT)").run());
      const failed = await command("migrate", "--apply", "--canary", "account-one", "--wave", "2");
      expect(failed.exitCode).toBe(1);
      expect(failed.output).toContain("account-three failed; 2 of 5 are done, 2 after it serve on as they were");
      expect(await tables("account-two")).toEqual(["first", "second"]);
      expect(await tables("account-four")).toEqual(["first"]);
      const migrateResult = await command("migrate");
      expect(migrateResult.output).toMatch(/account-three +1 waiting: 0002_second\.sql +\(failed/);
      expect(migrateResult.output).toMatch(/account-two +up to date +\(done/);

      await withDatabase(third, target, (db) => db.prepare("DROP TABLE second").run());
      const resumed = await command("migrate", "--apply");
      expect(resumed.output).toContain("(3 of 3)");
      expect(await tables("account-five")).toEqual(["first", "second"]);

      await rm(join(migrations, "0002_second.sql"));
      const older = await command("migrate");
      const reason = "this code is older, by 1 migration that it doesn't have: 0002_second.sql";
      expect([older.exitCode, older.output]).toEqual([1, expect.stringContaining(reason)]);
      expect((await command("migrate", "--apply")).output).toContain(`account-five: ${reason}`);
    } finally {
      delete process.env["WRANGLER_CONFIG"];
    }
  }, 180_000);
});

test("rolls migrations out to the canary first, then in waves, to each account once", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z]{2,5}$/), { maxLength: 30 }),
      fc.nat(30),
      fc.integer({ min: 1, max: 7 }),
      (names, pick, size) => {
        const pending = names.map((name) => ({ account: { name } }));
        const waves = toRolloutWaves(pending, names[pick], size);
        expect(
          waves
            .flat()
            .map(({ account }) => account.name)
            .sort(),
        ).toEqual([...names].sort());
        expect(waves.slice(0, 1).every((wave) => wave.length === 1)).toBe(true);
        expect(waves.every((wave) => wave.length <= Math.max(1, size))).toBe(true);
        if (names[pick] !== undefined) expect(waves[0]?.[0]?.account.name).toBe(names[pick]);
      },
    ),
  );
});

test("migrates accounts that failed last time after all others", () => {
  const pending = ["a", "b", "c"].map((name) => ({ account: { name } }));
  const states = new Map([
    ["a", { state: "failed" } as const],
    ["b", { state: "done" } as const],
  ]);
  expect(orderFailedAccountsLast(pending, states).map(({ account }) => account.name)).toEqual(["b", "c", "a"]);
});

test("adds a database binding after the others of its environment, and changes nothing else", () => {
  const toml =
    '# top\n[[d1_databases]]\nbinding = "TENANT_A"\n\n# The app.\n[assets]\ndirectory = "x"\n\n[env.production]\nname = "p"\n';
  const binding = { name: "b-c", databaseName: "rental-b-c", databaseId: "id", environment: undefined };
  const added = addDatabaseBinding(toml, binding);
  expect(added).toContain('binding = "TENANT_A"\n\n[[d1_databases]]\nbinding = "TENANT_B_C"');
  expect(removeDatabaseBinding(added, "b-c", undefined)).toBe(toml);
  const production = addDatabaseBinding(toml, { ...binding, environment: "production" });
  expect(production).toContain('[[env.production.d1_databases]]\nbinding = "TENANT_B_C"');
  expect(production.startsWith(toml.trimEnd())).toBe(true);
});

test("binds a production company in the main Worker and in the office Worker", () => {
  const toml = '[env.production]\nname = "p"\n\n[env.production-office]\nname = "w"\n';
  const binding = { name: "b-c", databaseName: "rental-b-c", databaseId: "id", environment: "production" };
  const added = addDatabaseBinding(toml, binding);
  expect(added).toContain('[[env.production.d1_databases]]\nbinding = "TENANT_B_C"');
  expect(added).toContain('[[env.production-office.d1_databases]]\nbinding = "TENANT_B_C"');
  expect(removeDatabaseBinding(added, "b-c", "production")).not.toContain("TENANT_B_C");
});

test("escapes quotes in inlined SQL values, keeps a quoted question mark, and rejects a missing value", () => {
  expect(inlineSqlValues("SELECT ?, ?2, '?', ?", ["a'b", null, "?1"])).toBe("SELECT 'a''b', NULL, '?', NULL");
  expect(() => inlineSqlValues("SELECT ?", [])).toThrow("more parameters");
});

test("generates passwords that satisfy the platform's own rules", () => {
  const addResult = new Set(Array.from({ length: 200 }, createPassword));
  expect(addResult.size).toBe(200);
  for (const password of addResult) expect(findPasswordProblems(password)).toEqual([]);
});

test.each([
  [true, 1],
  [undefined, 0],
])("stores whether a partner's key works without a signature: %s", async (keyOnly, storedValue) => {
  const { db, rows } = createSqliteD1();
  const key = await addPartnerKey(db, {
    account: "acme",
    masterKey: DEMO_MASTER_KEY,
    label: "Accounting",
    scopes: ["integration"],
    agency: undefined,
    now: 1,
    ...(keyOnly && { keyOnly }),
  });
  expect(rows("SELECT api_key, scope_integration, scope_ota, key_only FROM partner_keys")).toEqual([
    { api_key: key.apiKey, scope_integration: 1, scope_ota: 0, key_only: storedValue },
  ]);
});

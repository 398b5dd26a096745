import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { toFurtherCellConfig } from "#scripts/deployment/cell-config.ts";
import { type ConfigIssue, findConfigProblems } from "#scripts/deployment/configuration.ts";
import { findSlotIssues, findUnboundSlotIssues, listOutdatedSlots } from "#scripts/deployment/directory-slots.ts";
import {
  createHealthReader,
  type DeepHealth,
  isMonitorKeyRefused,
  listHealthRegressions,
} from "#scripts/deployment/health.ts";
import { chooseRollout } from "#scripts/deployment/rollout.ts";
import { type DeploymentConfig, listDecryptingWorkers, readDeploymentConfig } from "#scripts/deployment/workers.ts";
import { makeTenantBindingsRequired } from "#scripts/types.ts";
import type { WranglerConfig } from "#scripts/wrangler-toml.ts";
import { startAnalyticsEngine } from "#support/analytics-engine.ts";

/** Creates the project's production configuration with its own domain and databases. */
function createDeployment(): DeploymentConfig {
  const own = (config: WranglerConfig): WranglerConfig =>
    JSON.parse(
      JSON.stringify(config)
        .replaceAll("example.com", "rentals.test")
        .replaceAll("00000000-0000-0000-0000", "1a000000-0000-4000-8000"),
    );
  const { environment, front, office, printer } = readDeploymentConfig("production");
  const slot = {
    binding: "DB_0001",
    database_name: "rental-production-0001",
    database_id: "1a",
    migrations_dir: "migrations",
  };
  const withSlot = (config: WranglerConfig): WranglerConfig => ({
    ...config,
    d1_databases: [...config.d1_databases, slot],
  });
  return { environment, front: withSlot(own(front)), office: withSlot(own(office)), printer };
}

const listIssueTexts = (findings: readonly ConfigIssue[]) => findings.map(({ description }) => description);

test.each(["nowhere", "produccion"])("rejects an unknown environment, listing the existing ones: %s", (name) => {
  expect(() => readDeploymentConfig(name)).toThrow(
    `wrangler.toml has no environment ${name}: there are production and staging.`,
  );
});

describe("missing settings in wrangler.toml", () => {
  test("reports no problem once domain, mail address and companies are configured", () => {
    expect(findConfigProblems(createDeployment())).toEqual([]);
  });

  test("reports every example value that a fresh clone's configuration still contains", () => {
    expect(listIssueTexts(findConfigProblems(readDeploymentConfig("production")))).toEqual([
      "BASE_DOMAIN is example.com",
      "MAIL_FROM of [env.production] is no-reply@example.com",
      "MAIL_FROM of [env.production-office] is no-reply@example.com",
      "the directory is an example without a database",
      "nobody is told of alarms",
    ]);
  });

  const without = <K extends keyof WranglerConfig>(role: "front" | "office", key: K, value: unknown) => {
    const all = createDeployment();
    return { ...all, [role]: { ...all[role], [key]: value } };
  };

  type Database = WranglerConfig["d1_databases"][number];
  const withBindings = (change: (database: Database) => Database): DeploymentConfig => {
    const all = createDeployment();
    const changed = (config: WranglerConfig) => ({ ...config, d1_databases: config.d1_databases.map(change) });
    return { ...all, front: changed(all.front), office: changed(all.office) };
  };

  test.each<[string, DeploymentConfig, string]>([
    [
      "no route of the health check",
      without("front", "routes", ["*.rentals.test/*"]),
      "no route is rentals.test/healthz*",
    ],
    [
      "a route that a query bypasses",
      without("front", "routes", ["*.rentals.test/*", "rentals.test/healthz", "rentals.test/operator/*"]),
      "no route is rentals.test/healthz*",
    ],
    [
      "no bucket in a company's jurisdiction",
      withBindings(({ binding, ...database }) => ({
        binding: binding.replace("DB_0001", "EU_DB_0001"),
        ...database,
      })),
      "[env.production-office] has no bucket BACKUPS in eu",
    ],
    [
      "a company bound twice",
      withBindings(({ binding, ...database }) => ({
        binding: binding.replace("DB_0001", "TENANT_ACME").replace("DIRECTORY", "US_TENANT_ACME"),
        ...database,
      })),
      "acme is bound twice",
    ],
    [
      "a route of another domain",
      without("front", "routes", ["*.rentals.test/*", "rentals.test/*", "*.other.test/*"]),
      "the route *.other.test/* is not of rentals.test",
    ],
    ["no cron", without("office", "triggers", { crons: [] }), "nothing rings the clock"],
    ["no mail address", without("front", "send_email", []), "[env.production] sends no mail"],
    [
      "a directory database missing in the office Worker",
      without("office", "d1_databases", createDeployment().office.d1_databases.slice(1)),
      "DIRECTORY is not the same in [env.production] and [env.production-office]",
    ],
    [
      "no companies",
      { ...without("front", "d1_databases", []), office: { ...createDeployment().office, d1_databases: [] } },
      "no company is bound",
    ],
    ["no bucket for photos", without("front", "r2_buckets", []), "no bucket for photos"],
    [
      "no bucket for backups",
      without("office", "r2_buckets", createDeployment().office.r2_buckets.slice(0, 1)),
      "no bucket for backups",
    ],
    ["no binding of the office Worker", without("front", "services", []), "the front is not bound to its office"],
    ["no binding of live carts", without("front", "durable_objects", { bindings: [] }), "live carts have no objects"],
    ["no rate limit", without("front", "ratelimits", []), "rental-platform-production has no IP_RATE_LIMITER"],
    [
      "no binding of request metrics",
      without("office", "analytics_engine_datasets", []),
      "rental-platform-production-office counts no requests",
    ],
    ["no queue", without("office", "queues", {}), "long work runs in the cron job"],
    [
      "no consumer of the queue",
      without("office", "queues", { producers: createDeployment().office.queues.producers }),
      "nothing handles the messages of rental-production-jobs",
    ],
    [
      "no consumer of failed messages",
      without("office", "queues", {
        ...createDeployment().office.queues,
        consumers: createDeployment().office.queues.consumers?.slice(0, 1),
      }),
      "exhausted messages of rental-production-jobs are lost",
    ],
  ])("reports a wrong deployment configuration: %s", (_, configured, problem) =>
    expect(listIssueTexts(findConfigProblems(configured))).toContain(problem),
  );
});

test("generates types in which the database bindings of companies aren't optional", () => {
  expect(
    makeTenantBindingsRequired(
      "\tBACKUPS?: R2Bucket;\n\tTENANT_ACME?: D1Database;\n\tTENANT_BLUE_BOATS: D1Database;\n",
    ),
  ).toBe("\tBACKUPS?: R2Bucket;\n\tTENANT_ACME: D1Database;\n\tTENANT_BLUE_BOATS: D1Database;\n");
});

// Proves "security, privacy and operation": Staging is production
test("configures staging like production except for names", () => {
  const comparable = (config: WranglerConfig): string => JSON.stringify({ ...config, definedEnvironments: [] });
  const renamed = (config: WranglerConfig) =>
    JSON.parse(
      comparable(config)
        .replaceAll(/staging\.example\.com/g, "example.com")
        .replaceAll("rental_requests_staging", "rental_requests")
        .replaceAll("staging", "production")
        .replaceAll(/"300([12])"/g, '"200$1"'),
    );
  const [production, staging] = [readDeploymentConfig("production"), readDeploymentConfig("staging")];
  for (const worker of ["front", "office", "printer"] as const)
    expect(renamed(staging[worker])).toEqual(JSON.parse(comparable(production[worker])));
});

describe("a deployment's health", () => {
  const well: DeepHealth = {
    status: "ok",
    files: "ok",
    office: "ok",
    printer: "ok",
    accounts: { ok: 2, unreachable: 0 },
    next: null,
  };

  test("reports a deployment's health as worse only if a part fails that didn't fail before", () => {
    expect(listHealthRegressions(well, well)).toEqual([]);
    expect(listHealthRegressions(well, undefined)).toEqual(["nothing of ours answers"]);
    expect(
      listHealthRegressions(well, { ...well, office: "unreachable", accounts: { ok: 0, unreachable: 2 } }),
    ).toEqual(["office: unreachable", "2 accounts unreachable"]);
    const unhealthy = { ...well, printer: "unreachable", accounts: { ok: 1, unreachable: 1 } };
    expect(listHealthRegressions(unhealthy, unhealthy)).toEqual([]);
    expect(listHealthRegressions(undefined, unhealthy)).toEqual(["printer: unreachable", "1 accounts unreachable"]);
  });

  test("deploys at once only if a Worker has no version or the cell no companies, even if the health is unknown", () => {
    const IN_STEPS = { isAtOnce: false, isNewCell: false };
    expect(chooseRollout(["a", "b"], true, IN_STEPS)).toBe("gradual");
    expect(() => chooseRollout(["a", "b"], false, IN_STEPS)).toThrow("Versions serve, but /healthz doesn't answer");
    expect(chooseRollout(["a", undefined], false, IN_STEPS)).toBe("full");
    expect(chooseRollout(["draft", "draft"], false, { ...IN_STEPS, isNewCell: true })).toBe("full");
    expect(chooseRollout(["a", "b"], false, { ...IN_STEPS, isAtOnce: true })).toBe("full");
  });

  test.each([
    [401, true],
    [200, false],
    [503, false],
    [404, false],
  ])("recognises a refused monitor key by the status %i: %s", async (status, isRefused) => {
    const server = createServer((_, response) => response.writeHead(status).end("{}"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await isMonitorKeyRefused(url, "key")).toBe(isRefused);
    server.close();
    expect(await isMonitorKeyRefused("http://127.0.0.1:9", "key")).toBe(false);
  });

  test("returns no health if the deployment doesn't answer", async () => {
    expect(await createHealthReader("http://127.0.0.1:9", "key")(new Map())).toBeUndefined();
  });
});

describe("the databases of a cell", () => {
  const slot = (number: number, more = {}) => ({
    slot: number,
    state: "used",
    schema_version: "0002_b.sql",
    error: null,
    ...more,
  });
  const { front } = createDeployment();

  test("refuses a configuration that doesn't bind the database of a company", () => {
    expect(findUnboundSlotIssues(front, [slot(1), slot(3, { state: "spare" })])).toEqual([]);
    expect(listIssueTexts(findUnboundSlotIssues(front, [slot(1), slot(2), slot(11)]))).toEqual([
      "companies have the databases 2, 11, which aren't bound",
    ]);
  });

  test("lists companies' databases that lack a migration", () => {
    const slots = [slot(1), slot(2, { schema_version: "0001_a.sql" }), slot(3, { schema_version: null })];
    expect(listOutdatedSlots(slots, "0002_b.sql").map((item) => item.slot)).toEqual([2, 3]);
    expect(listOutdatedSlots([slot(4, { state: "spare", schema_version: "0001_a.sql" })], "0002_b.sql")).toEqual([]);
  });

  test("reports failed, unmigrated and unregistered databases with what to do", () => {
    expect(findSlotIssues(front, [slot(1)], "0002_b.sql")).toEqual([]);
    const slots = [slot(2, { error: "0002_b.sql: full" }), slot(3, { state: "new", schema_version: null })];
    expect(findSlotIssues(front, slots, "0002_b.sql").map(({ description, remedy }) => [description, remedy])).toEqual([
      ["companies have the databases 2, which aren't bound", "git pull, or bind them again"],
      ["database 2: 0002_b.sql: full", "docs/runbook.md, a company whose migration fails"],
      ["the databases 3 wait for a migration", "npm run cells -- migrate"],
      ["the directory doesn't list the databases 1", "npm run deploy, then npm run cells -- migrate"],
    ]);
  });
});

test("changes the master key in the front and office Workers of all cells", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cells-"));
  const toml = readFileSync(resolve("wrangler.toml"), "utf8");
  const list = () =>
    listDecryptingWorkers("production", folder, join(folder, "wrangler.toml")).map(({ name, wrangler }) => {
      const [, args] = wrangler("deploy");
      return [name, args.includes("--config") ? basename(args.at(-1) ?? "") : undefined];
    });
  await writeFile(join(folder, "wrangler.toml"), toml);
  expect(list()).toEqual([
    ["rental-platform-production-office", undefined],
    ["rental-platform-production", undefined],
  ]);
  await writeFile(join(folder, "cell-02.wrangler.toml"), toFurtherCellConfig(toml, "production", "02"));
  expect(list()).toEqual([
    ["rental-platform-production-02-office", "cell-02.wrangler.toml"],
    ["rental-platform-production-02", "cell-02.wrangler.toml"],
    ["rental-platform-production-office", "wrangler.toml"],
    ["rental-platform-production", "wrangler.toml"],
  ]);
  await rm(folder, { recursive: true });
});

// Proves "security, privacy and operation": Alarms: the runbook has a chapter for each
test("has a runbook chapter for every alert", () => {
  const runbook = readFileSync(resolve("docs/runbook.md"), "utf8");
  const kinds = readFileSync(resolve("worker/domain/operations/alerts.ts"), "utf8").match(/\| "(\w+)"/g) ?? [];
  expect(kinds).toHaveLength(12);
  for (const kind of kinds) expect(runbook).toContain(`## \`${kind.slice(3, -1)}\``);
});

// Proves "security, privacy and operation": The runbook's queries for dashboards run
test("runs the runbook's dashboard queries on the metrics that the Worker writes", async () => {
  const queries = [...readFileSync(resolve("docs/runbook.md"), "utf8").matchAll(/```sql\n(.*?)```/gs)].map(
    ([, sql]) => sql,
  );
  expect(queries).toHaveLength(5);
  const point = (status: string, milliseconds: number) => ({
    at: Date.now() - 60_000,
    indexes: ["acme"],
    blobs: ["acme", "GET", "/api/v1/integration/invoices", status],
    doubles: [milliseconds, 1, 20],
  });
  const engine = await startAnalyticsEngine("rental_requests", [point("200", 5), point("500", 50), point("429", 1)]);
  try {
    const answers = await Promise.all(
      queries.map(
        async (body) =>
          (await fetch(engine.url, { method: "POST", body: body ?? "" })).json() as Promise<{ readonly data: unknown }>,
      ),
    );
    const [inTime, latency, companies, routes, refused] = answers.map(({ data }) => data);
    expect(inTime).toEqual([{ at: expect.any(Number), requests: "3", failed: 1, refused: 1 }]);
    expect(latency).toMatchObject([{ p50: 5, p95: 50, p99: 50 }]);
    expect(companies).toEqual([{ account: "acme", requests: "3", failed: 1 }]);
    expect(routes).toMatchObject([{ route: "/api/v1/integration/invoices", rows_read: 60 }]);
    expect(refused).toMatchObject([{ account: "acme", status: "429", requests: "1" }]);
  } finally {
    await engine.close();
  }
});

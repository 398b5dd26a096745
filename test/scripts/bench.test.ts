import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { measureWarmCost } from "#tools/bench/account-operations.ts";
import { formatCartRows } from "#tools/bench/carts.ts";
import { countChargesAndParts } from "#tools/bench/load.ts";
import type { Operation } from "#tools/bench/operations.ts";
import { comparePeerSpeeds, type ShopPeer } from "#tools/bench/peers/compare.ts";
import { createMedusaPeer } from "#tools/bench/peers/medusa.ts";
import { formatBusyNote, isMachineSteady } from "#tools/bench/steadiness.ts";
import { loadSteadily, sendSteadily } from "#tools/bench/steady-load.ts";
import { calculateGrowth, getVerdict } from "#tools/bench/table.ts";
import type { Client } from "#tools/platform/client.ts";

test.each([
  [1000, 1000, true],
  [1000, 850, true],
  [850, 1000, true],
  [1000, 849, false],
  [849, 1000, false],
  [1000, 0, false],
])(
  "decides whether a machine is steady, by %d responses of an empty Worker before and %d after a measurement: %s",
  (before, after, expected) => {
    expect(isMachineSteady({ before, after })).toBe(expected);
  },
);

test("lists measurements on a busy machine, and doesn't judge their speed", () => {
  const rows = [
    { name: "booking", around: { before: 1000, after: 990 } },
    { name: "cart read", around: { before: 1000, after: 400 } },
  ];
  expect(formatBusyNote(rows)).toContain("around 1 of 2 rows, whose speed is not judged: cart read.");
  expect(formatBusyNote(rows.slice(0, 1))).not.toContain("busy");
});

test("prints no speed ratio of a cart measured on a busy machine", () => {
  const cost = new Map([["cart read", { calls: 1, rows: 1200, p50: 3, p99: 6 }]] as const);
  const rowWith = (ratio: number | undefined) =>
    formatCartRows(cost, cost, new Map([["cart read", { perSecond: 500, ratio }]])).rows[0];
  expect(rowWith(0.8)).toContain("| 500 | 0.80 |");
  expect(rowWith(undefined)).toContain("| 500 |  |");
});

const shop = (milliseconds: number): ShopPeer => ({
  name: `a shop of ${milliseconds} ms`,
  prepare: async () => ({
    version: "1.2.3",
    fillCart: () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    dispose: async () => undefined,
  }),
});

test("measures competing shop systems one after another, and shows why one wasn't measured", async () => {
  const absent: ShopPeer = {
    name: "Elsewhere",
    prepare: () => Promise.reject(new Error("no database | at all\nmore")),
  };
  const { table, hasPeer } = await comparePeerSpeeds(shop(1), [absent, shop(5)], 0.05);
  expect(hasPeer).toBe(true);
  const rows = table.split("\n").slice(2);
  expect(rows).toEqual([
    expect.stringMatching(/^\| a shop of 1 ms \| 1\.2\.3 \| [\d.]+ \| [\d.]+ \| 1\.0 \|$/),
    "| Elsewhere |  | not measured: no database / at all |  |  |",
    expect.stringMatching(/^\| a shop of 5 ms \| 1\.2\.3 \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/),
  ]);
});

test("stops a shop system that fails during its measurement, and shows it as not measured", async () => {
  let ended = 0;
  const breaking: ShopPeer = {
    name: "Broken",
    prepare: async () => ({
      version: "1",
      fillCart: () => Promise.reject(new Error("POST /carts was answered 500")),
      dispose: async () => {
        ended += 1;
      },
    }),
  };
  const { table, hasPeer } = await comparePeerSpeeds(shop(1), [breaking], 0.01);
  expect(table).toContain("| Broken |  | not measured: POST /carts was answered 500 |");
  expect(hasPeer).toBe(false);
  expect(ended).toBe(1);
});

test("skips Medusa if it can't be installed, with the reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peer-"));
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(createMedusaPeer(join(folder, "medusa")).prepare()).rejects.toThrow("npm install was not run");
});

test("shows that npm couldn't download Medusa, with npm's code", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peer-"));
  const npm = "#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\necho 'npm error A complete log is in x' >&2\nexit 1\n";
  await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(createMedusaPeer(join(folder, "medusa")).prepare()).rejects.toThrow(
    "npm couldn't download its packages (ENOTFOUND). Check the network and the registry.",
  );
});

test("sends calls at a constant rate without waiting for responses, and measures from each scheduled time", async () => {
  let sentCount = 0;
  const send = async () => {
    // The first call blocks the process for 200 ms, so the other nineteen calls are sent late.
    for (const until = performance.now() + 200; sentCount === 0 && performance.now() < until; );
    sentCount += 1;
    return { status: sentCount % 10 === 0 ? 503 : 200, headers: {}, bytes: Buffer.alloc(0) };
  };
  const calls = Array.from({ length: 20 }, () => ({ account: "acme", method: "GET", path: "/" }));
  const speed = await sendSteadily({ send }, { calls, perSecond: 100 });
  expect(speed).toMatchObject({ answered: 20, failed: 2, failures: { 503: 2 } });
  expect(speed.longest).toBeGreaterThanOrEqual(199);
  expect(speed.p50).toBeGreaterThanOrEqual(90);
});

test("sends a steady load from a separate thread, and reports every response", async () => {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    response.writeHead(request.headers.host === "acme.localhost" && requestCount % 10 > 0 ? 200 : 503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const call = () => ({ account: "acme", method: "GET", path: "/" });
  const speed = await loadSteadily(port, call, { perSecond: 200, seconds: 0.1 });
  expect(speed).toMatchObject({ answered: 20, failed: 2, failures: { 503: 2 } });
});

test("compares the growth of read rows per returned part, so that a larger response doesn't count as growth", () => {
  const charges = (documents: number) => ({
    data: [{ allocations: Array.from({ length: documents }) }, { allocations: [] }],
  });
  const costWith = (documents: number) => {
    const parts = countChargesAndParts(charges(documents));
    return { calls: 1, rows: parts / 2, total: parts, parts };
  };
  expect([countChargesAndParts(charges(0)), countChargesAndParts(charges(2))]).toEqual([4, 10]);
  expect(calculateGrowth({ small: costWith(0), large: costWith(2) })).toBe(1);
  expect(calculateGrowth({ small: costWith(0), large: { ...costWith(0), rows: 4, total: 8 } })).toBe(2);
  expect(calculateGrowth({ small: { calls: 1, rows: 2 }, large: { calls: 1, rows: 3 } })).toBe(1.5);
});

test("counts warm calls and first reads separately, and judges both", async () => {
  let sentCount = 0;
  // The first call loads the catalogue. Each of 25 branch groups is read once.
  const send = async () => {
    sentCount += 1;
    const cost = sentCount === 1 ? "calls=3 rows_read=2400" : `calls=1 rows_read=${sentCount <= 25 ? 1193 : 2}`;
    return { status: 200, headers: { "server-timing": `d1;desc="${cost}"` }, bytes: Buffer.from("{}") };
  };
  const operation: Operation = {
    name: "availability",
    account: "acme",
    next: () => ({ account: "acme", method: "GET", path: "/" }),
    budget: { calls: 1, rows: 5, growth: 1.1, first: 1300 },
    bare: "none",
    warmUpCalls: 25,
  };
  const large = await measureWarmCost({ send } as unknown as Client, operation);
  expect(large).toMatchObject({ calls: 1, rows: 2, first: 1193 });
  const speed = { p50: 1, p99: 1, longest: 1, answered: 1, perSecond: 1, failed: 0, failures: {} };
  const measured = {
    operation,
    small: large,
    large,
    alone: speed,
    processor: undefined,
    busy: speed,
    ratio: undefined,
  };
  expect(getVerdict(measured)).toBe("within");
  expect(getVerdict({ ...measured, large: { ...large, first: 1301 } })).toContain("first > 1300");
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import type { CatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { CatalogueSnapshotCache, estimateBytes } from "#worker/tenancy/snapshot-cache.ts";
import { openTenant } from "#worker/tenancy/tenant.ts";

const snapshot = (bytes: number, version = 1) =>
  ({ catalogue: { version, filler: "x".repeat(bytes) } }) as unknown as CatalogueSnapshot;

describe("the cache of catalogues", () => {
  test("limits the catalogue cache by bytes, and drops the least recently used entry", () => {
    const cache = new CatalogueSnapshotCache(10_000);
    for (const name of ["a", "b", "c"]) cache.set(name, snapshot(3000), 0);
    expect(cache.get("a")).toBeDefined();
    cache.set("d", snapshot(3000), 0);
    expect(["a", "b", "c", "d"].filter((name) => cache.get(name))).toEqual(["a", "c", "d"]);
    cache.set("a", snapshot(100), 0);
    cache.set("e", snapshot(2000), 0);
    expect(["a", "c", "d", "e"].filter((name) => cache.get(name))).toEqual(["a", "c", "d", "e"]);
  });

  test("caches many small catalogues, and drops them all for one that is larger than the limit", () => {
    const cache = new CatalogueSnapshotCache(100_000);
    for (let index = 0; index < 500; index++) cache.set(String(index), snapshot(10), 0);
    expect(Array.from({ length: 500 }, (_, index) => cache.get(String(index))).filter(Boolean)).toHaveLength(500);
    cache.set("large", snapshot(200_000), 0);
    expect([cache.get("large") !== undefined, cache.get("499")]).toEqual([true, undefined]);
  });

  test("extends a cached catalogue's validity only if the confirmed version equals the cached one", () => {
    const cache = new CatalogueSnapshotCache();
    cache.set("a", snapshot(10, 7), 1000);
    expect([cache.confirm("a", 8, 2000), cache.confirm("b", 7, 2000), cache.get("a")?.readAt]).toEqual([
      false,
      false,
      1000,
    ]);
    expect([cache.confirm("a", 7, 2000), cache.get("a")?.readAt]).toEqual([true, 2000]);
    expect([cache.confirm("a", 7, 500), cache.get("a")?.readAt]).toEqual([true, 2000]);
  });

  test("estimates the bytes of maps, sets and nested values", () => {
    const value = { map: new Map([["key", ["a".repeat(1000)]]]), set: new Set([1]), nothing: undefined };
    expect(estimateBytes(value)).toBeGreaterThan(1000);
    expect(estimateBytes({})).toBeLessThan(100);
  });
});

describe("an account's catalogue", () => {
  beforeEach(() => setUpCompany());

  /** Opens the account at a time, and reads its catalogue. Returns the catalogue and its cost. */
  async function readAt(now: number) {
    const tenant = openTenant(env, "acme", { binding: env.TENANT_ACME, jurisdiction: undefined }, now);
    const { catalogue } = await tenant.snapshot();
    return { catalogue, calls: tenant.meter.calls, rows: tenant.meter.rowsRead, tenant };
  }
  let start = Date.parse("2090-01-01T00:00:00Z");

  test("reads one row a minute while the catalogue version is unchanged", async () => {
    start += 10_000_000;
    await readAt(start);
    await readAt(start + 61_000);
    const cached = await readAt(start + 130_000);
    expect([cached.calls, cached.rows]).toEqual([1, 1]);
    expect((await readAt(start + 140_000)).calls).toBe(0);
  });

  test("reloads the catalogue within a minute of a change, such as a revoked key", async () => {
    start += 10_000_000;
    const before = await readAt(start);
    await env.TENANT_ACME.prepare("UPDATE partner_keys SET active = 0").run();
    const after = await readAt(start + 61_000);
    expect(after.catalogue.version).toBeGreaterThan(before.catalogue.version);
    expect((await after.tenant.snapshot()).partnerKeys.size).toBe(0);
  });

  test("reads no additional row while searches confirm the catalogue version", async () => {
    start += 10_000_000;
    await readAt(start);
    for (let minute = 1; minute < 5; minute++) {
      const tenant = openTenant(
        env,
        "acme",
        { binding: env.TENANT_ACME, jurisdiction: undefined },
        start + minute * 55_000,
      );
      await readWithFreshCatalogue(tenant, () => []);
      expect(tenant.meter.calls).toBe(1);
    }
  });
});

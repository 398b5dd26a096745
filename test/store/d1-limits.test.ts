import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

// The local runtime accepts more than D1. test/support/d1-limits.ts refuses the rest in all tests of the Worker.
describe("the simulated limits of D1", () => {
  const db = env.TENANT_ACME;
  test("rejects SQL statements over 100,000 bytes in tests, as D1 does", () => {
    expect(() => db.prepare(`SELECT '${"é".repeat(50_000)}'`)).toThrow("SQLITE_TOOBIG");
  });

  test("rejects bound values over 2 MB in tests, as D1 does", () => {
    expect(() => db.prepare("SELECT ?").bind("x".repeat(2_000_001))).toThrow("SQLITE_TOOBIG");
    expect(() => db.prepare("SELECT ?").bind(new Uint8Array(2_000_001))).toThrow("SQLITE_TOOBIG");
  });

  test("rejects results with a value over 2 MB in tests, alone and in a batch, as D1 does", async () => {
    const large = () => db.prepare("SELECT hex(zeroblob(1000001)) AS large");
    await expect(large().all()).rejects.toThrow("SQLITE_TOOBIG");
    await expect(db.batch([large()])).rejects.toThrow("SQLITE_TOOBIG");
    await expect(db.withSession().batch([large()])).rejects.toThrow("SQLITE_TOOBIG");
  });
});

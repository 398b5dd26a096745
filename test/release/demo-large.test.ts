import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "#scripts/data/memory-database.ts";
import { DEMO_MASTER_KEY, DEMO_TIME } from "#support/demo-data.ts";
import { findBrokenInvariants } from "#support/demo-invariants.ts";
import { type SqliteD1, wrapSqlite } from "#support/sqlite-d1.ts";
import { multiplyHistory } from "#tools/bench/growth/multiply.ts";
import { fillLargeAccount } from "#tools/bench/large-account.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";

const options = { contracts: 2_000, now: DEMO_TIME, masterKey: DEMO_MASTER_KEY, account: "acme", log: () => undefined };
let sqlite: DatabaseSync;
let large: SqliteD1;

beforeAll(async () => {
  sqlite = createMigratedDatabase(join(import.meta.dirname, "../../migrations"));
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  large = wrapSqlite(sqlite);
  await fillLargeAccount(large.db, options);
});

describe("the large demo account", () => {
  it.each([
    ["vehicles", "vehicles WHERE active = 1 AND assignable = 1", 1_000],
    ["categories", "categories", 20],
    ["branch groups", "branch_groups", 4],
    ["places", "pickup_places", 40],
    ["contracts", "bookings", 2_000],
    ["contracts open or to come", "bookings WHERE status IN ('confirmed', 'in_progress')", 1_500],
  ])("contains in the large demo account the expected number of %s", (_, from, expected) => {
    expect(large.rows(`SELECT count(*) AS n FROM ${from}`)).toEqual([{ n: expected }]);
  });

  it("satisfies every invariant of the demo accounts in the large demo account", () => {
    expect(findBrokenInvariants(large, DEMO_TIME)).toEqual([]);
  });

  it("stores the large demo account's own API keys, encrypted for the account that it is filled into", async () => {
    const keys = large.rows<{ name: string; sealed: string }>(
      "SELECT api_key AS name, secret_sealed AS sealed FROM partner_keys ORDER BY 1",
    );
    const opened = keys.map(async ({ name, sealed }) => [
      name,
      await decryptSecret({ name: "acme", masterKey: DEMO_MASTER_KEY }, sealed),
    ]);
    expect(await Promise.all(opened)).toEqual([
      ["large-agency", "large-agency-secret"],
      ["large-erp", "large-erp-secret"],
    ]);
  });

  it("multiplies completed and cancelled bookings of the large demo account, and keeps active ones unchanged", () => {
    const before = sqlite.serialize();
    const many = new DatabaseSync(":memory:");
    many.deserialize(before);
    multiplyHistory(many, 4, () => undefined);
    const count = (from: string) => many.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.["n"];
    const over = "bookings WHERE status IN ('done', 'cancelled')";
    const [history] = large.rows<{ n: number }>(`SELECT count(*) AS n FROM ${over}`);
    expect(count(over)).toBe(4 * (history?.n ?? 0));
    expect(count("bookings WHERE status IN ('confirmed', 'in_progress')")).toBe(1_500);
    expect(many.prepare("SELECT total FROM list_totals WHERE list = 'bookings'").get()?.["total"]).toBe(
      count("bookings"),
    );
    expect(many.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    const [triggers] = large.rows<{ n: number }>("SELECT count(*) AS n FROM sqlite_master");
    expect(count("sqlite_master")).toBe(triggers?.n);
  });

  it("refuses to fill the large demo into an account that has data", async () => {
    await expect(fillLargeAccount(large.db, options)).rejects.toThrow("filled already");
  });
});

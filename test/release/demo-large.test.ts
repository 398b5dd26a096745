import { beforeAll, describe, expect, it } from "vitest";
import { masterKey, someMorning } from "#support/demo-data.ts";
import { brokenLaws } from "#support/demo-laws.ts";
import { type SqliteD1, sqliteD1 } from "#support/sqlite-d1.ts";
import { fillLarge } from "#tools/bench/large-account.ts";
import { unseal } from "#worker/auth/sealing.ts";

const options = { contracts: 2_000, now: someMorning, masterKey, account: "acme", log: () => undefined };
let large: SqliteD1;

beforeAll(async () => {
  large = sqliteD1();
  await fillLarge(large.db, options);
});

describe("the account that budgets are measured on", () => {
  it.each([
    ["vehicles", "vehicles WHERE active = 1 AND assignable = 1", 1_000],
    ["categories", "categories", 20],
    ["branch groups", "branch_groups", 4],
    ["places", "pickup_places", 40],
    ["contracts", "bookings", 2_000],
    ["contracts open or to come", "bookings WHERE status IN ('confirmed', 'in_progress')", 1_500],
  ])("has so many %s", (_, from, expected) => {
    expect(large.rows(`SELECT count(*) AS n FROM ${from}`)).toEqual([{ n: expected }]);
  });

  it("keeps every law of the demo accounts", () => {
    expect(brokenLaws(large, someMorning)).toEqual([]);
  });

  it("opens with its own keys, sealed for the tenant it is filled into", async () => {
    const keys = large.rows<{ name: string; sealed: string }>(
      "SELECT api_key AS name, secret_sealed AS sealed FROM partner_keys ORDER BY 1",
    );
    const opened = keys.map(async ({ name, sealed }) => [name, await unseal({ name: "acme", masterKey }, sealed)]);
    expect(await Promise.all(opened)).toEqual([
      ["large-agency", "large-agency-secret"],
      ["large-erp", "large-erp-secret"],
    ]);
  });

  it("is not poured over an account that is filled", async () => {
    await expect(fillLarge(large.db, options)).rejects.toThrow("filled already");
  });
});

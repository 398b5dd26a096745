import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { recordCalls } from "#support/recorded-calls.ts";

beforeEach(() => setUpCompany());

test("counts parallel calls as one step, and each call that starts after another ends as a further step", async () => {
  const recorded = recordCalls(env);
  const db = recorded.bindings.TENANT_ACME;
  const query = () => db.prepare("SELECT ?").bind(1).first();
  await Promise.all([
    query(),
    db.batch([db.prepare("SELECT 2")]),
    openTestTenant(recorded.bindings).cart("none").read(),
  ]);
  expect(recorded.read()).toEqual({ turns: 1, milliseconds: 80 });
  await openTestTenant(recorded.bindings).cart("none").read();
  expect(recorded.read()).toEqual({ turns: 2, milliseconds: 100 });
  const session = db.withSession();
  await session.batch([db.prepare("SELECT 3")]);
  await query().finally(query);
  expect(recorded.read()).toEqual({ turns: 5, milliseconds: 340 });
  expect(recorded.describe().split("\n").toSorted()).toEqual([
    ...["1: SELECT 2", "1: SELECT ?", "1: read", "2: read", "3: SELECT 3", "4: SELECT ?", "5: SELECT ?"],
  ]);
});

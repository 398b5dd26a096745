import { expect, test } from "vitest";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { checkExpectations } from "#tools/chaos/audit/expectations.ts";
import { createHistory } from "#tools/chaos/history.ts";
import { expectRows, runWithExpectedRows } from "#tools/chaos/writers/record-expectations.ts";

// Tests how `npm run chaos` verifies acknowledged writes, which must find injected faults.

const season = (name: string) => ({
  account: "acme" as const,
  sql: "SELECT 1 FROM seasons WHERE name = ?",
  values: [name],
});

function openAccount() {
  const { rows } = createSqliteD1();
  const history = createHistory();
  const listFailedChecks = () => checkExpectations({ acme: rows, globex: rows }, history).map(({ check }) => check);
  return {
    history,
    look: listFailedChecks,
    make: (name: string) => rows("INSERT INTO seasons (name) VALUES (?)", name),
  };
}

test("detects an acknowledged change that is missing or duplicated", async () => {
  const { history, look, make } = openAccount();
  await runWithExpectedRows({ history }, "winter", { ...season("Winter"), before: 0, after: 1 }, async () => true);
  expect(look()).toEqual(["all confirmed records exist"]);
  make("Winter");
  expect(look()).toEqual([]);
  expectRows({ history }, "winter", season("Winter"), 0);
  expect(look()).toEqual(["no record is duplicated or unexpected"]);
});

test("accepts both outcomes of a request without a response, but no row from a rejected request", async () => {
  const { history, look, make } = openAccount();
  const expectedSeason = { ...season("Summer"), before: 0, after: 1 };
  const looked = await runWithExpectedRows({ history }, "summer", expectedSeason, async () => {
    const before = look();
    make("Summer");
    return before.length + look().length === 0 ? undefined : true;
  });
  expect(looked).toBeUndefined();
  const noSeason = { ...season("Autumn"), before: 0, after: 1 };
  await runWithExpectedRows({ history }, "autumn", noSeason, async () => undefined);
  expect(look()).toEqual(["no record is duplicated or unexpected"]);
});

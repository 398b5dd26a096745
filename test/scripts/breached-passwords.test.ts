import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { breachedPasswords, breachedPasswordsFile } from "#scripts/breached-passwords.ts";

test("the filter of breached passwords is the one that its list makes, and holds every one of them", async () => {
  expect(await readFile("worker/domain/access/breached-passwords.ts", "utf8")).toBe(breachedPasswordsFile());
  const open = breachedPasswords().filter((password) => findPasswordProblems(password).length === 0);
  expect(open).toEqual([]);
});

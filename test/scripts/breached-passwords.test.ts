import { readFile } from "node:fs/promises";
import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { breachedPasswordsFile } from "#scripts/breached-passwords.ts";

test("the filter of breached passwords is the one that its list makes, and holds every one of them", async () => {
  expect(await readFile("worker/domain/access/breached-passwords.ts", "utf8")).toBe(breachedPasswordsFile());
  const list = dictionary["passwords-common"] as readonly string[];
  const open = list.filter((password) => password.length >= 8 && findPasswordProblems(password).length === 0);
  expect(open).toEqual([]);
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { formatPasswordFilterModule, listBreachedPasswords } from "#scripts/breached-passwords.ts";

// Proves "security, privacy and operation": Passwords: length, any letter, none known from breaches
// Proves "security.md": A21
test("generates the filter of breached passwords from its list, and finds every one in it", async () => {
  expect(await readFile("worker/domain/access/breached-passwords.ts", "utf8")).toBe(formatPasswordFilterModule());
  const open = listBreachedPasswords().filter((password) => findPasswordProblems(password).length === 0);
  expect(open).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { seedIfEmpty } from "#scripts/demo/fill.ts";
import { openSqliteD1, type SqliteD1, sqliteD1 } from "./sqlite-d1.ts";

export const masterKey = Buffer.alloc(32, "demo master key ").toString("base64");

/** A Friday morning in autumn. */
export const someMorning = new Date("2026-11-20T09:40:00Z");

/** A demo account filled in memory, as of a moment. */
export async function filledDemo(account: "acme" | "globex", now = someMorning): Promise<SqliteD1> {
  const database = sqliteD1();
  await seedIfEmpty(account, database.db, { now, masterKey, log: () => undefined });
  return database;
}

/** A demo account of its own as of some morning, copied from one that is filled once for all files of a test run. */
export async function copiedDemo(account: "acme" | "globex"): Promise<SqliteD1> {
  const folder = inject("demoFolder");
  const template = join(folder, `${account}.sqlite`);
  if (!existsSync(template)) await makeTemplate(account, template);
  const file = join(folder, `${randomUUID()}.sqlite`);
  await copyFile(template, file);
  const copy = openSqliteD1(file);
  await rm(file);
  return copy;
}

// Two files of tests may make it at once: it is there when it is whole, and both are the same.
async function makeTemplate(account: "acme" | "globex", template: string): Promise<void> {
  const { rows } = await filledDemo(account);
  const file = `${template}.${randomUUID()}`;
  rows("VACUUM INTO ?", file);
  await rename(file, template);
}

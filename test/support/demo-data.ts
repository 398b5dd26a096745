import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { createSqliteD1, openDisposableSqliteFile, type SqliteD1 } from "./sqlite-d1.ts";

export const DEMO_MASTER_KEY = Buffer.alloc(32, "demo master key ").toString("base64");

/** A Friday morning in autumn. */
export const DEMO_TIME = new Date("2026-11-20T09:40:00Z");

/** Creates a filled demo account in memory as of a point in time. */
export async function openFilledDemo(account: "acme" | "globex", now = DEMO_TIME): Promise<SqliteD1> {
  const database = createSqliteD1();
  await seedIfEmpty(account, database.db, { now, masterKey: DEMO_MASTER_KEY, log: () => undefined });
  return database;
}

/** Copies a demo account as of a morning from a template filled once per test run. */
export async function openCopiedDemo(account: "acme" | "globex"): Promise<SqliteD1> {
  const folder = inject("demoFolder");
  const template = join(folder, `${account}.sqlite`);
  if (!existsSync(template)) await makeTemplate(account, template);
  const file = join(folder, `${randomUUID()}.sqlite`);
  await copyFile(template, file);
  const copy = openDisposableSqliteFile(file);
  await rm(file);
  return copy;
}

// Two test files may create it in parallel. It appears atomically, and both are equal.
async function makeTemplate(account: "acme" | "globex", template: string): Promise<void> {
  const { rows } = await openFilledDemo(account);
  const file = `${template}.${randomUUID()}`;
  rows("VACUUM INTO ?", file);
  await rename(file, template);
}

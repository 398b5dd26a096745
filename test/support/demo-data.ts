import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillWhereEmpty } from "#scripts/demo/fill.ts";
import { openSqliteD1, type SqliteD1, sqliteD1 } from "./sqlite-d1.ts";

export const masterKey = Buffer.alloc(32, "demo master key ").toString("base64");

/** A Friday morning in autumn. */
export const someMorning = new Date("2026-11-20T09:40:00Z");

/** A demo account filled in memory, as of a moment. */
export async function filledDemo(account: "acme" | "globex", now = someMorning): Promise<SqliteD1> {
  const database = sqliteD1();
  await fillWhereEmpty(account, database.db, { now, masterKey, log: () => undefined });
  return database;
}

const templates = new Map<string, Promise<Uint8Array>>();

/**
 * A demo account of its own as of some morning, copied from one that was filled once: for tests that only break or read
 * it.
 */
export async function copiedDemo(account: "acme" | "globex"): Promise<SqliteD1> {
  const template = templates.get(account) ?? makeTemplate(account);
  templates.set(account, template);
  const bytes = await template;
  return inFolder(async (folder) => {
    const file = join(folder, "copy.sqlite");
    await writeFile(file, bytes);
    return openSqliteD1(file);
  });
}

async function makeTemplate(account: "acme" | "globex"): Promise<Uint8Array> {
  const { rows } = await filledDemo(account);
  return inFolder((folder) => {
    const file = join(folder, "template.sqlite");
    rows("VACUUM INTO ?", file);
    return readFile(file);
  });
}

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

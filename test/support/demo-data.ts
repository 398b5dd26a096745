import { fillWhereEmpty } from "#scripts/demo/fill.ts";
import { type SqliteD1, sqliteD1 } from "./sqlite-d1.ts";

export const masterKey = Buffer.alloc(32, "demo master key ").toString("base64");

/** A Friday morning in autumn. */
export const someMorning = new Date("2026-11-20T09:40:00Z");

/** A demo account filled in memory, as of a moment. */
export async function filledDemo(account: "acme" | "globex", now = someMorning): Promise<SqliteD1> {
  const database = sqliteD1();
  await fillWhereEmpty(account, database.db, { now, masterKey, log: () => undefined });
  return database;
}

import type { DatabaseSync } from "node:sqlite";

/** SQL of the database's clock, and its replacement in the simulation. */
const CLOCKS = [
  ["unixepoch('subsec')", "simulated_now()"],
  ["unixepoch()", "CAST(simulated_now() AS INTEGER)"],
] as const;

/** Replaces the clock in a statement by the simulated one. */
export function replaceNow(sql: string): string {
  return CLOCKS.reduce((text, [real, simulated]) => text.replaceAll(real, simulated), sql);
}

/** Provides the simulated clock (epoch ms) to a database's triggers. */
export function setDatabaseClock(database: DatabaseSync, now: () => number): void {
  database.function("simulated_now", () => Math.floor(now()) / 1000);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const { sql } of triggers) database.exec(replaceNow(String(sql)));
}

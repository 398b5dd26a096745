import type { DatabaseSync } from "node:sqlite";

/** SQL that asks the database's own clock, and what it asks in the simulation instead. */
const CLOCKS = [
  ["unixepoch('subsec')", "simulated_now()"],
  ["unixepoch()", "CAST(simulated_now() AS INTEGER)"],
] as const;

/** A statement that asks the simulated clock. */
export function withSimulatedNow(sql: string): string {
  return CLOCKS.reduce((text, [real, simulated]) => text.replaceAll(real, simulated), sql);
}

/** Lets the triggers of a database ask a clock of the simulation (epoch ms): its own would be the machine's. */
export function setDatabaseClock(database: DatabaseSync, now: () => number): void {
  database.function("simulated_now", () => Math.floor(now()) / 1000);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const { sql } of triggers) database.exec(withSimulatedNow(String(sql)));
}

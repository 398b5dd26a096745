import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import worker from "#worker/entry/office.ts";
import { getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { openTestTenant } from "./databases.ts";

const MINUTE = 60_000;

/** Runs cron from one time to another, every minute or at an interval. */
export async function runCronEveryMinute(
  from: number,
  minutes: number,
  bindings: Cloudflare.Env = env,
  each = 1,
): Promise<void> {
  for (let minute = 0; minute < minutes; minute += each) {
    const controller = createScheduledController({
      scheduledTime: new Date(from + minute * MINUTE),
      cron: "* * * * *",
    });
    await worker.scheduled(controller, bindings);
  }
}

interface BackupTable {
  readonly rows: number;
  readonly hash: string;
  readonly records: readonly unknown[][];
}

/** Reads the tables of a night's backup, and checks the hash of each. Undefined if there is none. */
export async function readBackupTables(
  night: number,
  account = "acme",
): Promise<ReadonlyMap<string, BackupTable> | undefined> {
  const packed = await openTestTenant(env, account).copies?.rows.get(getBackupPath(night));
  if (!packed) return undefined;
  const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  const tables = new Map<string, BackupTable>();
  let foundRows: unknown[][] = [];
  let lines = "";
  for (const line of text.trimEnd().split("\n").slice(1)) {
    const value = JSON.parse(line);
    if (Array.isArray(value)) {
      foundRows.push(value);
      lines += `${line}\n`;
    } else if ("rows" in value) {
      expect(value.hash).toBe(createHash("sha256").update(lines).digest("hex"));
      // A table that took several runs consists of several segments.
      const before = tables.get(value.table);
      const all = [...(before?.records ?? []), ...foundRows];
      tables.set(value.table, { rows: value.rows + (before?.rows ?? 0), hash: value.hash, records: all });
      [foundRows, lines] = [[], ""];
    }
  }
  return tables;
}

/** Returns the rows of each table in order, without the backup's own progress. */
export function listBackupRows(backup: ReadonlyMap<string, BackupTable> | undefined): readonly unknown[] {
  return [...(backup ?? [])].filter(([table]) => table !== "upkeep").map(([table, { records }]) => [table, records]);
}

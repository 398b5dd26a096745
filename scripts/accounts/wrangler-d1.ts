import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BoundStatement, batchedD1, type StatementAnswer } from "#worker/imports/batched-d1.ts";
import { runOrThrow, wrangler } from "../processes.ts";

type Value = string | number | boolean | null;

/** Longer ones go to wrangler as a file, which answers no rows. */
const LONGEST_COMMAND = 60_000;

/**
 * A database behind the part of D1's interface that the commands use, by way of wrangler: the only way to an account's
 * database from outside its Worker. `flags` say which one (`--remote`, or `--local --persist-to …`). Slow, and each
 * batch is a run of wrangler.
 */
export function wranglerD1(databaseName: string, flags: readonly string[]): D1Database {
  return batchedD1(async (statements: readonly BoundStatement<Value>[]) => {
    const text = statements
      .map(({ sql, values }) => `${values.length === 0 ? sql : withValues(sql, values)};`)
      .join("\n");
    return text.length <= LONGEST_COMMAND
      ? runCommand(databaseName, flags, text)
      : runFile(databaseName, flags, text, statements.length);
  });
}

async function runCommand(
  databaseName: string,
  flags: readonly string[],
  command: string,
): Promise<readonly StatementAnswer[]> {
  const args = ["d1", "execute", databaseName, ...flags, "--json", "--yes", "--command", command];
  return parseAnswers(await runOrThrow(...wrangler(...args)));
}

async function runFile(
  databaseName: string,
  flags: readonly string[],
  text: string,
  count: number,
): Promise<readonly StatementAnswer[]> {
  const folder = await mkdtemp(join(tmpdir(), "d1-"));
  try {
    const file = join(folder, "batch.sql");
    await writeFile(file, text);
    await runOrThrow(...wrangler("d1", "execute", databaseName, ...flags, "--yes", "--file", file));
    return Array.from({ length: count }, () => ({ results: [], success: true, meta: {} }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// wrangler prints its warnings before the JSON.
function parseAnswers(output: string): readonly StatementAnswer[] {
  const start = output.search(/^\[\s*$|^\[\{/m);
  if (start === -1) throw new Error(`wrangler answered no rows:\n${output.trim()}`);
  return JSON.parse(output.slice(start)) as StatementAnswer[];
}

/** A statement with its parameters written into it; `?`, or `?1` by number, outside of texts. */
export function withValues(sql: string, values: readonly Value[]): string {
  let next = 0;
  return sql.replace(/'(?:[^']|'')*'|\?(\d+)?/g, (found, number: string | undefined) => {
    if (found.startsWith("'")) return found;
    const value = values[number === undefined ? next++ : Number(number) - 1];
    if (value === undefined) throw new Error("a statement has more parameters than values");
    return toLiteral(value);
  });
}

function toLiteral(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return String(value);
  if (value.includes("\0")) throw new Error("a text with a NUL character cannot be written");
  return `'${value.replaceAll("'", "''")}'`;
}

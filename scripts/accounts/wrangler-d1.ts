import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOrThrow, wrangler } from "../processes.ts";

type Value = string | number | boolean | null;

interface Statement {
  readonly sql: string;
}

/** Longer ones go to wrangler as a file, which answers no rows. */
const LONGEST_COMMAND = 60_000;

/**
 * A database behind the part of D1's interface that the commands use, by way of wrangler: the only way to an account's
 * database from outside its Worker. `flags` say which one (`--remote`, or `--local --persist-to …`). Slow, and each
 * batch is a run of wrangler.
 */
export function wranglerD1(databaseName: string, flags: readonly string[]): D1Database {
  const execute = async (statements: readonly Statement[]) => {
    const text = statements.map(({ sql }) => `${sql};`).join("\n");
    return text.length <= LONGEST_COMMAND
      ? runCommand(databaseName, flags, text)
      : runFile(databaseName, flags, text, statements.length);
  };
  const statement = (sql: string): object => {
    const first = async () => (await execute([{ sql }]))[0] ?? { results: [], success: true, meta: {} };
    return {
      sql,
      bind: (...values: Value[]) => statement(withValues(sql, values)),
      all: first,
      run: first,
      first: async (column?: string) => {
        const row = (await first()).results[0] as Record<string, unknown> | undefined;
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    };
  };
  return {
    prepare: statement,
    batch: (statements: readonly Statement[]) => execute(statements),
  } as unknown as D1Database;
}

interface Answer {
  readonly results: readonly unknown[];
  readonly success: boolean;
  readonly meta: Readonly<Record<string, number>>;
}

async function runCommand(databaseName: string, flags: readonly string[], command: string): Promise<readonly Answer[]> {
  const args = ["d1", "execute", databaseName, ...flags, "--json", "--yes", "--command", command];
  return parseAnswers(await runOrThrow(...wrangler(...args)));
}

async function runFile(
  databaseName: string,
  flags: readonly string[],
  text: string,
  count: number,
): Promise<readonly Answer[]> {
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
function parseAnswers(output: string): readonly Answer[] {
  const start = output.search(/^\[\s*$|^\[\{/m);
  if (start === -1) throw new Error(`wrangler answered no rows:\n${output.trim()}`);
  return JSON.parse(output.slice(start)) as Answer[];
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

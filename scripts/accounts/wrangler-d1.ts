import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BatchStatementResult, type BoundStatement, createBatchedD1 } from "#worker/imports/batched-d1.ts";
import { withTemporaryFolder } from "../files.ts";
import { createWranglerCommand, parseJsonOutput, runOrThrow } from "../processes.ts";

type Value = string | number | boolean | null;

const MAX_STATEMENT_BYTES = 100_000;

/** Longer commands are passed to wrangler as a file, which returns no rows. */
const MAX_COMMAND_LENGTH = 60_000;

/**
 * D1 interface subset implemented with wrangler, the only way to access an account's database from outside its Worker.
 * `flags` select the database (`--remote`, or `--local --persist-to …`). Slow, because each batch runs wrangler.
 */
export function openDatabaseOverWrangler(databaseName: string, flags: readonly string[]): D1Database {
  const execute = (...commandArguments: readonly string[]) =>
    runOrThrow(...createWranglerCommand("d1", "execute", databaseName, ...flags, "--yes", ...commandArguments));
  return createBatchedD1(async (statements: readonly BoundStatement<Value>[]) => {
    const texts = statements.map(({ sql, values }) => `${values.length === 0 ? sql : inlineSqlValues(sql, values)};`);
    for (const text of texts)
      if (Buffer.byteLength(text) > MAX_STATEMENT_BYTES)
        throw new Error(
          `A statement with its values has ${Buffer.byteLength(text)} bytes, and D1 takes ${MAX_STATEMENT_BYTES}. ` +
            "With the variable OPERATOR_KEY, values go through the Worker (docs/production.md).",
        );
    const text = texts.join("\n");
    if (text.length > MAX_COMMAND_LENGTH) {
      await withTemporaryFolder("d1", async (folder) => {
        await writeFile(join(folder, "batch.sql"), text);
        await execute("--file", join(folder, "batch.sql"));
      });
      return statements.map(() => ({ results: [], success: true, meta: {} }));
    }
    const output = await execute("--json", "--command", text);
    const answers = parseJsonOutput<readonly BatchStatementResult[]>(output);
    if (!answers) throw new Error(`wrangler answered no rows:\n${output.trim()}`);
    return answers;
  });
}

/** Inserts parameters into a statement in place of `?` or `?1` outside of string literals. */
export function inlineSqlValues(sql: string, values: readonly Value[]): string {
  let next = 0;
  return sql.replace(/'(?:[^']|'')*'|\?(\d+)?/g, (text, number: string | undefined) => {
    if (text.startsWith("'")) return text;
    const value = values[number === undefined ? next++ : Number(number) - 1];
    if (value === undefined) throw new Error("a statement has more parameters than values");
    return toLiteral(value);
  });
}

function toLiteral(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(Number(value));
  if (value.includes("\0")) throw new Error("a text with a NUL character cannot be written");
  return `'${value.replaceAll("'", "''")}'`;
}

import { setTimeout } from "node:timers/promises";
import { type BatchStatementResult, type BoundStatement, createBatchedD1 } from "#worker/imports/batched-d1.ts";
import { readWranglerConfig } from "../wrangler-toml.ts";

/** Access to a deployment's operator routes. */
export interface OperatorAccess {
  readonly url: string;
  readonly key: string;
}

type Value = string | number | boolean | null;

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const PATIENCE_MS = 180_000;

/**
 * Returns the access to an environment's operator routes: the key from the variable OPERATOR_KEY, the address from
 * OPERATOR_URL or the environment's domain. Undefined without a key.
 */
export function readOperatorAccess(environment: string | undefined): OperatorAccess | undefined {
  const key = process.env["OPERATOR_KEY"];
  if (!key) return undefined;
  const url = process.env["OPERATOR_URL"] || `https://${readWranglerConfig(environment).vars["BASE_DOMAIN"]}`;
  return { url: url.replace(/\/$/, ""), key };
}

/**
 * Returns the access to the operator routes, for data that wrangler can't carry. Throws with instructions if it's
 * missing.
 */
export function requireOperatorAccess(operator: OperatorAccess | undefined): OperatorAccess {
  if (operator) return operator;
  throw new Error(
    "Set the variable OPERATOR_KEY to the secret of that name of the office's Worker: the data goes through the Worker, " +
      "because wrangler can't carry it (docs/production.md).",
  );
}

/** Database of an account behind the operator's route. Values are bound, never part of the SQL's text. */
export function openDatabaseOverOperatorApi(operator: OperatorAccess, account: string): D1Database {
  return createBatchedD1(async (statements: readonly BoundStatement<Value>[]) => {
    // D1 stores a boolean as a number.
    const bound = statements.map(({ sql, values }) => ({
      sql,
      values: values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
    }));
    const body = JSON.stringify({ statements: bound });
    // A write may have been committed although its answer was lost. Only reads are repeated.
    const isRead = statements.every(({ sql }) => /^\s*(select|pragma|explain)\b/i.test(sql));
    const answer = await send(operator, `/operator/accounts/${account}/batch`, { method: "POST", body }, isRead);
    return ((await answer.json()) as { readonly answers: readonly BatchStatementResult[] }).answers;
  });
}

/** Downloads the backup of a day. Undefined if there's none. */
export async function fetchBackup(
  operator: OperatorAccess,
  account: string,
  day: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const answer = await request(operator, `/operator/accounts/${account}/backups/${day}`, {});
  if (answer.status === 404) return undefined;
  if (!answer.ok || !answer.body) throw await toError(operator, account, answer);
  return answer.body as ReadableStream<Uint8Array>;
}

/** Records which account a restored account's data comes from. */
export async function sendRestoreOrigin(operator: OperatorAccess, into: string, origin: string): Promise<void> {
  await send(operator, `/operator/accounts/${into}/origin/${origin}`, { method: "PUT" }, true);
}

/**
 * Sends a command to an operator route. The command must be repeatable, because it's sent again if the Worker is
 * overloaded.
 */
export async function callOperator<T>(
  operator: OperatorAccess,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const init = { method, ...(body && { body: JSON.stringify(body) }) };
  const answer = await send(operator, path, init, true);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

async function send(
  operator: OperatorAccess,
  path: string,
  init: RequestInit,
  isRepeatable: boolean,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = !isRepeatable || attempt === ATTEMPTS;
    const answer = await request(operator, path, init).catch((error: unknown) => {
      if (isLast) throw error;
      return undefined;
    });
    if (answer?.ok) return answer;
    if (answer && (answer.status !== 503 || isLast)) throw await toError(operator, path.split("/")[3] ?? "", answer);
    await setTimeout(FIRST_PAUSE_MS * 2 ** attempt);
  }
}

function request({ url, key }: OperatorAccess, path: string, init: RequestInit): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
}

async function toError({ url }: OperatorAccess, account: string, answer: Response): Promise<Error> {
  const { error, code } = (await answer.json().catch(() => ({}))) as {
    readonly error?: string;
    readonly code?: string;
  };
  if (answer.status === 401)
    return new Error(`${url} refuses OPERATOR_KEY: it isn't the secret of the office's Worker.`);
  if (answer.status === 404 && (code === undefined || code === "unknown_path"))
    return new Error(
      `${url} has no operator's route for ${account}: deploy it with the secret OPERATOR_KEY and this company first.`,
    );
  return new Error(error ?? `${url} answered ${answer.status}.`);
}

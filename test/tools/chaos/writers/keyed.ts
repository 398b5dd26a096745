import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type AccountName, type Call, jsonCall, parseJson, unexpected } from "#tools/platform/client.ts";
import type { ResourceWork } from "../history.ts";
import type { WriterContext } from "./context.ts";

const BUSY_MILLISECONDS = 500;

export const OFFICE = "/api/v1/office";

/** A thing of the office as it was told last. */
export interface ResourceSnapshot {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}

interface KeyedWrite {
  readonly account: AccountName;
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the office's address. */
  readonly path: string;
  readonly body?: object;
  /** What kind of thing it is, and which one where it is there already. */
  readonly kind: ResourceWork["kind"];
  readonly id?: string;
  /** Whether it may have come to an end meanwhile, so that it is not found. */
  readonly mayBeGone?: boolean;
}

/**
 * One write of the office under a key of its own, until it is answered, and now and then once more. Answers the thing
 * as it is told; undefined where it was refused, which changes nothing, and where there is nothing to tell.
 */
export async function writeKeyed(context: WriterContext, write: KeyedWrite): Promise<ResourceSnapshot | undefined> {
  const answered = await askKeyed(context, write);
  return answered && readSnapshot(answered);
}

/** The same for what answers no thing of a version: answers what it answers, undefined where it was refused. */
export async function askKeyed(
  context: WriterContext,
  write: KeyedWrite,
  // biome-ignore lint/suspicious/noExplicitAny: what the writers read of an answer is checked against the database.
): Promise<any> {
  const { client, history, random, staffTokens } = context;
  const { account, method, path, body, kind, id, mayBeGone = false } = write;
  const key = randomUUID();
  const call = withKey(buildOfficeCall(staffTokens[account], { account, method, path: OFFICE + path }, body), key);
  const work = { account, kind, isRemoval: method === "DELETE" };
  const keep = (state: ResourceWork["state"], snapshot?: ResourceSnapshot) =>
    history.things.set(key, { ...work, state, id: snapshot?.id ?? id, version: snapshot?.version });
  keep("asked");
  let answer = await client.sendUntilAnswered(call);
  // Its own twin, whose answer was lost, is still at work.
  while (answer.status === 409 && parseJson(answer).code === "import_running") {
    await setTimeout(BUSY_MILLISECONDS);
    answer = await client.sendUntilAnswered(call);
  }
  // Named by something else, changed by somebody else, or another one has it.
  if (answer.status === 409 || (mayBeGone && answer.status === 404)) {
    keep("refused");
    return undefined;
  }
  if (answer.status >= 300) throw unexpected(call, answer);
  const answered = answer.status === 204 ? {} : parseJson(answer);
  const snapshot = readSnapshot(answered);
  keep("done", snapshot);
  if (!random.chance(0.2)) return answered;
  const again = await client.sendUntilAnswered(call);
  const isSame = again.status === answer.status && (!snapshot || readSnapshot(parseJson(again))?.id === snapshot.id);
  if (!isSame) throw unexpected(call, again);
  return answered;
}

/** A call of the office by who is signed in. */
export function buildOfficeCall(
  token: string,
  call: Pick<Call, "account" | "method" | "path">,
  body: object | undefined,
): Call {
  return body === undefined ? { ...call, headers: { Authorization: token } } : jsonCall(call, body, token);
}

export function withKey(call: Call, key: string): Call {
  return { ...call, headers: { ...call.headers, "Idempotency-Key": `"${key}"` } };
}

/** Asks the office for something that it keeps nothing of; undefined where it may be refused, and is. */
export async function askOffice(
  context: WriterContext,
  call: Pick<Call, "account" | "method" | "path">,
  body?: object,
  refusals: readonly number[] = [],
) {
  const { account, method, path } = call;
  const officeCall = buildOfficeCall(context.staffTokens[account], { account, method, path: OFFICE + path }, body);
  const answer = await context.client.sendUntilAnswered(officeCall);
  if (refusals.includes(answer.status)) return undefined;
  if (answer.status !== 200) throw unexpected(officeCall, answer);
  return parseJson(answer);
}

// The one member of an answer that has a version.
function readSnapshot(answer: Readonly<Record<string, unknown>>): ResourceSnapshot | undefined {
  for (const value of Object.values(answer)) {
    const values = Object(value) as Readonly<Record<string, unknown>>;
    const name = values["id"] ?? values["reference"];
    if (typeof values["version"] === "number" && name !== undefined)
      return { id: String(name), version: values["version"], values };
  }
  return undefined;
}

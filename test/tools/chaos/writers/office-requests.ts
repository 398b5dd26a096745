import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  type AccountName,
  type Call,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import type { ResourceWriteRecord } from "../history.ts";
import type { WriterContext } from "./context.ts";

const BUSY_MILLISECONDS = 500;

export const OFFICE_PATH = "/api/v1/office";

/** A record in the office API as last returned. */
export interface ResourceSnapshot {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}

interface KeyedWrite {
  readonly account: AccountName;
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path below the office API. */
  readonly path: string;
  readonly body?: object;
  /** Resource kind and id, if it exists. */
  readonly kind: ResourceWriteRecord["kind"];
  readonly id?: string;
  /** Whether the request is stored under another name than the record's id. */
  readonly hasOtherName?: boolean;
  /** Whether the rental may not be sold then, for example by a selling rule. */
  readonly mayBeUnsold?: boolean;
  /** Whether it may have been removed, so that it isn't found. */
  readonly mayBeGone?: boolean;
}

/**
 * Sends an office write with its own key until there's a response, sometimes repeated. Returns the record. Undefined if
 * it was rejected, which changes nothing, or has no content.
 */
export async function writeOfficeResource(
  context: WriterContext,
  write: KeyedWrite,
): Promise<ResourceSnapshot | undefined> {
  const answered = await sendWithIdempotencyKey(context, write);
  return answered && readSnapshot(answered);
}

/** Sends an office write without a versioned record in its response. Returns the response, or undefined if rejected. */
export async function sendWithIdempotencyKey(
  context: WriterContext,
  write: KeyedWrite,
  // biome-ignore lint/suspicious/noExplicitAny: what the writers read of an answer is checked against the database.
): Promise<any> {
  const { client, history, random, staffTokens } = context;
  const { account, method, path, body, kind, id, hasOtherName = false, mayBeGone = false, mayBeUnsold = false } = write;
  const key = randomUUID();
  const call = addIdempotencyKey(
    buildOfficeCall(staffTokens[account], { account, method, path: OFFICE_PATH + path }, body),
    key,
  );
  const work = { account, kind, isRemoval: method === "DELETE" };
  const keep = (state: ResourceWriteRecord["state"], snapshot?: ResourceSnapshot) =>
    history.resources.set(key, { ...work, state, id: snapshot?.id ?? id, version: snapshot?.version });
  keep("asked");
  let answer = await client.sendUntilAnswered(call);
  // Its own earlier request, after a lost response, is still running.
  while (answer.status === 409 && parseJson(answer).code === "import_running") {
    await setTimeout(BUSY_MILLISECONDS);
    answer = await client.sendUntilAnswered(call);
  }
  // Referenced by another record, changed by another user, or already existing.
  const refusals = [409, ...(mayBeGone ? [404] : []), ...(mayBeUnsold ? [400] : [])];
  if (refusals.includes(answer.status)) {
    keep("refused");
    return undefined;
  }
  if (answer.status >= 300) throw createUnexpectedAnswerError(call, answer);
  const answered = answer.status === 204 ? {} : parseJson(answer);
  const snapshot = readSnapshot(answered);
  keep("done", hasOtherName ? undefined : snapshot);
  if (!random.chance(0.2)) return answered;
  const again = await client.sendUntilAnswered(call);
  const isSame = again.status === answer.status && (!snapshot || readSnapshot(parseJson(again))?.id === snapshot.id);
  if (!isSame) throw createUnexpectedAnswerError(call, again);
  return answered;
}

/** Creates an office call of a signed-in user. */
export function buildOfficeCall(
  token: string,
  call: Pick<Call, "account" | "method" | "path">,
  body: object | undefined,
): Call {
  return body === undefined ? { ...call, headers: { Authorization: token } } : createJsonCall(call, body, token);
}

export function addIdempotencyKey(call: Call, key: string): Call {
  return { ...call, headers: { ...call.headers, "Idempotency-Key": `"${key}"` } };
}

/** Sends an office request without side effects. Undefined if it may be and is rejected. */
export async function sendToOffice(
  context: WriterContext,
  call: Pick<Call, "account" | "method" | "path">,
  body?: object,
  allowedStatuses: readonly number[] = [],
) {
  const { account, method, path } = call;
  const officeCall = buildOfficeCall(context.staffTokens[account], { account, method, path: OFFICE_PATH + path }, body);
  const answer = await context.client.sendUntilAnswered(officeCall);
  if (allowedStatuses.includes(answer.status)) return undefined;
  if (answer.status !== 200) throw createUnexpectedAnswerError(officeCall, answer);
  return parseJson(answer);
}

// Finds the member of a response that has a version.
function readSnapshot(answer: Readonly<Record<string, unknown>>): ResourceSnapshot | undefined {
  for (const value of Object.values(answer)) {
    const values = Object(value) as Readonly<Record<string, unknown>>;
    const name = values["id"] ?? values["reference"];
    if (typeof values["version"] === "number" && name !== undefined)
      return { id: String(name), version: values["version"], values };
  }
  return undefined;
}

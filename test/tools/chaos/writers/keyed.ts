import { randomUUID } from "node:crypto";
import { type AccountName, type Call, jsonCall, jsonOf, unexpected } from "#tools/platform/client.ts";
import type { ThingWork } from "../history.ts";
import type { WriterContext } from "./context.ts";

export const OFFICE = "/api/v1/office";

/** A thing of the office as it was told last. */
export interface ToldThing {
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
  readonly kind: ThingWork["kind"];
  readonly id?: string;
}

/**
 * One write of the office under a key of its own, until it is answered, and now and then once more. Answers the thing
 * as it is told; undefined where it was refused, which changes nothing, and where there is nothing to tell.
 */
export async function writeKeyed(context: WriterContext, write: KeyedWrite): Promise<ToldThing | undefined> {
  const { client, history, random, staffTokens } = context;
  const { account, method, path, body, kind, id } = write;
  const key = randomUUID();
  const call = withKey(callOf(staffTokens[account], { account, method, path: OFFICE + path }, body), key);
  const work = { account, kind, isRemoval: method === "DELETE" };
  const keep = (state: ThingWork["state"], told?: ToldThing) =>
    history.things.set(key, { ...work, state, id: told?.id ?? id, version: told?.version });
  keep("asked");
  const answer = await client.sendUntilAnswered(call);
  // Named by something else, changed by somebody else, or another one has it.
  if (answer.status === 409) {
    keep("refused");
    return undefined;
  }
  if (answer.status >= 300) throw unexpected(call, answer);
  const told = answer.status === 204 ? undefined : thingIn(jsonOf(answer));
  keep("done", told);
  if (!random.chance(0.2)) return told;
  const again = await client.sendUntilAnswered(call);
  const isSame = again.status === answer.status && (!told || thingIn(jsonOf(again))?.id === told.id);
  if (!isSame) throw unexpected(call, again);
  return told;
}

/** A call of the office by who is signed in. */
export function callOf(token: string, call: Pick<Call, "account" | "method" | "path">, body: object | undefined): Call {
  return body === undefined ? { ...call, headers: { Authorization: token } } : jsonCall(call, body, token);
}

export function withKey(call: Call, key: string): Call {
  return { ...call, headers: { ...call.headers, "Idempotency-Key": `"${key}"` } };
}

/** Asks the office for something that it keeps nothing of. */
export async function askOffice(
  context: WriterContext,
  call: Pick<Call, "account" | "method" | "path">,
  body?: object,
) {
  const { account, method, path } = call;
  const asked = callOf(context.staffTokens[account], { account, method, path: OFFICE + path }, body);
  const answer = await context.client.sendUntilAnswered(asked);
  if (answer.status !== 200) throw unexpected(asked, answer);
  return jsonOf(answer);
}

// The one member of an answer that has a version.
function thingIn(answer: Readonly<Record<string, unknown>>): ToldThing | undefined {
  for (const value of Object.values(answer)) {
    const values = Object(value) as Readonly<Record<string, unknown>>;
    const name = values["id"] ?? values["reference"];
    if (typeof values["version"] === "number" && name !== undefined)
      return { id: String(name), version: values["version"], values };
  }
  return undefined;
}

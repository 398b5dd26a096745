import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { type Failure, failures, invalidInput, repeatedName, tooLongForm } from "#worker/api/failure.ts";
import { decodeUtf8, NOT_UTF8, parseJsonObject } from "#worker/api/json-text.ts";
import { type assertion, loginInput } from "./messages.ts";

type Members = Readonly<Record<string, unknown>>;
type Read<T> = { readonly value: T } | { readonly failure: Failure };

/** Who wants to sign in, from the query, a JSON body or a form; what a body says counts before the query. */
export async function readLogin(c: Context<AppEnvironment>): Promise<
  Read<{
    readonly username: string;
    readonly password: string;
    readonly code?: string | undefined;
    readonly passkey?: z.infer<typeof assertion> | undefined;
    readonly lang?: string | undefined;
  }>
> {
  const body = await readMembers(c);
  if ("failure" in body) return body;
  const parsed = loginInput.safeParse({ ...c.req.query(), ...body.value });
  if (parsed.success) return { value: parsed.data };
  return {
    failure: invalidInput(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message }))),
  };
}

async function readMembers(c: Context<AppEnvironment>): Promise<Read<Members>> {
  const text = decodeUtf8(await c.req.arrayBuffer());
  if (text === undefined) return { failure: invalidInput([NOT_UTF8]) };
  if (text === "") return { value: {} };
  const type = c.req.header("Content-Type") ?? "";
  if (/^application\/json\s*(;|$)/i.test(type)) return fromJson(text);
  const tooLong = tooLongForm(text, type);
  if (tooLong) return { failure: tooLong };
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return fromForm([...new URLSearchParams(text)]);
  if (/^multipart\/form-data\s*;/i.test(type)) return fromMultipart(c);
  return { failure: failures.notJsonOrForm };
}

function fromJson(text: string): Read<Members> {
  const parsed = parseJsonObject(text);
  return "problem" in parsed ? { failure: invalidInput([parsed.problem]) } : parsed;
}

async function fromMultipart(c: Context<AppEnvironment>): Promise<Read<Members>> {
  try {
    return fromForm([...(await c.req.formData())]);
  } catch {
    return { failure: failures.unreadable };
  }
}

function fromForm(entries: readonly (readonly [string, unknown])[]): Read<Members> {
  const repeated = repeatedName(entries.map(([name]) => name));
  return repeated ? { failure: repeated } : { value: Object.fromEntries(entries) };
}

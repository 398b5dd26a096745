import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isEncodedForm, isJson, isMultipart } from "#worker/api/content-types.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import {
  checkFormSize,
  checkParameterNames,
  createInvalidInputFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import { toFieldProblems } from "#worker/api/input-problems.ts";
import { decodeUtf8, type JsonProblem, parseJsonBody } from "#worker/api/json-text.ts";
import { loginBody, type passkeyAssertionSchema } from "./messages.ts";

type Members = Readonly<Record<string, unknown>>;
type InputResult<T> = { readonly value: T } | { readonly failure: Failure };

/** Reads the sign-in data from the query, a JSON body or a form. The body takes precedence over the query. */
export async function readLoginInput(c: Context<AppEnvironment>): Promise<
  InputResult<{
    readonly username: string;
    readonly password: string;
    readonly code?: string | undefined;
    readonly passkey?: z.infer<typeof passkeyAssertionSchema> | undefined;
    readonly lang?: string | undefined;
  }>
> {
  const body = await readMembers(c);
  if ("failure" in body) return body;
  const parsed = loginBody.safeParse({ ...c.req.query(), ...body.value });
  if (parsed.success) return { value: parsed.data };
  return {
    failure: createInvalidInputFailure(toFieldProblems(parsed.error.issues, { ...c.req.query(), ...body.value })),
  };
}

async function readMembers(c: Context<AppEnvironment>): Promise<InputResult<Members>> {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength === 0) return { value: {} };
  const type = c.req.header("Content-Type") ?? "";
  if (isJson(type)) return orFailure(parseJsonBody(bytes));
  const decoded = decodeUtf8(bytes);
  if ("problem" in decoded) return orFailure(decoded);
  const tooLong = checkFormSize(decoded.text, type);
  if (tooLong) return { failure: tooLong };
  if (isEncodedForm(type)) return fromForm([...new URLSearchParams(decoded.text)]);
  if (isMultipart(type)) return fromMultipart(c);
  return { failure: failures.notJsonOrForm };
}

function orFailure<T>(read: { readonly value: T } | { readonly problem: JsonProblem }): InputResult<T> {
  return "problem" in read ? { failure: createInvalidInputFailure([read.problem]) } : read;
}

async function fromMultipart(c: Context<AppEnvironment>): Promise<InputResult<Members>> {
  try {
    return fromForm([...(await c.req.formData())]);
  } catch {
    return { failure: failures.unreadable };
  }
}

function fromForm(entries: readonly (readonly [string, unknown])[]): InputResult<Members> {
  const repeated = checkParameterNames(entries.map(([name]) => name));
  return repeated ? { failure: repeated } : { value: Object.fromEntries(entries) };
}

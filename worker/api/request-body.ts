import { createMiddleware } from "hono/factory";
import { isForm, isJson } from "./content-types.ts";
import type { AppEnvironment } from "./environment.ts";
import { type Failure, failures, invalidInput, repeatedName, tooLongForm } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { parseJsonBody } from "./json-text.ts";

const MEBIBYTE = 1024 * 1024;

/** As long as a body of requests may take to come: longer than a phone with a bad signal needs for a mebibyte. */
const LONGEST_BODY_MILLISECONDS = 120_000;

/** Why a body was not read to its end: it is too long, it came too slowly, or its sender hung up. */
export type BodyProblem = "tooLarge" | "tooSlow" | "brokenOff";

/**
 * Reads a body, counting: one that grows longer than `most.bytes` is given up at that byte, and one that is not whole
 * after `most.milliseconds` is not waited for. Its declared length is believed where it is too long already.
 */
export async function readBody(
  { headers, body }: Pick<Request, "headers" | "body">,
  most: { readonly bytes: number; readonly milliseconds: number },
): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  if (Number(headers.get("Content-Length") ?? 0) > most.bytes) return "tooLarge";
  if (!body) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const late = deferred(most.milliseconds);
  try {
    const read = await Promise.race([readAll(reader, most.bytes), late.promise]);
    // Not awaited: a sender that never ends would keep us.
    if (typeof read === "string") void reader.cancel().catch(() => undefined);
    return read;
  } catch {
    return "brokenOff";
  } finally {
    late.forget();
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > mostBytes) return "tooLarge";
    chunks.push(read.value);
  }
  return joined(chunks, length);
}

function deferred(milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<BodyProblem>((resolve) => {
    timer = setTimeout(() => resolve("tooSlow"), milliseconds);
  });
  return { promise, forget: () => clearTimeout(timer) };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

/** How a body that was not read to its end is answered; nobody hears what is told to a sender that hung up. */
export const bodyFailures = {
  tooLarge: failures.tooLarge,
  tooSlow: failures.tooSlow,
  brokenOff: failures.unreadable,
} as const satisfies Record<BodyProblem, Failure>;

/** How much of a body that nobody asked for an answer waits for: what clients send, and no more of what attacks. */
const UNASKED = { bytes: 64 * 1024, milliseconds: 1000 };

/**
 * Reads to its end what was sent and nobody asked for: a server that has answered before closes the connection, and
 * what its sender asks next is lost with it. What is long or slow is not waited for.
 */
export const readUnasked = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const { raw } = c.req;
  if (!raw.body || raw.bodyUsed) return;
  await readBody(raw, UNASKED);
});

/**
 * Refuses a body over 1 MiB, or whatever is said, at its first byte too many, and one that never comes to its end,
 * before anything else looks at it.
 */
export function bodyCap(toErrorResponse: ToErrorResponse, mostBytes = MEBIBYTE) {
  const message = `The body of the request is larger than ${mostBytes / MEBIBYTE} MiB`;
  const refusals = { ...bodyFailures, tooLarge: { ...failures.tooLarge, message } };
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const body = await readBody(c.req.raw, { bytes: mostBytes, milliseconds: LONGEST_BODY_MILLISECONDS });
    if (typeof body === "string") return toErrorResponse(c, refusals[body]);
    // Where hono looks for what was read.
    Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(body.buffer) });
    return next();
  });
}

/** Lets only a JSON object through: the content type, the syntax, no member twice. */
export function jsonBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!isJson(c.req.header("Content-Type"))) return toErrorResponse(c, failures.notJson);
    const parsed = parseJsonBody(await c.req.arrayBuffer());
    return "problem" in parsed ? toErrorResponse(c, invalidInput([parsed.problem])) : next();
  });
}

/** Lets only a form through, no field twice. */
export function formBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const type = c.req.header("Content-Type") ?? "";
    if (!isForm(type)) return toErrorResponse(c, failures.notForm);
    const tooLong = tooLongForm(new TextDecoder().decode(await c.req.arrayBuffer()), type);
    if (tooLong) return toErrorResponse(c, tooLong);
    const form = await c.req.formData().catch(() => undefined);
    if (!form) return toErrorResponse(c, failures.unreadable);
    const repeated = repeatedName([...form.keys()]);
    return repeated ? toErrorResponse(c, repeated) : next();
  });
}

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { isForm, isJson } from "./content-types.ts";
import type { AppEnvironment } from "./environment.ts";
import { type Failure, failures, invalidInput, repeatedName, tooLongForm } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { parseJsonBody } from "./json-text.ts";

const MEBIBYTE = 1024 * 1024;

/** As long as a body of requests may take to come: longer than a phone with a bad signal needs for a mebibyte. */
const MAX_BODY_MS = 120_000;

/** Why a body was not read to its end: it is too long, it came too slowly, or its sender hung up. */
export type BodyProblem = "tooLarge" | "tooSlow" | "brokenOff";

/**
 * Reads a body: one that is longer than `most.bytes`, or is not whole after `most.milliseconds`, is given up. A
 * declared length is the network's word, which lets no byte more through; a body without one is counted as it comes.
 */
export async function readBody(
  request: Request,
  limits: { readonly bytes: number; readonly milliseconds: number },
): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const declared = request.headers.get("Content-Length");
  if (Number(declared ?? 0) > limits.bytes) return "tooLarge";
  if (!request.body) return new Uint8Array();
  const late = deferred(limits.milliseconds);
  try {
    return await (declared === null
      ? readCounting(request.body.getReader(), limits.bytes, late.promise)
      : Promise.race([readFullBody(request, limits.bytes), late.promise]));
  } catch {
    return "brokenOff";
  } finally {
    late.forget();
  }
}

async function readFullBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? "tooLarge" : bytes;
}

async function readCounting(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  late: Promise<BodyProblem>,
): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const read = await Promise.race([readAll(reader, maxBytes), late]);
  // Not awaited: a sender that never ends would keep us.
  if (typeof read === "string") void reader.cancel().catch(() => undefined);
  return read;
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > maxBytes) return "tooLarge";
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
const UNREAD_BODY_LIMITS = { bytes: 64 * 1024, milliseconds: 1000 };

/**
 * Reads to its end what was sent and nobody asked for: a server that has answered before closes the connection, and
 * what its sender asks next is lost with it. What is long or slow is not waited for.
 */
export const drainRequestBody = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const { raw } = c.req;
  if (raw.bodyUsed || !raw.body) return;
  await readBody(raw, UNREAD_BODY_LIMITS);
});

/**
 * Refuses a body over 1 MiB, or whatever is said, at its first byte too many, and one that never comes to its end,
 * before anything else looks at it.
 */
export function bodyCap(toErrorResponse: ToErrorResponse, maxBytes = MEBIBYTE) {
  const message = `The body of the request is larger than ${maxBytes / MEBIBYTE} MiB`;
  const refusals = { ...bodyFailures, tooLarge: { ...failures.tooLarge, message } };
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const body = await readBody(c.req.raw, { bytes: maxBytes, milliseconds: MAX_BODY_MS });
    if (typeof body === "string") return toErrorResponse(c, refusals[body]);
    cacheBody(c, "arrayBuffer", body.buffer);
    return next();
  });
}

/** Lets only a JSON object through: the content type, the syntax, no member twice. */
export function jsonBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!isJson(c.req.header("Content-Type"))) return toErrorResponse(c, failures.notJson);
    const parsed = parseJsonBody(await c.req.arrayBuffer());
    if ("problem" in parsed) return toErrorResponse(c, invalidInput([parsed.problem]));
    cacheBody(c, "text", parsed.text);
    return next();
  });
}

/** Lets whatever reads the body behind see this text in its place. */
export function replaceBody(c: Context<AppEnvironment>, text: string): void {
  c.req.bodyCache = {};
  cacheBody(c, "text", text);
}

// Where hono looks for what was read: it makes a response to turn bytes into text.
function cacheBody(c: Context<AppEnvironment>, kind: "arrayBuffer" | "text", body: ArrayBuffer | string): void {
  Object.assign(c.req.bodyCache, { [kind]: Promise.resolve(body) });
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

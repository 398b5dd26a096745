import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { yieldDuringLargeFile } from "#worker/tenancy/pause.ts";
import { isForm, isJson } from "./content-types.ts";
import type { AppEnvironment } from "./environment.ts";
import { checkFormSize, checkParameterNames, createInvalidInputFailure, type Failure, failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { parseJsonBody } from "./json-text.ts";

const MEBIBYTE = 1024 * 1024;

/** Time limit for receiving a body: more than a device with a bad signal needs for one mebibyte. */
const MAX_BODY_MS = 120_000;

/** Reason why a body wasn't read completely: too large, too slow, or closed by the sender. */
export type BodyProblem = "tooLarge" | "tooSlow" | "brokenOff";

interface BodyLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Reads a body and stops if it exceeds `limits.bytes` or isn't complete after `limits.milliseconds`. Bodies
 * without a declared length, or with a long one, are read in pieces and counted. The network enforces a
 * declared length.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const declared = request.headers.get("Content-Length");
  if (declared === null || Number(declared) > MAX_BYTES_READ_AT_ONCE) {
    const pieces: Uint8Array[] = [];
    const length = await readInPieces(request, limits, (piece) => pieces.push(piece));
    return typeof length === "string" ? length : joined(pieces, length);
  }
  if (Number(declared) > limits.bytes) return "tooLarge";
  if (!request.body) return new Uint8Array();
  const late = deferred(limits.milliseconds);
  try {
    return await Promise.race([readFullBody(request, limits.bytes), late.promise]);
  } catch {
    return "brokenOff";
  } finally {
    late.forget();
  }
}

/** Reads a body without storing it, with the same limits and problems as `readBody`. Returns its length. */
export function skipBody(request: Request, limits: BodyLimits): Promise<number | BodyProblem> {
  return readInPieces(request, limits, () => undefined);
}

async function readFullBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | BodyProblem> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? "tooLarge" : bytes;
}

/** Longer bodies are read in pieces, because one of ten megabytes would stop the thread for 15 ms. */
const MAX_BYTES_READ_AT_ONCE = 256 * 1024;
/** Size of a piece. Each slow sender of a long body occupies this much memory. */
const PIECE_BYTES = 32 * 1024;
const BYTES_PER_PAUSE = 4 * PIECE_BYTES;

type Piece = { readonly done: boolean; readonly value?: Uint8Array | undefined };

async function readInPieces(
  request: Request,
  limits: BodyLimits,
  keep: (piece: Uint8Array) => void,
): Promise<number | BodyProblem> {
  if (Number(request.headers.get("Content-Length") ?? 0) > limits.bytes) return "tooLarge";
  if (!request.body) return 0;
  const late = deferred(limits.milliseconds);
  try {
    const reader = openReader(request);
    const read = await Promise.race([readAll(reader.next, limits.bytes, keep), late.promise]);
    // Not awaited because an endless sender would block the request.
    if (typeof read === "string") void reader.cancel().catch(() => undefined);
    return read;
  } catch {
    return "brokenOff";
  } finally {
    late.forget();
  }
}

// Long bodies are read in pieces of equal length, which takes fewer steps than the network's pieces.
function openReader({ body, headers }: Request) {
  if (!body) throw new Error("the request has no body");
  const bytes = headers.has("Content-Length") ? openByteReader(body) : undefined;
  if (bytes) {
    const next = (): Promise<Piece> => bytes.readAtLeast(PIECE_BYTES, new Uint8Array(PIECE_BYTES));
    return { next, cancel: () => bytes.cancel() };
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  return { next: (): Promise<Piece> => reader.read(), cancel: () => reader.cancel() };
}

// Undefined if the stream isn't a byte stream, or if the runtime doesn't have `readAtLeast`.
function openByteReader(stream: ReadableStream): ReadableStreamBYOBReader | undefined {
  if (!("readAtLeast" in ReadableStreamBYOBReader.prototype)) return undefined;
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

async function readAll(
  next: () => Promise<Piece>,
  maxBytes: number,
  keep: (piece: Uint8Array) => void,
): Promise<number | BodyProblem> {
  let [length, untilPause] = [0, BYTES_PER_PAUSE];
  for (let read = await next(); !read.done; read = await next()) {
    const piece = read.value ?? new Uint8Array();
    length += piece.byteLength;
    if (length > maxBytes) return "tooLarge";
    keep(piece);
    untilPause -= piece.byteLength;
    if (untilPause > 0) continue;
    untilPause = BYTES_PER_PAUSE;
    await yieldDuringLargeFile();
  }
  return length;
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

/** Responses for bodies that weren't read completely. A sender that closed the connection receives none. */
export const bodyFailures = {
  tooLarge: failures.tooLarge,
  tooSlow: failures.tooSlow,
  brokenOff: failures.unreadable,
} as const satisfies Record<BodyProblem, Failure>;

/** Limits for draining an unread body before responding: enough for normal clients, without benefit for attackers. */
const UNREAD_BODY_LIMITS = { bytes: 64 * 1024, milliseconds: 1000 };

/**
 * Drains the body of a request that no handler read. A server that responds earlier closes the connection, and the
 * sender's next request is lost. Doesn't wait for long or slow bodies.
 */
export const drainRequestBody = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const { raw } = c.req;
  if (raw.bodyUsed || !raw.body) return;
  await readBody(raw, UNREAD_BODY_LIMITS);
});

/**
 * Rejects a body over 1 MiB at the first excess byte, regardless of its declared length, and a body that never ends.
 * Runs before anything else reads the body.
 */
export function limitBodySize(toErrorResponse: ToErrorResponse, maxBytes = MEBIBYTE) {
  const message = `The body of the request is larger than ${maxBytes / MEBIBYTE} MiB`;
  const refusals = { ...bodyFailures, tooLarge: { ...failures.tooLarge, message } };
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const body = await readBody(c.req.raw, { bytes: maxBytes, milliseconds: MAX_BODY_MS });
    if (typeof body === "string") return toErrorResponse(c, refusals[body]);
    cacheBody(c, "arrayBuffer", body.buffer);
    return next();
  });
}

/** Accepts only a JSON object: checks the content type, the syntax and duplicate members. */
export function requireJsonBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!isJson(c.req.header("Content-Type"))) return toErrorResponse(c, failures.notJson);
    const parsed = parseJsonBody(await c.req.arrayBuffer());
    if ("problem" in parsed) return toErrorResponse(c, createInvalidInputFailure([parsed.problem]));
    cacheBody(c, "text", parsed.text);
    return next();
  });
}

/** Accepts a JSON object as `requireJsonBody` does, and a missing body as an empty object. */
export function acceptJsonOrMissingBody(toErrorResponse: ToErrorResponse) {
  const requireBody = requireJsonBody(toErrorResponse);
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if ((await c.req.arrayBuffer()).byteLength > 0) return requireBody(c, next);
    // Sets the JSON content type that the schema requires. A client without a body may send any or none.
    const headers = new Headers(c.req.raw.headers);
    headers.set("Content-Type", "application/json");
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body: "{}" });
    replaceBody(c, "{}");
    return next();
  });
}

/** Replaces the request's body with this text for all later readers. */
export function replaceBody(c: Context<AppEnvironment>, text: string): void {
  c.req.bodyCache = {};
  cacheBody(c, "text", text);
}

// Hono reads this cache. Otherwise it creates a response to convert bytes to text.
function cacheBody(c: Context<AppEnvironment>, kind: "arrayBuffer" | "text", body: ArrayBuffer | string): void {
  Object.assign(c.req.bodyCache, { [kind]: Promise.resolve(body) });
}

/** Accepts only a form without duplicate fields. */
export function requireFormBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const type = c.req.header("Content-Type") ?? "";
    if (!isForm(type)) return toErrorResponse(c, failures.notForm);
    const tooLong = checkFormSize(new TextDecoder().decode(await c.req.arrayBuffer()), type);
    if (tooLong) return toErrorResponse(c, tooLong);
    const form = await c.req.formData().catch(() => undefined);
    if (!form) return toErrorResponse(c, failures.unreadable);
    const repeated = checkParameterNames([...form.keys()]);
    return repeated ? toErrorResponse(c, repeated) : next();
  });
}

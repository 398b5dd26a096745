import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";
import { failures, invalidInput, repeatedName } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { parseJsonObject } from "./json-text.ts";

type AppContext = Context<AppEnvironment>;

const LARGEST_BODY_BYTES = 1024 * 1024;

/**
 * Reads a body, counting: one that grows longer than `mostBytes` is given up at that byte, and undefined. Its declared
 * length is believed where it is too long already.
 */
export async function readBody(
  request: AppContext["req"],
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.header("Content-Length") ?? 0) > mostBytes) return undefined;
  const { body } = request.raw;
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > mostBytes) {
      // Not awaited: a sender that never ends would keep us.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(read.value);
  }
  return joined(chunks, length);
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

/** Refuses a body over 1 MiB, at its first byte too many, before anything else looks at it. */
export function bodyCap(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const body = await readBody(c.req, LARGEST_BODY_BYTES);
    if (!body) return toErrorResponse(c, failures.tooLarge);
    // Where hono looks for what was read.
    Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(body.buffer) });
    return next();
  });
}

/** Lets only a JSON object through: the content type, the syntax, no member twice. */
export function jsonBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? ""))
      return toErrorResponse(c, failures.notJson);
    const parsed = parseJsonObject(await c.req.text());
    return "problem" in parsed ? toErrorResponse(c, invalidInput([parsed.problem])) : next();
  });
}

/** Lets only a form through, no field twice. */
export function formBody(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(c.req.header("Content-Type") ?? ""))
      return toErrorResponse(c, failures.notForm);
    const form = await c.req.formData().catch(() => undefined);
    if (!form) return toErrorResponse(c, failures.unreadable);
    const repeated = repeatedName([...form.keys()]);
    return repeated ? toErrorResponse(c, repeated) : next();
  });
}

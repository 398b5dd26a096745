import type { Operation } from "./operations.ts";
import type { FuzzRequest } from "./requests.ts";
import { listMismatches } from "./schemas.ts";

/** The evaluated parts of a response. */
export interface FuzzAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly requestId: string;
  readonly text: string;
}

// Texts that no request contains, so their presence reveals internals.
const INSIDE =
  /SQLITE|D1_ERROR|sqlite_|\bFROM bookings\b|UNIQUE constraint|no such column|node_modules|\.ts:\d+|index\.js:\d+|\n\s+at /;

/** Returns violations of the general response rules (docs/interfaces/conventions.md#errors). */
export function findAnswerFaults(operation: Operation, request: FuzzRequest, answer: FuzzAnswer): readonly string[] {
  const { status, contentType, requestId, text } = answer;
  const isJson = /^application\/json\b/.test(contentType);
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(requestId === "" ? ["no X-Request-Id"] : []),
    ...(INSIDE.test(text) ? ["speaks of its inside"] : []),
    ...(status >= 400 && isJson && !isEnvelope(operation, text) ? ["an error out of its envelope"] : []),
    ...(status >= 400 && !isJson && operation.family !== "payments"
      ? [`an error that is ${contentType || "bare"}`]
      : []),
    ...(request.method === operation.method ? listUndeclaredParts(operation, answer) : []),
  ];
}

/** Lists parts of a response that its operation's document lacks: status, content type or members. */
export function listUndeclaredParts(
  operation: Operation,
  { status, contentType, text }: FuzzAnswer,
): readonly string[] {
  const declared = operation.answers.get(String(status));
  if (!declared) return [`status ${status} is not declared`];
  const types = Object.keys(declared);
  const type = contentType.replace(/\s*;.*/, "");
  if (types.length === 0) return text === "" ? [] : ["a body is not declared"];
  const known = types.find((text) => text === type || (text.endsWith("/*") && type.startsWith(text.slice(0, -1))));
  if (!known) return [`${type || "no type"} is not declared for ${status}`];
  const { ok, value } = tryParseJson(text);
  if (known !== "application/json") return [];
  return ok ? listMismatches(declared[known] ?? {}, value, operation.schemas) : ["declared as JSON and is not"];
}

function isEnvelope(operation: Operation, text: string): boolean {
  const { ok, value } = tryParseJson(text);
  if (!ok || typeof value !== "object" || value === null) return false;
  const body = value as { success?: unknown; error?: unknown; errors?: { message?: unknown }; results?: unknown };
  // A single rejected app operation is reported in the results, which the app expects.
  if (operation.family === "check-in" && Array.isArray(body.results)) return true;
  const message = operation.family === "ota" ? body.success === false && body.errors?.message : body.error;
  return typeof message === "string" && message.length > 0;
}

function tryParseJson(text: string): { readonly ok: boolean; readonly value?: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

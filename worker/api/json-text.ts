import { createProblem } from "#domain/problems.ts";
import { type FieldDetail, toFieldDetail } from "./primitives.ts";
/** Reason why a text isn't a trustworthy JSON object, or undefined if it is one. */
export type JsonProblem = FieldDetail;

const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);
/**
 * Maximum depth of nesting. No API needs as much, and it's far below the depth that overflows a recursive parser's
 * stack.
 */
const DEEPEST = 32;
/**
 * Maximum number of values, more than the longest batch of a device has. A body of one megabyte could have half a
 * million.
 */
const MAX_VALUES = 20_000;

type Parsed = { readonly value: Record<string, unknown>; readonly text: string } | { readonly problem: JsonProblem };

/** Decodes bytes as UTF-8, the only accepted encoding. Guessing another encoding could garble names. */
export function decodeUtf8(bytes: ArrayBuffer): { readonly text: string } | { readonly problem: JsonProblem } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes) };
  } catch {
    return { problem: toFieldDetail(createProblem("body", "not_utf8")) };
  }
}

const NO_JSON: JsonProblem = toFieldDetail(createProblem("body", "not_json"));

/**
 * Parses the bytes of a body as a JSON object. `unpack` first converts the text to JSON and returns undefined if it
 * can't.
 */
export function parseJsonBody(
  bytes: ArrayBuffer,
  unpack: (text: string) => string | undefined = (text) => text,
): Parsed {
  const decoded = decodeUtf8(bytes);
  if ("problem" in decoded) return decoded;
  const text = unpack(decoded.text);
  return text === undefined ? { problem: NO_JSON } : parseJsonObject(text);
}

// Parses a JSON object strictly and returns it with its text. Rejects duplicate members and `__proto__`, because
// parsers disagree on their meaning. Also rejects more nesting or values than any request needs.
function parseJsonObject(text: string): Parsed {
  const { size, names } = scan(text);
  if (size) return { problem: size };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: NO_JSON };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: toFieldDetail(createProblem("body", "object")) };
  }
  return names ? { problem: names } : { value: value as Record<string, unknown>, text };
}

interface Scanned {
  /** Problem with the depth or the number of values. Reported even if the text isn't valid JSON. */
  readonly size?: JsonProblem;
  /** Problem with a member's name. Reported only if the text is valid JSON. */
  readonly names?: JsonProblem | undefined;
}

interface ScanState {
  /** Member names of each open object, undefined for an array. */
  readonly open: (Set<string> | undefined)[];
  values: number;
}

// Scans the text once without recursion. Only brackets, commas, strings and colons matter.
function scan(text: string): Scanned {
  const state: ScanState = { open: [], values: 1 };
  let names: JsonProblem | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      const end = findStringEnd(text, at);
      names ??= isFollowedByColon(text, end) ? findProblemWith(text.slice(at, end), state.open.at(-1)) : undefined;
      at = end - 1;
    } else count(state, text[at]);
    if (state.open.length > DEEPEST) return { size: toFieldDetail(createProblem("body", "nested", DEEPEST)) };
    if (state.values > MAX_VALUES) return { size: toFieldDetail(createProblem("body", "too_many_values", MAX_VALUES)) };
  }
  return { names };
}

function count(state: ScanState, character: string | undefined): void {
  if (character === "{") state.open.push(new Set());
  if (character === "[") state.open.push(undefined);
  if (character === "}" || character === "]") state.open.pop();
  if (character === ",") state.values++;
}

// Returns the position after a string's closing quote. Uses the native search, because a file in base64 is a string of
// megabytes.
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end + 1;
  return text.length;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "-")) at++;
  return text[at] === ":";
}

function findProblemWith(quoted: string, names: Set<string> | undefined): JsonProblem | undefined {
  const name = unquoted(quoted);
  if (FORBIDDEN_NAMES.has(name)) return toFieldDetail(createProblem(name, "unknown_field"));
  if (names?.has(name)) return toFieldDetail(createProblem(name, "repeated"));
  names?.add(name);
  return undefined;
}

function unquoted(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Keeps the invalid string, because parsing the full text reports the error.
    return quoted;
  }
}

/** Why a text is no JSON object that can be trusted; undefined when it is one. */
export type JsonProblem = { readonly field: string; readonly message: string };

const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);
/** Deeper than any request of any interface is, and far from where a recursive reader runs out of stack. */
const DEEPEST = 32;
/** More than the longest batch of a phone has: a body of a megabyte may hold half a million. */
const MAX_VALUES = 20_000;

type Parsed = { readonly value: Record<string, unknown>; readonly text: string } | { readonly problem: JsonProblem };

/** What bytes say in UTF-8, the one encoding of a body: of another one nobody's name is guessed. */
export function decodeUtf8(bytes: ArrayBuffer): { readonly text: string } | { readonly problem: JsonProblem } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes) };
  } catch {
    return { problem: { field: "body", message: "must be UTF-8" } };
  }
}

const NO_JSON: JsonProblem = { field: "body", message: "must be valid JSON" };

/** Parses the bytes of a body as a JSON object; `unpack` makes JSON of its text first, undefined where it cannot. */
export function parseJsonBody(
  bytes: ArrayBuffer,
  unpack: (text: string) => string | undefined = (text) => text,
): Parsed {
  const decoded = decodeUtf8(bytes);
  if ("problem" in decoded) return decoded;
  const text = unpack(decoded.text);
  return text === undefined ? { problem: NO_JSON } : parseJsonObject(text);
}

// Parses a JSON object and answers it with its text, strictly: a member written twice or named `__proto__` is refused,
// because readers disagree on what it means; so is one that is nested deeper or holds more values than any request
// does.
function parseJsonObject(text: string): Parsed {
  const { size, names } = scan(text);
  if (size) return { problem: { field: "body", message: size } };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: NO_JSON };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: { field: "body", message: "must be a JSON object" } };
  }
  return names ? { problem: names } : { value: value as Record<string, unknown>, text };
}

interface Scanned {
  /** What is wrong with its depth or its number of values; holds for whatever text. */
  readonly size?: string;
  /** What is wrong with a member's name; holds for valid JSON. */
  readonly names?: JsonProblem | undefined;
}

interface ScanState {
  /** The names of each object that is open; undefined for an array. */
  readonly open: (Set<string> | undefined)[];
  values: number;
}

// Once over the text, without recursion: only its brackets, commas, strings and colons matter here.
function scan(text: string): Scanned {
  const state: ScanState = { open: [], values: 1 };
  let names: JsonProblem | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      const end = findStringEnd(text, at);
      names ??= isFollowedByColon(text, end) ? findProblemWith(text.slice(at, end), state.open.at(-1)) : undefined;
      at = end - 1;
    } else count(state, text[at]);
    if (state.open.length > DEEPEST) return { size: `must not be nested deeper than ${DEEPEST} levels` };
    if (state.values > MAX_VALUES) return { size: `must not hold more than ${MAX_VALUES} values` };
  }
  return { names };
}

function count(state: ScanState, character: string | undefined): void {
  if (character === "{") state.open.push(new Set());
  if (character === "[") state.open.push(undefined);
  if (character === "}" || character === "]") state.open.pop();
  if (character === ",") state.values++;
}

// Behind the closing quote.
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "-")) at++;
  return text[at] === ":";
}

function findProblemWith(quoted: string, names: Set<string> | undefined): JsonProblem | undefined {
  const name = unquoted(quoted);
  if (FORBIDDEN_NAMES.has(name)) return { field: name, message: "is not a member of any request" };
  if (names?.has(name)) return { field: name, message: "is given twice" };
  names?.add(name);
  return undefined;
}

function unquoted(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Not JSON, as parsing all of it will say.
    return quoted;
  }
}

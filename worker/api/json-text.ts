/** Why a text is no JSON object that can be trusted; undefined when it is one. */
export type JsonProblem = { readonly field: string; readonly message: string };

const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses a JSON object, strictly: a member written twice or named `__proto__` is refused, because readers disagree on
 * what it means.
 */
export function parseJsonObject(
  text: string,
): { readonly value: Record<string, unknown> } | { readonly problem: JsonProblem } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: { field: "body", message: "must be valid JSON" } };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: { field: "body", message: "must be a JSON object" } };
  }
  const problem = findNameProblem(text);
  return problem ? { problem } : { value: value as Record<string, unknown> };
}

// Valid JSON is assumed: only its braces, strings and colons matter here.
function findNameProblem(text: string): JsonProblem | undefined {
  const namesOfOpenObjects: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
    if (token === "{") namesOfOpenObjects.push(new Set());
    if (token === "}") namesOfOpenObjects.pop();
    const problem = string && colon ? findProblemWith(JSON.parse(string), namesOfOpenObjects.at(-1)) : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function findProblemWith(name: string, names: Set<string> | undefined): JsonProblem | undefined {
  if (FORBIDDEN_NAMES.has(name)) return { field: name, message: "is not a member of any request" };
  if (names?.has(name)) return { field: name, message: "is given twice" };
  names?.add(name);
  return undefined;
}

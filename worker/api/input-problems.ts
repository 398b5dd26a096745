export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** What an object has beyond its members. */
  readonly keys?: readonly string[];
}

const NAMED_PROBLEMS = 25;

/** What is wrong with an input, each by its field: what a schema found, in our words. */
export function problemsOfInput(issues: readonly Issue[], input: unknown) {
  return issues.flatMap((issue) => problemsOf(issue, input)).slice(0, NAMED_PROBLEMS);
}

// What is no member is named by itself: its object is the path of the issue.
function problemsOf(issue: Issue, input: unknown) {
  const { path, message, keys } = issue;
  if (!keys) return [{ field: path.join("."), message: isMissing(issue, input) ? REQUIRED : inOurWords(message) }];
  return keys.map((key) => ({ field: [...path, key].join("."), message: "is no field of it" }));
}

const REQUIRED = "is required";

// What a schema says of another kind of value: of none it would be the wrong word.
const OF_ITS_KIND: ReadonlySet<string | undefined> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function isMissing({ code, path, message }: Issue, input: unknown): boolean {
  if (path.length === 0 || !OF_ITS_KIND.has(code) || message.startsWith(REQUIRED)) return false;
  const value = path.reduce<unknown>(
    (of, name) => (of as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name],
    input,
  );
  return value === undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

// What a member is of that says nothing of its own.
function inOurWords(message: string): string {
  const [isUnsaid, expected] = /^Invalid input(?:: expected (\w+), received \w+)?$/.exec(message) ?? [];
  if (isUnsaid === undefined) return message;
  const kind = KINDS[expected ?? ""];
  return kind ? `must be ${kind}` : "is not valid";
}

export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** What an object has beyond its members. */
  readonly keys?: readonly string[];
}

const NAMED_PROBLEMS = 25;

/** What is wrong with an input, each by its field: what a schema found, in our words. */
export function toFieldProblems(issues: readonly Issue[], input: unknown) {
  return issues.flatMap((issue) => explainIssue(issue, input)).slice(0, NAMED_PROBLEMS);
}

// What is no member is named by itself: its object is the path of the issue.
function explainIssue(issue: Issue, input: unknown) {
  const { path, message, keys } = issue;
  if (!keys) return [{ field: path.join("."), message: isMissing(issue, input) ? REQUIRED : rewordMessage(message) }];
  return keys.map((key) => ({ field: [...path, key].join("."), message: "is no field of it" }));
}

const REQUIRED = "is required";

// What a schema says of another kind of value: of none it would be the wrong word.
const TYPE_ISSUE_CODES: ReadonlySet<string | undefined> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function isMissing({ code, path, message }: Issue, input: unknown): boolean {
  if (path.length === 0 || !TYPE_ISSUE_CODES.has(code) || message.startsWith(REQUIRED)) return false;
  const value = path.reduce<unknown>(
    (parent, name) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name],
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
function rewordMessage(message: string): string {
  const [isUnsaid, expected] = /^Invalid input(?:: expected (\w+), received \w+)?$/.exec(message) ?? [];
  if (isUnsaid === undefined) return message;
  const kind = KINDS[expected ?? ""];
  return kind ? `must be ${kind}` : "is not valid";
}

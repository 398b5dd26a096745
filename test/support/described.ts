import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { undeclared } from "#tools/fuzz/answer-faults.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

interface Described {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

let known: readonly Described[] | undefined;

function describedOperations(): readonly Described[] {
  known ??= Object.entries(openApiDocuments)
    .flatMap(([family, describe]) => listOperations(family, describe()))
    // What is named comes before what stands for any name.
    .toSorted((a, b) => countPathParameters(a) - countPathParameters(b))
    .map((operation) => ({ operation, pattern: toPathPattern(operation.path) }));
  return known;
}

function countPathParameters({ path }: Operation): number {
  return path.split("{").length;
}

function toPathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${escaped}$`);
}

/**
 * Throws where an answer is not as its operation's OpenAPI document says: a status that is not declared, a member that
 * is not described or of another kind. Every test that asks the Worker holds its answers to their documents in this
 * way.
 */
export async function expectDescribed(method: string, url: string, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  const matchingOperation = describedOperations().find(
    ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
  );
  if (!matchingOperation) return;
  const contentType = response.headers.get("Content-Type") ?? "";
  const text = contentType.startsWith("image/") ? "" : await response.clone().text();
  const wrong = undeclared(matchingOperation.operation, { status: response.status, contentType, requestId: "", text });
  if (wrong.length > 0)
    throw new Error(
      `${method} ${url} is not answered as described:\n${wrong.slice(0, 10).join("\n")}\n${text.slice(0, 500)}`,
    );
}

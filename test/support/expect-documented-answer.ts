import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { listUndeclaredParts } from "#tools/fuzz/answer-faults.ts";
import { listOperations, type Operation } from "#tools/fuzz/operations.ts";

interface Described {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

let known: readonly Described[] | undefined;

function describedOperations(): readonly Described[] {
  known ??= Object.entries(openApiDocuments)
    .flatMap(([family, describe]) => listOperations(family, describe()))
    // Literal paths come before those with parameters.
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
 * Throws if a response doesn't match its OpenAPI document: undeclared status, undocumented member or wrong type.
 * Applied to all responses in tests of the Worker.
 */
export async function expectDocumentedAnswer(method: string, url: string, response: Response): Promise<void> {
  const { pathname } = new URL(url);
  const matchingOperation = describedOperations().find(
    ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
  );
  if (!matchingOperation) return;
  const contentType = response.headers.get("Content-Type") ?? "";
  const text = contentType.startsWith("image/") ? "" : await response.clone().text();
  const deviations = listUndeclaredParts(matchingOperation.operation, {
    status: response.status,
    contentType,
    requestId: "",
    text,
  });
  if (deviations.length > 0)
    throw new Error(
      `${method} ${url} is not answered as described:\n${deviations.slice(0, 10).join("\n")}\n${text.slice(0, 500)}`,
    );
}

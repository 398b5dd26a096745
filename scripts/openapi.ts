import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocuments } from "./openapi-documents.ts";
import { PROJECT_ROOT } from "./processes.ts";

/** Returns the text of a document in its committed format. */
export function formatOpenApiDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

if (import.meta.main) {
  const folder = join(PROJECT_ROOT, "docs/openapi");
  await mkdir(folder, { recursive: true });
  for (const [name, describe] of Object.entries(openApiDocuments)) {
    await writeFile(join(folder, `${name}.json`), formatOpenApiDocument(describe()));
  }
}

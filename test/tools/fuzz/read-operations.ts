import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { listOperations, type Operation } from "./operations.ts";

/** Reads all operations of docs/openapi. */
export async function readOperations(): Promise<readonly Operation[]> {
  const read = async (family: string) => {
    const text = await readFile(join(PROJECT_ROOT, "docs/openapi", `${family}.json`), "utf8");
    return listOperations(family, JSON.parse(text));
  };
  return (await Promise.all(Object.keys(openApiDocuments).map(read))).flat();
}

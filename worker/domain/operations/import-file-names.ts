/** Endings of the files that can be imported. */
export const IMPORT_FILE_ENDINGS = [".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx"] as const;

/** Whether a file can be imported by the ending of its name. */
export function isImportFileName(name: string): boolean {
  return IMPORT_FILE_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
}

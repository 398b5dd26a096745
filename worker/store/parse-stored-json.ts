/** Parses JSON from SQLite, as text or already parsed with its row. The query defines its shape. */
export function parseStoredJson<T>(json: unknown): T {
  return (typeof json === "string" ? JSON.parse(json) : json) as T;
}

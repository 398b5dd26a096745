/** What SQLite wrote as JSON, a text or read already as a part of its row; its shape is the query's. */
export function parsed<T>(json: unknown): T {
  return (typeof json === "string" ? JSON.parse(json) : json) as T;
}

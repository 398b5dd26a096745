/** What SQLite wrote as JSON; its shape is the query's. */
export function parsed<T>(json: string): T {
  return JSON.parse(json) as T;
}

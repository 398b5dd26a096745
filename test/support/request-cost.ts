/** Returns the database cost of a response by its Server-Timing header. NaN if missing. */
export function getRequestCost({ headers }: Pick<Response, "headers">): {
  readonly calls: number;
  readonly rows: number;
} {
  const [, calls, rows] = /calls=(\d+) rows_read=(\d+)/.exec(headers.get("Server-Timing") ?? "") ?? [];
  return { calls: Number(calls), rows: Number(rows) };
}

/** What an answer cost at the database, as its Server-Timing says; NaN where it says nothing. */
export function getRequestCost({ headers }: Pick<Response, "headers">): {
  readonly calls: number;
  readonly rows: number;
} {
  const [, calls, rows] = /calls=(\d+) rows_read=(\d+)/.exec(headers.get("Server-Timing") ?? "") ?? [];
  return { calls: Number(calls), rows: Number(rows) };
}

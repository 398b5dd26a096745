/** Analytics Engine dataset with the deployment's requests, written by `worker/api/request-logger.ts`. */
export interface AnalyticsDataset {
  readonly name: string;
  /** Cloudflare account, 32 hex digits. */
  readonly accountId: string;
  /** API token with read access to Account Analytics. */
  readonly token: string;
  /** Base URL of the API: `https://api.cloudflare.com/client/v4`, or its replacement in tests. */
  readonly api: string;
}

/**
 * Requests of an account or route in a period. Percentiles in ms. D1 figures are averages per request. All are
 * estimates if Analytics Engine sampled the data.
 */
export interface RequestCounts {
  readonly requests: number;
  /** Number of requests answered with 5xx. */
  readonly failed: number;
  /** Number of requests answered with 4xx. */
  readonly refused: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly d1Calls: number;
  readonly d1RowsRead: number;
}

/** Requests of one route in a period. */
export interface RouteRequestCounts extends RequestCounts {
  readonly route: string;
}

export const CLOUDFLARE_API = "https://api.cloudflare.com/client/v4";

// Columns written by request-logger.ts: blob1 account, blob2 method, blob3 route, blob4 status, double1 milliseconds,
// double2 calls, double3 rows, double4 how many requests the point stands for. Analytics Engine may sample the points,
// too.
const STANDS_FOR = "_sample_interval * double4";
const COUNTS = `SUM(${STANDS_FOR}) AS requests,
  sumIf(${STANDS_FOR}, blob4 >= '500') AS failed,
  sumIf(${STANDS_FOR}, blob4 >= '400' AND blob4 < '500') AS refused,
  quantileExactWeighted(0.5)(double1, ${STANDS_FOR}) AS p50,
  quantileExactWeighted(0.95)(double1, ${STANDS_FOR}) AS p95,
  quantileExactWeighted(0.99)(double1, ${STANDS_FOR}) AS p99,
  SUM(${STANDS_FOR} * double2) / SUM(${STANDS_FOR}) AS d1Calls,
  SUM(${STANDS_FOR} * double3) / SUM(${STANDS_FOR}) AS d1RowsRead`;

/** Counts each account's requests in the last minutes. */
export async function countRequestsByAccount(
  dataset: AnalyticsDataset,
  minutes: number,
): Promise<ReadonlyMap<string, RequestCounts>> {
  const rows = await query(
    dataset,
    `SELECT blob1 AS account, ${COUNTS} FROM ${dataset.name} WHERE ${since(minutes)} GROUP BY account`,
  );
  return new Map(rows.map((row) => [String(row["account"]), toCounts(row)]));
}

/** Counts one account's requests by route in the last minutes. Routes with failures come first, then the most used. */
export async function countRequestsByRoute(
  dataset: AnalyticsDataset,
  account: string,
  minutes: number,
): Promise<readonly RouteRequestCounts[]> {
  const rows = await query(
    dataset,
    `SELECT blob2 AS method, blob3 AS path, ${COUNTS} FROM ${dataset.name}
      WHERE index1 = '${account}' AND ${since(minutes)} GROUP BY method, path ORDER BY failed DESC, requests DESC LIMIT 20`,
  );
  return rows.map((row) => ({ route: `${row["method"]} ${row["path"]}`, ...toCounts(row) }));
}

function since(minutes: number): string {
  return `timestamp > NOW() - INTERVAL '${minutes}' MINUTE`;
}

async function query(
  { api, accountId, token }: AnalyticsDataset,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const answer = await fetch(`${api}/accounts/${accountId}/analytics_engine/sql`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: `${sql} FORMAT JSON`,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Analytics Engine answered ${answer.status}: ${text.slice(0, 300)}`);
  const { data } = JSON.parse(text) as { readonly data?: readonly Record<string, unknown>[] };
  return data ?? [];
}

// 64-bit integers are returned as text.
function toCounts(row: Readonly<Record<string, unknown>>): RequestCounts {
  const getCount = (name: string) => Number(row[name] ?? 0);
  return {
    requests: getCount("requests"),
    failed: getCount("failed"),
    refused: getCount("refused"),
    p50: getCount("p50"),
    p95: getCount("p95"),
    p99: getCount("p99"),
    d1Calls: getCount("d1Calls"),
    d1RowsRead: getCount("d1RowsRead"),
  };
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";

/** A data point of `writeDataPoint` with its time in epoch ms. */
export interface AnalyticsPoint {
  readonly at: number;
  readonly indexes: readonly string[];
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
  /** Number of points it represents if others were sampled out. */
  readonly sampleInterval?: number;
}

export interface AnalyticsEngine {
  readonly url: string;
  /** Received `Authorization` headers. */
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Simulates Analytics Engine's SQL API on SQLite, with the language subset that reports use and real points. */
export async function startAnalyticsEngine(
  dataset: string,
  points: readonly AnalyticsPoint[],
): Promise<AnalyticsEngine> {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(`CREATE TABLE ${dataset} (timestamp REAL, _sample_interval INTEGER, index1 TEXT,
    blob1 TEXT, blob2 TEXT, blob3 TEXT, blob4 TEXT, double1 REAL, double2 REAL, double3 REAL, double4 REAL)`);
  sqlite.aggregate("sumIf", {
    start: 0,
    step: (sum: number, value: unknown, condition: unknown) => (condition ? sum + Number(value) : sum),
  });
  sqlite.aggregate("quantile", { start: "", step: collectState, result: parseQuantile });
  const insert = sqlite.prepare(`INSERT INTO ${dataset} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const { at, sampleInterval = 1, indexes, blobs, doubles } of points)
    insert.run(at, sampleInterval, ...indexes, ...blobs, ...doubles, ...(doubles.length === 3 ? [1] : []));
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    let sql = "";
    request.on("data", (chunk) => {
      sql += chunk;
    });
    request.on("end", () => {
      try {
        response.end(JSON.stringify({ meta: [], data: sqlite.prepare(inSqlite(sql)).all().map(asAnswered) }));
      } catch (error) {
        response.writeHead(422).end(String(error));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, authorizations, close: () => closeServer(server) };
}

function inSqlite(sql: string): string {
  return sql
    .replace(/ FORMAT JSON$/, "")
    .replace(/quantileExactWeighted\(([\d.]+)\)\(/g, "quantile($1, ")
    .replace(/toStartOfInterval\(timestamp, INTERVAL '(\d+)' MINUTE\)/g, "(timestamp - timestamp % ($1 * 60000))")
    .replace(/NOW\(\) - INTERVAL '(\d+)' (MINUTE|DAY)/g, (_, count, unit) =>
      String(Date.now() - Number(count) * (unit === "DAY" ? 86_400_000 : 60_000)),
    );
}

// Aggregate state as text: the level, then alternating values and weights.
function collectState(state: string, level: unknown, value: unknown, weight: unknown): string {
  return `${state === "" ? level : state} ${value} ${weight}`;
}

function parseQuantile(state: string): number {
  const [level = 0, ...rest] = state.split(" ").map(Number);
  const values = rest.flatMap((value, index) =>
    index % 2 === 0 ? Array.from({ length: rest[index + 1] ?? 1 }, () => value) : [],
  );
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(level * values.length))] ?? 0;
}

// 64-bit sums are returned as text.
function asAnswered(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...row, requests: String(row["requests"]) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

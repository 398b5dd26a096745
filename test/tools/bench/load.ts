import autocannon from "autocannon";
import { type Answer, type Call, type Client, createUnexpectedAnswerError } from "#tools/platform/client.ts";

/** Measured parts of a response: the rows of a list or the board. */
export interface MeasuredAnswer {
  readonly data?: readonly unknown[];
  /** Total number of rows in a list. */
  readonly total?: number;
  readonly vehicles?: readonly { readonly contracts: readonly unknown[]; readonly blocks: readonly unknown[] }[];
  readonly unassigned?: readonly { readonly contracts: readonly unknown[] }[];
}

/** Returns the size of a response. Rows read are divided by it. */
export type ResultSize = (answer: MeasuredAnswer) => number;

/** Counts the rows of a list. */
export const countListedRows: ResultSize = ({ data = [] }) => data.length;

const ROWS_PER_CHARGE = 2;
const ROWS_PER_ALLOCATION = 3;

/**
 * Counts the parts of charges: each with its payer, and for each allocation its document and the one it was entered
 * for.
 */
export const countChargesAndParts: ResultSize = ({ data = [] }) =>
  (data as readonly { readonly allocations: readonly unknown[] }[])
    .map(({ allocations }) => ROWS_PER_CHARGE + ROWS_PER_ALLOCATION * allocations.length)
    .reduce((sum, parts) => sum + parts, 0);

/** Database cost of a call by its Server-Timing header. */
export interface CallCost {
  readonly calls: number;
  /** Rows read for each returned row, if the operation has a result size. Otherwise all rows read. */
  readonly rows: number;
  /** All rows read. Equals `rows` if not set. */
  readonly total?: number;
  /** Most rows of a call that found the isolate's cache empty or outdated, if measured. */
  readonly first?: number;
  /** Number of parts in a response, if rows of both accounts differ. */
  readonly parts?: number | undefined;
}

async function send(client: Client, call: Call): Promise<Answer> {
  const answer = await client.send(call);
  if (answer.status !== 200 && answer.status !== 201) throw createUnexpectedAnswerError(call, answer);
  return answer;
}

/** Sends a call and returns its cost. Throws if it was rejected. */
export async function measureCallCost(
  client: Client,
  call: Call,
  countResults?: ResultSize,
  parts?: ResultSize,
): Promise<CallCost> {
  const { cost, answer } = await measureCallAnswer(client, call, countResults);
  return { ...cost, parts: parts?.(JSON.parse(answer.bytes.toString())) };
}

/** Sends a call and returns its cost and response. */
export async function measureCallAnswer(
  client: Client,
  call: Call,
  countResults?: ResultSize,
): Promise<{ readonly cost: CallCost; readonly answer: Answer }> {
  const response = await send(client, call);
  const { headers, bytes } = response;
  const match = /calls=(\d+) rows_read=(\d+)/.exec(String(headers["server-timing"]));
  if (!match) throw new Error(`${call.path} has no budget`);
  const answered = countResults ? Math.max(1, countResults(JSON.parse(bytes.toString()))) : 1;
  const [calls, total] = [Number(match[1]), Number(match[2])];
  const cost = { calls, rows: Math.round((total / answered) * 100) / 100, total };
  return { cost, answer: response };
}

/** Response speed of a target, with latencies in milliseconds. */
export interface ResponseSpeed {
  readonly p50: number;
  readonly p99: number;
  /** Duration of the slowest response. */
  readonly longest: number;
  /** Number of answers of any status. */
  readonly answered: number;
  readonly perSecond: number;
  /** Responses other than 2xx, and connection errors. */
  readonly failed: number;
  /** Failures by status, timeouts and interrupted connections. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Sends requests to the platform on a port for some seconds, as fast as possible. */
export async function applyLoad(
  port: number,
  next: () => Call<string>,
  options: {
    readonly connections: number;
    readonly seconds: number;
    /** Timeout in seconds. Defaults to ten. */
    readonly longestSeconds?: number;
  },
): Promise<ResponseSpeed> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: options.connections,
    duration: options.seconds,
    ...(options.longestSeconds && { timeout: options.longestSeconds }),
    requests: [
      {
        setupRequest: (prepared) => {
          const { account, path, headers, ...call } = next();
          const method = call.method === "POST" ? "POST" : "GET";
          const host = `${account}.localhost`;
          return { ...prepared, method, path, body: String(call.body ?? ""), headers: { ...headers, host } };
        },
      },
    ],
  });
  return {
    p50: result.latency.p50,
    p99: result.latency.p99,
    longest: result.latency.max,
    answered: result.requests.total,
    perSecond: result.requests.average,
    failed: result.non2xx + result.errors,
    failures: countFailures(result),
  };
}

function countFailures({
  statusCodeStats = {},
  timeouts,
  errors,
}: autocannon.Result): Readonly<Record<string, number>> {
  const refused = Object.entries(statusCodeStats).filter(([status]) => !status.startsWith("2"));
  const counts = refused.map(([status, { count = 0 }]) => [status, count] as const);
  return Object.fromEntries([...counts, ["late", timeouts], ["broken", errors - timeouts]]);
}

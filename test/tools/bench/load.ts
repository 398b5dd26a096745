import autocannon from "autocannon";
import { type Answer, type Call, type Client, unexpected } from "#tools/platform/client.ts";

/** What is looked at of an answer: a list's rows, or the board's. */
export interface MeasuredAnswer {
  readonly data?: readonly unknown[];
  /** Of how many a list shows a page. */
  readonly total?: number;
  readonly vehicles?: readonly { readonly contracts: readonly unknown[]; readonly blocks: readonly unknown[] }[];
  readonly unassigned?: readonly { readonly contracts: readonly unknown[] }[];
}

/** How much of what was asked for an answer shows: the rows it read are divided by this. */
export type ResultSize = (answer: MeasuredAnswer) => number;

/** The rows of a list. */
export const countRows: ResultSize = ({ data = [] }) => data.length;

const ROWS_PER_CHARGE = 2;
const ROWS_PER_ALLOCATION = 3;

/**
 * What charges are put together of: each and who paid it, and for every paper that it counts towards the allocation,
 * that paper, and the one that it was entered for.
 */
export const countChargeParts: ResultSize = ({ data = [] }) =>
  (data as readonly { readonly allocations: readonly unknown[] }[])
    .map(({ allocations }) => ROWS_PER_CHARGE + ROWS_PER_ALLOCATION * allocations.length)
    .reduce((sum, parts) => sum + parts, 0);

/** What one call cost at the database, by Server-Timing. */
export interface Cost {
  readonly calls: number;
  /** For each row shown, where an answer is judged by that. */
  readonly rows: number;
  /** In all; as `rows` where left out. */
  readonly total?: number;
  /** Of how many parts an answer was, where two accounts' rows are not alike. */
  readonly parts?: number | undefined;
}

async function send(client: Client, call: Call): Promise<Answer> {
  const answer = await client.send(call);
  if (answer.status !== 200 && answer.status !== 201) throw unexpected(call, answer);
  return answer;
}

/** Sends one call and answers what it cost; throws where it was refused. */
export async function measureCallCost(
  client: Client,
  call: Call,
  shown?: ResultSize,
  parts?: ResultSize,
): Promise<Cost> {
  const { cost, answer } = await measureCallAnswer(client, call, shown);
  return { ...cost, parts: parts?.(JSON.parse(answer.bytes.toString())) };
}

/** The same, with the answer. */
export async function measureCallAnswer(
  client: Client,
  call: Call,
  shown?: ResultSize,
): Promise<{ readonly cost: Cost; readonly answer: Answer }> {
  const sent = await send(client, call);
  const { headers, bytes } = sent;
  const match = /calls=(\d+) rows_read=(\d+)/.exec(String(headers["server-timing"]));
  if (!match) throw new Error(`${call.path} does not say what it costs`);
  const answered = shown ? Math.max(1, shown(JSON.parse(bytes.toString()))) : 1;
  const [calls, total] = [Number(match[1]), Number(match[2])];
  const cost = { calls, rows: Math.round((total / answered) * 100) / 100, total };
  return { cost, answer: sent };
}

/** How fast a target answered; latencies in milliseconds. */
export interface Speed {
  readonly p50: number;
  readonly p99: number;
  /** The slowest answer. */
  readonly longest: number;
  /** Answers of any status. */
  readonly answered: number;
  readonly perSecond: number;
  /** Answers other than 2xx, and errors of the connection. */
  readonly failed: number;
  /** How many of each: by status, and what was not answered in time or broke off. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Loads the platform on a port for some seconds, as fast as the connections go. */
export async function load(
  port: number,
  next: () => Call<string>,
  options: {
    readonly connections: number;
    readonly seconds: number;
    /** Who waits longer has failed; ten where this is missing. */
    readonly longestSeconds?: number;
  },
): Promise<Speed> {
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

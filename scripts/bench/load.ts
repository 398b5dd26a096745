import { request } from "node:http";
import autocannon from "autocannon";
import type { Call } from "./operations.ts";

/** A server under measure, and the host it is asked for. */
export interface Target {
  readonly port: number;
  readonly host: string;
}

/** What one call cost at the database, by Server-Timing. */
export interface Cost {
  readonly calls: number;
  readonly rows: number;
}

interface Answer {
  readonly timing: string;
  readonly text: string;
}

function send(target: Target, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...call.headers, Host: target.host };
    const options = { port: target.port, host: "127.0.0.1", method: call.method, path: call.path, headers };
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve({ timing: String(answer.headers["server-timing"]), text });
        else reject(new Error(`${call.method} ${call.path}: ${answer.statusCode} ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(call.body);
  });
}

/** Sends one call and answers what it cost; throws where it was refused. */
export async function costOf(target: Target, call: Call, isPerRow = false): Promise<Cost> {
  const { timing, text } = await send(target, call);
  const match = /calls=(\d+) rows_read=(\d+)/.exec(timing);
  if (!match) throw new Error(`${call.path} does not say what it costs`);
  const answered = isPerRow ? Math.max(1, JSON.parse(text).data.length) : 1;
  return { calls: Number(match[1]), rows: Math.round((Number(match[2]) / answered) * 100) / 100 };
}

/** Sends one call and answers its body; throws where it was refused. */
export async function textOf(target: Target, call: Call): Promise<string> {
  return (await send(target, call)).text;
}

/** How fast a target answered; latencies in milliseconds. */
export interface Speed {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Answers other than 2xx, and errors of the connection. */
  readonly failed: number;
}

/** Loads a target for some seconds; with `perSecond` at that rate (open loop), else as fast as the connections go. */
export async function load(
  target: Target,
  next: () => Call,
  options: { readonly connections: number; readonly seconds: number; readonly perSecond?: number },
): Promise<Speed> {
  const result = await autocannon({
    url: `http://127.0.0.1:${target.port}`,
    connections: options.connections,
    duration: options.seconds,
    ...(options.perSecond && { overallRate: options.perSecond }),
    requests: [
      {
        setupRequest: (prepared) => {
          const { method, path, headers, body } = next();
          return { ...prepared, method, path, body: body ?? "", headers: { ...headers, host: target.host } };
        },
      },
    ],
  });
  return {
    p50: result.latency.p50,
    p99: result.latency.p99,
    perSecond: result.requests.average,
    failed: result.non2xx + result.errors,
  };
}

import { setTimeout } from "node:timers/promises";
import type { Answer, Call, Client } from "#tools/platform/client.ts";
import type { OperationCoverage } from "../coverage.ts";
import { createWriters } from "./all.ts";
import type { NamedWriter, WriterContext } from "./context.ts";

const SETUP_ROUNDS = 3;

/** All running writers. */
export interface RunningWriters {
  /** Returns how often each writer was acknowledged since the last call. */
  takeCounts(): ReadonlyMap<string, number>;
  /** Whether every writer was acknowledged since then. */
  areAllHeard(): boolean;
  /** Unexpected responses. */
  readonly failures: readonly string[];
  /** Stops after each writer finishes its current work. */
  stop(): Promise<void>;
}

/** Starts every writer, each with consecutive steps. Those that run first have finished by then. */
export async function startWriters(context: WriterContext, coverage: OperationCoverage): Promise<RunningWriters> {
  const writers = createWriters(context.random);
  const noCounts = () => new Map(writers.map(({ name }) => [name, 0]));
  let counts = noCounts();
  let isOver = false;
  const failures: string[] = [];
  const work = async ({ name, operations, write }: NamedWriter) => {
    const client = withObserver(context.client, (call, answer) => {
      if (call.method === "GET" || answer.status >= 300) return;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      for (const operation of coverage.acknowledge(call))
        if (!operations.includes(operation)) failures.push(`${name}: ${operation} is not among its operations`);
    });
    await write({ ...context, client }).catch((error) => failures.push(`${name}: ${error}`));
  };
  const first = writers.filter(({ isFirst }) => isFirst);
  for (let round = 0; round < SETUP_ROUNDS; round++) await Promise.all(first.map(work));
  const runs = writers.map(async (writer) => {
    while (!isOver) {
      await work(writer);
      await setTimeout(10);
    }
  });
  return {
    failures,
    takeCounts: () => {
      const takenCounts = counts;
      counts = noCounts();
      return takenCounts;
    },
    areAllHeard: () => [...counts.values()].every((count) => count > 0),
    stop: async () => {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

function withObserver(client: Client, observe: (call: Call, answer: Answer) => void): Client {
  const sendUntilAnswered = async (call: Call) => {
    const answer = await client.sendUntilAnswered(call);
    observe(call, answer);
    return answer;
  };
  return { ...client, sendUntilAnswered };
}

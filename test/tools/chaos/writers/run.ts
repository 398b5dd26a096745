import { setTimeout } from "node:timers/promises";
import { Actor, type WriterContext } from "./actor.ts";
import { createWriters, type NamedWriter } from "./all.ts";

const SETUP_ROUNDS = 3;

/** All running writers. */
export interface RunningWriters {
  /** Returns how often each writer was acknowledged since the last call. */
  takeCounts(): ReadonlyMap<string, number>;
  /** Whether every writer was acknowledged since the last call of `takeCounts`. */
  areAllHeard(): boolean;
  /** Ids of the operations that have acknowledged something. */
  readonly acknowledgedOperations: ReadonlySet<string>;
  /** Unexpected responses. */
  readonly failures: readonly string[];
  /** Stops after each writer finishes its current work. */
  stop(): Promise<void>;
}

/** Starts every writer, each with consecutive steps. Those that run first have finished by then. */
export async function startWriters(context: WriterContext): Promise<RunningWriters> {
  const writers = createWriters(context.random);
  const noCounts = () => new Map(writers.map(({ name }) => [name, 0]));
  let counts = noCounts();
  let isOver = false;
  const failures: string[] = [];
  const acknowledgedOperations = new Set<string>();
  const work = async ({ name, account, write }: NamedWriter) => {
    const actor = new Actor(account, context, (operation) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      acknowledgedOperations.add(operation);
    });
    await write(actor).catch((error) => failures.push(`${name}: ${error}`));
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
    acknowledgedOperations,
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

import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { Random } from "#scripts/demo/random.ts";

/** A simulated client or a request inside the Worker, with its own random stream. */
export interface Task {
  readonly random: Random;
  /** Number of pending virtual-time operations. While it waits, others may run. */
  waits: number;
  state: "running" | "ended" | "forgotten";
}

/** Virtual time, which advances only when no task can run. */
export interface Timeline {
  /** Returns the virtual time in epoch ms. */
  readonly now: () => number;
  /** Plans an action for later. Actions at the same time run in planning order. */
  schedule(delayMs: number, act: () => void): void;
  /** Begins a task. `ended` settles with its result. */
  spawn<T>(random: Random, work: () => Promise<T>): { readonly task: Task; readonly ended: Promise<T> };
  /** Makes the current task wait for a simulated event. */
  wait<T>(
    begin: (settle: { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void }) => void,
  ): Promise<T>;
  sleep(milliseconds: number): Promise<void>;
  /** Stops virtual time during real-time work. */
  standStill<T>(work: Promise<T>): Promise<T>;
  /** Abandons the task of a killed process. */
  forget(task: Task): void;
  current(): Task;
  /** Advances time until nothing is planned. `afterEach` runs after each event. */
  run(afterEach: () => void): Promise<void>;
}

/** Longer than any real work. A task then waits for an event that never happens. */
const STUCK_MILLISECONDS = 60_000;

interface Planned {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

/** Creates a timeline that starts at an instant (epoch ms). */
export function createTimeline(startsAt: number): Timeline {
  const agenda = newAgenda();
  const tasks = new AsyncLocalStorage<Task>();
  let now = startsAt;
  let running = 0;
  let planned = 0;
  let atRealWork = 0;

  const schedule: Timeline["schedule"] = (delay, act) => {
    planned += 1;
    agenda.add({ at: now + Math.max(0, delay), order: planned, act });
  };
  const current = () => {
    const task = tasks.getStore();
    if (!task) throw new Error("no simulated user is active");
    return task;
  };
  const spawn: Timeline["spawn"] = (random, work) => {
    const task: Task = { random, waits: 0, state: "running" };
    running += 1;
    const ended = tasks.run(task, work).finally(() => {
      if (task.state !== "running") return;
      task.state = "ended";
      if (task.waits === 0) running -= 1;
    });
    return { task, ended };
  };
  const wait: Timeline["wait"] = (begin) => {
    const task = current();
    task.waits += 1;
    if (task.waits === 1) running -= 1;
    const goOn = () => {
      task.waits -= 1;
      if (task.waits === 0 && task.state === "running") running += 1;
    };
    return new Promise((resolve, reject) => {
      const ifStillRunning = <V>(go: (value: V) => void) => {
        return (value: V) => {
          if (task.state === "forgotten") return;
          goOn();
          go(value);
        };
      };
      begin({ resolve: ifStillRunning(resolve), reject: ifStillRunning(reject) });
    });
  };
  const quiet = async () => {
    const since = performance.now();
    do {
      await setImmediate();
      if (performance.now() - since > STUCK_MILLISECONDS) throw new Error("the simulation is stuck");
    } while (running > 0 || atRealWork > 0);
  };
  return {
    now: () => now,
    schedule,
    spawn,
    wait,
    current,
    sleep: (milliseconds) => wait(({ resolve }) => schedule(milliseconds, () => resolve(undefined))),
    standStill: (work) => {
      atRealWork += 1;
      return work.finally(() => {
        atRealWork -= 1;
      });
    },
    forget: (task) => {
      if (task.state === "running" && task.waits === 0) running -= 1;
      task.state = "forgotten";
    },
    run: async (afterEach) => {
      await quiet();
      for (let next = agenda.take(); next; next = agenda.take()) {
        now = next.at;
        next.act();
        await quiet();
        afterEach();
      }
    },
  };
}

/** Creates a list of planned actions, soonest last. */
function newAgenda() {
  const planned: Planned[] = [];
  const isBefore = (a: Planned, b: Planned) => a.at < b.at || (a.at === b.at && a.order < b.order);
  return {
    add: (action: Planned) => {
      let [from, to] = [0, planned.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        const other = planned[middle];
        if (other && isBefore(action, other)) from = middle + 1;
        else to = middle;
      }
      planned.splice(from, 0, action);
    },
    take: (): Planned | undefined => planned.pop(),
  };
}

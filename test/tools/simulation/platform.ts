import type { DatabaseSync } from "node:sqlite";
import type { Random } from "#scripts/demo/random.ts";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { type BucketObjects, createBucketBinding } from "./bucket.ts";
import { type CartStorage, createCartNamespace } from "./cart-objects.ts";
import { createFaultyNetwork, type FaultPlan, type FaultyNetwork } from "./faults.ts";
import { createD1Binding } from "./sqlite-binding.ts";
import type { Task, Timeline } from "./timeline.ts";
import type { LoadedWorker, WorkerEnvironment } from "./worker-build.ts";

/** A client request. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Storage that survives all Workers. */
interface Stores {
  readonly database: DatabaseSync;
  readonly carts: CartStorage;
  readonly files: BucketObjects;
  readonly backups: BucketObjects;
}

interface Running {
  readonly worker: LoadedWorker;
  env: Readonly<Record<string, unknown>>;
  readonly tasks: Set<Task>;
  isAlive: boolean;
}

/** A deployment in virtual time: one Worker with its bindings, behind a network. */
export interface Platform {
  /** Sends a call once. Undefined without a response. */
  send(call: Call): Promise<Answer | undefined>;
  /** Kills the Worker immediately and restarts it later. */
  kill(downMs: number): void;
  setClock(offsetMs: number): void;
  runCron(cron: string): void;
  start(): Promise<void>;
  readonly faults: FaultyNetwork;
  readonly kills: () => number;
  /** Defects logged by the Worker. */
  readonly defects: readonly string[];
}

export interface PlatformOptions {
  readonly timeline: Timeline;
  readonly stores: Stores;
  readonly seed: string;
  readonly faultPlan: FaultPlan;
  readonly masterKey: string;
  readonly loadWorker: (nature: WorkerEnvironment) => Promise<LoadedWorker>;
}

const PATIENCE = 30_000;
const WAY_MILLISECONDS = 40;
const BASE_DOMAIN = "simulated.example";

/** Cryptography runs in other threads, so one branch of a request may wait for it and another for the network. */
function inItsOwnTime(timeline: Timeline): SubtleCrypto {
  return new Proxy(crypto.subtle, {
    get: (subtle, name) => {
      const method: unknown = Reflect.get(subtle, name);
      if (typeof method !== "function") return method;
      return (...values: unknown[]) => timeline.standStill(Reflect.apply(method, subtle, values));
    },
  });
}

export function createSimulatedPlatform({
  timeline,
  stores,
  seed,
  faultPlan,
  masterKey,
  loadWorker,
}: PlatformOptions): Platform {
  const faults = createFaultyNetwork(timeline, faultPlan);
  const ids = createDemoRandom(`ids ${seed}`);
  let running: Running | undefined;
  let wrongBy = 0;
  let kills = 0;
  const defects: string[] = [];

  const nature: WorkerEnvironment = {
    now: () => Math.floor(timeline.now() + wrongBy),
    random: () => timeline.current().random.nextFraction(),
    setTimeout: (act, milliseconds) => void timeline.sleep(milliseconds).then(act),
    getRandomValues: (into) => {
      for (let at = 0; at < into.length; at++) into[at] = ids.between(0, 255);
      return into;
    },
    log: (line) => {
      if (line.includes('"place"')) defects.push(line);
    },
    subtle: inItsOwnTime(timeline),
    randomUUID: () => `${ids.hex(8)}-${ids.hex(4)}-4${ids.hex(3)}-a${ids.hex(3)}-${ids.hex(12)}`,
  };
  const begin = async () => {
    const worker = await loadWorker(nature);
    const started: Running = { worker, env: {}, tasks: new Set(), isAlive: true };
    const carts = { Cart: worker.Cart, isAlive: () => started.isAlive, now: nature.now };
    started.env = bindings(createCartNamespace({ timeline, faults, storage: stores.carts }, carts));
    running = started;
  };
  const bindings = (carts: unknown) => ({
    TENANT_ACME: createD1Binding(stores.database, faults),
    SHOPPING_CARTS: carts,
    FILES: createBucketBinding(stores.files, faults),
    BACKUPS: createBucketBinding(stores.backups, faults),
    MAIL: { send: () => faults.call("mail", () => ({ messageId: "sent" })) },
    PRINTER: { fetch: () => faults.call("printer", () => new Response("%PDF-1.7")) },
    BASE_DOMAIN,
    MASTER_KEY: masterKey,
    SERVER_TIMING: "off",
    LOG_LEVEL: "error",
    // Enabled, as in a deployment.
    SEARCH_CACHE: "on",
    MAIL_FROM: `no-reply@${BASE_DOMAIN}`,
    DEVELOPMENT_PORT: "8787",
  });
  const inWorker = (random: Random, work: (alive: Running, later: Promise<unknown>[]) => Promise<void>) => {
    const alive = running;
    if (!alive) return;
    const later: Promise<unknown>[] = [];
    const { task, ended } = timeline.spawn(random, async () => {
      await work(alive, later);
      await Promise.allSettled(later);
    });
    alive.tasks.add(task);
    void ended.finally(() => alive.tasks.delete(task));
  };
  const createContext = (later: Promise<unknown>[]) => ({
    waitUntil: (work: Promise<unknown>) => void later.push(work),
    passThroughOnException: () => undefined,
  });
  const serve = (call: Call, random: Random, onAnswer: (answer: Answer) => void) =>
    inWorker(random, async ({ worker, env }, later) => {
      const request = new Request(`https://acme.${BASE_DOMAIN}${call.path}`, {
        method: call.method,
        ...(call.headers && { headers: call.headers }),
        ...(call.body !== undefined && { body: call.body }),
      });
      const response = await worker.fetch(request, env, createContext(later));
      onAnswer({ status: response.status, headers: response.headers, text: await response.text() });
    });
  const send = (call: Call) =>
    timeline.wait<Answer | undefined>(({ resolve }) => {
      const { random } = timeline.current();
      let isOver = false;
      const end = (answer: Answer | undefined) => {
        if (isOver) return;
        isOver = true;
        resolve(answer);
      };
      timeline.schedule(PATIENCE, () => end(undefined));
      const dice = random.between(1, 1000);
      if (dice <= faultPlan.lostCalls) return;
      const isUnheard = dice <= faultPlan.lostCalls + faultPlan.unheard;
      const isDoubled = random.between(1, 1000) <= faultPlan.doubled;
      for (let copy = 0; copy <= Number(isDoubled); copy++) {
        const inside = createDemoRandom(`${seed} request ${random.nextFraction()} ${copy}`);
        const arrive = () =>
          serve(call, inside, (answer) => {
            if (!isUnheard) timeline.schedule(inside.nextFraction() * WAY_MILLISECONDS, () => end(answer));
          });
        timeline.schedule(random.nextFraction() * WAY_MILLISECONDS * (1 + copy * 20), arrive);
      }
    });
  return {
    send,
    faults,
    defects,
    kills: () => kills,
    start: begin,
    setClock: (by) => {
      wrongBy = by;
    },
    kill: (downFor) => {
      if (!running) return;
      running.isAlive = false;
      for (const task of running.tasks) timeline.forget(task);
      running = undefined;
      kills += 1;
      timeline.schedule(downFor, () => void timeline.spawn(createDemoRandom(`start ${kills}`), begin));
    },
    runCron: (cron) => {
      const random = createDemoRandom(`${seed} ring ${timeline.now()}`);
      const scheduledTime = nature.now();
      inWorker(random, ({ worker, env }, later) =>
        worker.scheduled({ cron, scheduledTime }, env, createContext(later)),
      );
    },
  };
}

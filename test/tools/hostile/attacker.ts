import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { createClient } from "#tools/platform/client.ts";
import { holdConnection, sendChunked, sendSlowly } from "./connections.ts";
import { prepareFileAttacks } from "./file-attacks.ts";
import { ATTACKS, type Attack } from "./requests.ts";

// Runs in a separate process, so that its own CPU use doesn't count as an effect on others. Signs in first,
// because hashing its passwords isn't part of the attack. Attacks from the first message to the second, then
// reports the responses.
const port = Number(process.argv[2]);
const only = process.argv[3] ?? "";
const SLOW_BODIES = 50;
const IDLE_CONNECTIONS = 200;
const CHUNKED_EVERY_MILLISECONDS = 500;
const CHUNKED: readonly (readonly [method: string, path: string])[] = [
  ["PUT", `/api/v1/booking/1/check-in-files/${"a".repeat(64)}`],
  ["POST", "/api/booking/frontend/shopping-cart"],
];

const outcomes: Record<string, Record<string, number>> = {};
const over = new AbortController();
const { signal } = over;
const client = createClient(port);

function count(name: string, status: string): void {
  const outcome = outcomes[name] ?? {};
  outcome[status] = (outcome[status] ?? 0) + 1;
  outcomes[name] = outcome;
}

function pause(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}

function isSelectedAttack(name: string): boolean {
  return name.includes(only);
}

/** Sends requests at a fixed rate, regardless of responses. */
async function attack({ name, perSecond, next, mayAccept }: Attack): Promise<void> {
  if (!isSelectedAttack(name)) return;
  const pendingAnswers: Promise<void>[] = [];
  for (let attackIndex = 0; !signal.aborted; attackIndex++) {
    const answered = client.send(next(attackIndex)).then(
      ({ status }) => count(name, mayAccept && status < 300 ? "accepted" : String(status)),
      () => count(name, "cut"),
    );
    pendingAnswers.push(answered);
    await pause(1000 / perSecond);
  }
  await Promise.all(pendingAnswers);
}

async function attackWithChunks(): Promise<void> {
  if (!isSelectedAttack("90 MB in chunks")) return;
  for (let attackIndex = 0; !signal.aborted; attackIndex++) {
    const [method, path] = CHUNKED[attackIndex % CHUNKED.length] ?? ["POST", "/"];
    count("90 MB in chunks", await sendChunked(port, method, path));
    await pause(CHUNKED_EVERY_MILLISECONDS);
  }
}

/** Runs a number of connections in parallel, reconnecting when closed. */
function attackInParallel(name: string, howMany: number, item: () => Promise<string>): Promise<unknown> {
  if (!isSelectedAttack(name)) return Promise.resolve([]);
  const again = async () => {
    while (!signal.aborted) {
      count(name, await item());
      await pause(1000);
    }
  };
  return Promise.all(Array.from({ length: howMany }, again));
}

process.once("disconnect", () => process.exit());
const fileAttacks = await prepareFileAttacks(client);
process.send?.("ready");
await once(process, "message");
process.once("message", () => over.abort());
await Promise.all([
  ...[...ATTACKS, ...fileAttacks].map(attack),
  attackWithChunks(),
  attackInParallel("bodies of a byte a second", SLOW_BODIES, () => sendSlowly(port, signal)),
  attackInParallel("connections that say nothing", IDLE_CONNECTIONS, () => holdConnection(port, signal)),
]);
process.send?.(outcomes, () => process.exit());

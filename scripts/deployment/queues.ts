import { readCommandOutput, runOrThrow } from "../processes.ts";
import type { DeploymentConfig } from "./workers.ts";
import { listWorkers } from "./workers.ts";

/** Lists the queues that an environment needs, including dead-letter queues. */
function listQueues({ office }: DeploymentConfig): readonly string[] {
  const { producers = [], consumers = [] } = office.queues;
  const names = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Creates the missing queues. Cloudflare refuses a Worker that is bound to a missing one. A repeated call completes an
 * interrupted one.
 */
export async function createMissingQueues(configured: DeploymentConfig): Promise<void> {
  const office = listWorkers(configured).find(({ role }) => role === "office");
  if (!office) return;
  for (const name of listQueues(configured)) {
    // The list has pages.
    if ((await readCommandOutput(office.wrangler("queues", "info", name))) !== undefined) continue;
    await runOrThrow(...office.wrangler("queues", "create", name));
    console.log(`queue ${name} created`);
  }
}

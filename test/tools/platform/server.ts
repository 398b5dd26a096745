import { setTimeout } from "node:timers/promises";
import { startLocalServer } from "#scripts/local-runtime.ts";
import { reportFailure } from "#scripts/steps.ts";
import { createTaxAgencyServer } from "./authority-servers.ts";
import { createPartnerServers } from "./partner-servers.ts";
import type { ServerOptions } from "./platform.ts";

// Records are sent in the name of the software's producer.
const PRODUCER = {
  PRODUCER_NAME: "Chaos, S.L.",
  PRODUCER_TAX_ID: "B12345674",
  PRODUCER_ADDRESS: "Calle del Ejemplo, 1, 07001 Palma, España",
  PRODUCER_PLACE: "Palma, España",
  PRODUCER_DATE: "2026-11-22",
};

const MAX_CRON_RUN_MS = 15_000;

// Server in a separate process, so that it can be killed like a failing machine.
try {
  const { stateDir, folder, port, inspectorPort, masterKey, clockMilliseconds }: ServerOptions = JSON.parse(
    process.argv[2] ?? "{}",
  );
  // The search cache is enabled, as in a deployment.
  const bindings = { ...PRODUCER, MASTER_KEY: masterKey, LOG_LEVEL: "error", SEARCH_CACHE: "on" };
  const outside = {
    outbound: createPartnerServers(stateDir),
    services: { TAX_AGENCY: createTaxAgencyServer(stateDir) },
  };
  const bundle = { folder, gzipKilobytes: 0 };
  const { runScheduledJobs } = await startLocalServer({ stateDir, bundle, port, inspectorPort, bindings, ...outside });
  process.send?.("ready");
  for (;;) {
    await setTimeout(clockMilliseconds);
    // Interrupted work is repeated by the next run, and slow runs aren't awaited.
    const cronRun = runScheduledJobs().catch(() => undefined);
    await Promise.race([cronRun, setTimeout(MAX_CRON_RUN_MS)]);
  }
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

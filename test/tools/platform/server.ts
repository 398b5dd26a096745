import { setTimeout } from "node:timers/promises";
import { serve } from "#scripts/local-runtime.ts";
import { reportFailure } from "#scripts/steps.ts";
import { taxAgencyServer } from "./authority-servers.ts";
import { outsideServer } from "./outside.ts";
import type { ServerOptions } from "./platform.ts";

// Records are sent in the name of who makes the software.
const PRODUCER = {
  PRODUCER_NAME: "Chaos, S.L.",
  PRODUCER_TAX_ID: "B12345674",
  PRODUCER_ADDRESS: "Calle del Ejemplo, 1, 07001 Palma, España",
  PRODUCER_PLACE: "Palma, España",
  PRODUCER_DATE: "2026-11-22",
};

const MAX_CRON_RUN_MS = 15_000;

// A server in a process of its own, so that it can be killed as a machine dies: without a word to anybody.
try {
  const { stateDir, folder, port, masterKey, clockMilliseconds }: ServerOptions = JSON.parse(process.argv[2] ?? "{}");
  // Searches are remembered, as a deployment does.
  const bindings = { ...PRODUCER, MASTER_KEY: masterKey, LOG_LEVEL: "error", SEARCH_CACHE: "on" };
  const outside = { outbound: outsideServer(stateDir), services: { TAX_AGENCY: taxAgencyServer(stateDir) } };
  const bundle = { folder, gzipKilobytes: 0 };
  const { runDueWork } = await serve({ stateDir, bundle, port, bindings, ...outside });
  process.send?.("ready");
  for (;;) {
    await setTimeout(clockMilliseconds);
    // What ends while it is done is done by the next turn, and a turn that takes its time is not waited for.
    const cronRun = runDueWork().catch(() => undefined);
    await Promise.race([cronRun, setTimeout(MAX_CRON_RUN_MS)]);
  }
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

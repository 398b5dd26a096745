import { setTimeout } from "node:timers/promises";
import { serve } from "#scripts/local-runtime.ts";
import { reportFailure } from "#scripts/steps.ts";
import type { ServerOptions } from "./platform.ts";
import { redsysServer } from "./redsys-server.ts";

// A server in a process of its own, so that it can be killed as a machine dies: without a word to anybody.
try {
  const { stateDir, folder, port, masterKey, clockMilliseconds }: ServerOptions = JSON.parse(process.argv[2] ?? "{}");
  const bindings = { MASTER_KEY: masterKey, LOG_LEVEL: "error" };
  const outbound = redsysServer(stateDir);
  const { runDueWork } = await serve({ stateDir, bundle: { folder, gzipKilobytes: 0 }, port, bindings, outbound });
  process.send?.("ready");
  for (;;) {
    await setTimeout(clockMilliseconds);
    // What ends while it is done is done by the next turn.
    await runDueWork().catch(() => undefined);
  }
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

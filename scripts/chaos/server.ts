import { serve } from "../local-runtime.ts";
import { reportFailure } from "../steps.ts";
import type { ServerOptions } from "./platform.ts";

// A server in a process of its own, so that it can be killed as a machine dies: without a word to anybody.
try {
  const { stateDir, folder, port, masterKey }: ServerOptions = JSON.parse(process.argv[2] ?? "{}");
  const bindings = { MASTER_KEY: masterKey, LOG_LEVEL: "error" };
  await serve({ stateDir, bundle: { folder, gzipBytes: 0 }, port, bindings });
  process.send?.("ready");
} catch (error) {
  reportFailure(error);
  process.exit(1);
}

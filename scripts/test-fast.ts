import { runTests } from "./test.ts";

/** The tests that need neither a runtime nor a browser: the domain, keys and protocols, the app's outbox. */
process.exitCode = await runTests([["domain", "pwa", "pwa-alone"]], process.argv.slice(2));

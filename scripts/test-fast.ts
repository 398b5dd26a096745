import { runTests } from "./test.ts";

/** Runs tests that need neither a runtime nor a browser: domain, keys and protocols, and the app's outbox. */
process.exitCode = await runTests(
  [["domain", "pwa", "pwa-alone"]],
  // Caches transformed modules, which reduces repeated runs to a fifth of the time.
  ["--experimental.fsModuleCache", ...process.argv.slice(2)],
);

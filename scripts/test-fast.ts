import { runTests } from "./test.ts";

/** The tests that need neither a runtime nor a browser: the domain, keys and protocols, the app's outbox. */
process.exitCode = await runTests(
  [["domain", "pwa", "pwa-alone"]],
  // Modules as they were transformed before: a fifth of the time of whoever runs this all day.
  ["--experimental.fsModuleCache", ...process.argv.slice(2)],
);

import { defineConfig } from "vitest/config";

// Tests for `npm run test:mutation`, which need only Node.
export default defineConfig({
  test: {
    // On a busy machine a long test takes more than the five seconds of vitest's default.
    testTimeout: 300_000,
    include: ["test/{domain,auth,gateways}/**/*.test.ts", "test/scripts/allocation.test.ts"],
    // A changed constant needs modules of its own for each file. A sample changes none.
    isolate: process.env["IS_MUTANT_SAMPLE"] === undefined,
  },
});

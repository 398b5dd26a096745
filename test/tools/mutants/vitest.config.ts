import { defineConfig } from "vitest/config";

// Tests for `npm run test:mutation`, which need only Node.
export default defineConfig({
  test: {
    include: ["test/{domain,auth,gateways}/**/*.test.ts", "test/scripts/allocation.test.ts"],
    // A changed constant needs modules of its own for each file. A sample changes none.
    isolate: process.env["IS_MUTANT_SAMPLE"] === undefined,
  },
});

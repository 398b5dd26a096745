import { defineConfig } from "vitest/config";

// What `npm run mutants` holds the changed code against: the tests that need no runtime but Node.
export default defineConfig({
  test: { include: ["test/{domain,auth,gateways}/**/*.test.ts", "test/scripts/allocation.test.ts"] },
});

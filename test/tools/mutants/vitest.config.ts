import { defineConfig } from "vitest/config";

// Tests for `npm run test:mutation`, which need only Node.
export default defineConfig({
  test: { include: ["test/{domain,auth,gateways}/**/*.test.ts", "test/scripts/allocation.test.ts"] },
});

import { existsSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { setV8Flags } from "./scripts/v8-flags.ts";
import { weakenPasswordHashesInNode } from "./test/support/bundled-worker.ts";

/** Master key of tests: 32 bytes in base64, the same in every run. */
const MASTER_KEY = Buffer.alloc(32, "test master key ").toString("base64");
process.env["MASTER_KEY"] = MASTER_KEY;
setV8Flags();

/** On a shared machine a password hash may take seconds. Missing events still fail eventually. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Tests that replace parts of the app's environment or need an empty one. */
const ISOLATED_DEVICE_TESTS = ["entries", "reservation-actions", "two-vehicles", "work"].map(
  (name) => `test/pwa/${name}.test.ts`,
);
for (const file of ISOLATED_DEVICE_TESTS) if (!existsSync(file)) throw new Error(`There is no ${file}.`);

/** Tests in the runtime: those of the gate, and slow variations for a release. */
const RUNTIME_TESTS = {
  worker: ["test/{api,store,carts,usecases,tenancy,site,conformance}/**/*.test.ts"],
  "release-worker": ["test/release/worker/**/*.test.ts"],
};

/** Loading the pool takes seconds, so skip it if only other projects are selected. */
async function workerProjects(): Promise<TestProjectInlineConfiguration[]> {
  const projectArguments = process.argv.filter((argument) => argument.startsWith("--project"));
  if (projectArguments.length > 0 && !process.argv.some((argument) => /(^|[=-])worker$/.test(argument))) return [];
  const { createWorkerProject } = await import("./test/support/worker-project.ts");
  return Object.entries(RUNTIME_TESTS).map(([name, include]) =>
    createWorkerProject({ name, include, masterKey: MASTER_KEY, patience: PATIENCE }),
  );
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Logs are shown only for failed tests.
    silent: "passed-only",
    // The gate tests a few of many random cases, a release all.
    provide: { isThorough: process.env["FULL_TEST_RUN"] !== undefined },
    // For `npm run test:fast -- --coverage`: the code that these tests are responsible for.
    coverage: {
      provider: "v8",
      include: ["worker/{domain,auth,gateways}/**/*.ts", "pwa/{shared,check-in/src}/**/*.ts"],
      reporter: ["text-summary", "html"],
      // Percentage of the rules' lines that tests in Node must cover. Measured for a release (scripts/test.ts).
      thresholds: { "worker/domain/**": { lines: 93 } },
    },
    projects: [
      {
        test: {
          name: "domain",
          isolate: false,
          include: ["test/{domain,auth,gateways}/**/*.test.ts"],
          setupFiles: ["test/support/compare-bytes.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "pwa",
          // A separate process with its modules costs more than most of these tests.
          isolate: false,
          include: ["test/pwa/**/*.test.ts"],
          exclude: ISOLATED_DEVICE_TESTS,
          ...PATIENCE,
        },
      },
      { test: { name: "pwa-alone", include: ISOLATED_DEVICE_TESTS, ...PATIENCE } },
      {
        test: {
          name: "browser",
          // Files of a process share one browser, and each file closes its pages.
          isolate: false,
          include: ["test/browser/**/*.test.ts"],
          setupFiles: ["test/support/report-pages.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          sequence: { groupOrder: 2 },
        },
      },
      // Slow tests of complete lifecycles, for `npm run check:release`.
      {
        test: {
          name: "release",
          include: ["test/release/*.test.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "release-browser",
          include: ["test/release/browser/*.test.ts"],
          setupFiles: ["test/support/report-pages.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          // Each needs a browser and a camera, so run files one after the other.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins: [weakenPasswordHashesInNode()],
        test: {
          name: "scripts",
          // Modules are loaded once for all files, because imports cost more than the tests.
          isolate: false,
          include: ["test/scripts/**/*.test.ts"],
          setupFiles: ["test/support/compare-bytes.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      ...(await workerProjects()),
    ],
  },
});
